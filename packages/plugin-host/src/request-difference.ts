// SPDX-License-Identifier: Apache-2.0

/** The first difference between a request and the recorded request. */
export interface RequestDifference {
  /** Name of the call, such as `planResourceChange`. */
  readonly method: string;
  /** Path of the difference, such as `config.tags["a"]`; empty for the request as a whole. */
  readonly field: string;
  /** The recorded value as text; undefined if it is absent. */
  readonly recorded: string | undefined;
  /** The value in the request as text; undefined if it is absent. */
  readonly requested: string | undefined;
}
