// SPDX-License-Identifier: Apache-2.0
import type { SourceRange, Traversal } from "@tenon/hcl";
import { traversalRange } from "@tenon/hcl/syntax";
import { addressOf, type ParsedAddress } from "./address-diagnostic.ts";

/** What an address in a configuration or on a command line names, and where it was written. */
export interface LocatedSubject<S> {
  readonly subject: S;
  /** Absent if the address was not parsed from text. */
  readonly range?: SourceRange;
}

/** The subject with the range of the traversal that names it. */
export function locatedSubject<S>(subject: S, traversal: Traversal): ParsedAddress<LocatedSubject<S>> {
  const range = traversalRange(traversal);
  return addressOf(range === undefined ? { subject } : { subject, range });
}
