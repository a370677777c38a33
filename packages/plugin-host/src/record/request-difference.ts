// SPDX-License-Identifier: Apache-2.0

/** The first place where a request departs from the recorded one it is held against. */
export interface RequestDifference {
  /** The call, such as `planResourceChange`. */
  readonly method: string;
  /** Where, such as `config.tags["a"]`; empty for the request as a whole. */
  readonly field: string;
  /** What was recorded there, as text; undefined where nothing was. */
  readonly recorded: string | undefined;
  /** What is asked now, as text; undefined where nothing is. */
  readonly asked: string | undefined;
}
