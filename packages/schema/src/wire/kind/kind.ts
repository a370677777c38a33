// SPDX-License-Identifier: Apache-2.0
import type { Types } from "../types.ts";

/**
 * How one field of a message travels, both ways.
 *
 * `Wire` is what is read and `Init` what is written: the structural part that the messages of both protocol versions share, so
 * that one kind serves both.
 */
export interface Kind<Model, Wire, Init = Wire> {
  read(wire: Wire, types: Types): Model;
  // A property, not a method: its parameter is then compared exactly, and a kind that may be absent does not fit a field that is required.
  readonly write: (model: Model, types: Types) => Init;
  /** What must be known before; absent: nothing. */
  readonly needs?: Needs;
}

/**
 * What of a provider must be known to read or write a message: its schemas; the identity schemas, too; or the signatures of
 * functions, too.
 */
export type Needs = "schemas" | "identities" | "functions";

/** The greater of needs; no message has need of both identities and functions. */
export function greatestNeed(needs: Iterable<Needs | undefined>): Needs | undefined {
  let greatest: Needs | undefined;
  for (const need of needs) if (need !== undefined && (greatest === undefined || greatest === "schemas")) greatest = need;
  return greatest;
}
