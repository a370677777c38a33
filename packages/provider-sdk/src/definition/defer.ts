// SPDX-License-Identifier: Apache-2.0

/** Why something has to wait for a later run. */
export type DeferReason = "resourceConfigUnknown" | "providerConfigUnknown" | "absentPrerequisite";

/** Handlers that may put off what they are asked for. */
export interface DeferrableCall {
  /**
   * Ends the handler: what it was asked for is left for a later run, as something it needs is not known or not there yet. Where
   * the core cannot wait (only Terraform can, told with `-allow-deferral`) that is an error, which says why.
   */
  readonly defer: (reason: DeferReason) => never;
}
