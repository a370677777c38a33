// SPDX-License-Identifier: Apache-2.0

/** The result of a check. `error`: a condition could not be evaluated. `unknown`: a condition is not known yet. */
export type CheckStatus = "pass" | "fail" | "error" | "unknown";

/** The kinds of blocks that can have conditions. */
export type CheckableKind = "resource" | "output" | "check" | "var";

/** The result of one object's conditions. */
export interface CheckObjectResult {
  /** The address of the object, with its keys. */
  readonly address: string;
  readonly status: CheckStatus;
  readonly failureMessages: readonly string[];
}

/** The results of all objects that one block of the configuration declares. */
export interface CheckResult {
  readonly kind: CheckableKind;
  /** The address of the block, without keys. */
  readonly address: string;
  readonly status: CheckStatus;
  /** Undefined if the number of objects is not known. */
  readonly objects: readonly CheckObjectResult[] | undefined;
}

const statuses: ReadonlySet<string> = new Set(["pass", "fail", "error"]);
const kinds: ReadonlySet<string> = new Set(["resource", "output", "check", "var"]);

/** Reads a status. An unrecognized status, such as one of a later version, is read as `unknown`. */
export function checkStatusOf(text: unknown): CheckStatus {
  return typeof text === "string" && statuses.has(text) ? (text as CheckStatus) : "unknown";
}

/** Reads the kind of a checkable object; undefined for an unrecognized kind. */
export function checkableKindOf(text: unknown): CheckableKind | undefined {
  return typeof text === "string" && kinds.has(text) ? (text as CheckableKind) : undefined;
}
