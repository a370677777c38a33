// SPDX-License-Identifier: Apache-2.0

/** Reason for a deferral. */
export type DeferReason = "resourceConfigUnknown" | "providerConfigUnknown" | "absentPrerequisite";

/** Context of handlers that may defer their operation. */
export interface DeferrableCall {
  /**
   * Ends the handler and defers the operation to a later run, because a value or object that it needs is unknown or does not exist
   * yet. It is an error that contains the reason if the core does not allow deferrals: only Terraform with `-allow-deferral` does.
   */
  readonly defer: (reason: DeferReason) => never;
}
