// SPDX-License-Identifier: Apache-2.0
import type { Types } from "../types.ts";

/**
 * Kind of a message field: how it is read and written.
 *
 * `Wire` is the type that is read and `Init` the type that is written: the structural part that the messages of both protocol versions
 * share, so that one kind serves both.
 */
export interface Kind<Model, Wire, Init = Wire> {
  read(wire: Wire, types: Types): Model;
  // A property, not a method, so that TypeScript compares its parameter exactly: a kind that may be absent does not fit a required field.
  readonly write: (model: Model, types: Types) => Init;
  /** Schemas or signatures of the provider that reading and writing need. Default: none. */
  readonly needs?: Needs;
}

/** Description of a provider that a message needs: its schemas; its schemas and identity schemas; or its schemas and function signatures.
 */
export type Needs = "schemas" | "identities" | "functions";

/** Returns the greatest of several needs. No message needs both identities and functions. */
export function greatestNeed(needs: Iterable<Needs | undefined>): Needs | undefined {
  let greatest: Needs | undefined;
  for (const need of needs) if (need !== undefined && (greatest === undefined || greatest === "schemas")) greatest = need;
  return greatest;
}
