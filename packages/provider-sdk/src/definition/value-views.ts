// SPDX-License-Identifier: Apache-2.0
import type { Unknown } from "../unknown.ts";

/** The same value, seen from each of the places where an author meets it. */
export interface ValueViews {
  /** What the practitioner wrote, all of it known: in create, update, data source reads. */
  readonly config: unknown;
  /** What the practitioner wrote during validation and plan, when anything may be unknown. */
  readonly configDraft: unknown;
  /** What create and update are asked to make: only computed attributes may be unknown. */
  readonly planned: unknown;
  /** The same during plan. */
  readonly draft: unknown;
  /** What is recorded. */
  readonly state: unknown;
  /** What a handler answers. */
  readonly answer: unknown;
}

/** A value whose parts have no flags of their own looks the same from everywhere, but for unknowns. */
export interface PlainViews<Known, Draft> extends ValueViews {
  readonly config: Known;
  readonly configDraft: Draft;
  readonly planned: Known;
  readonly draft: Draft;
  readonly state: Known;
  readonly answer: Known;
}

/** What the flags make of a value. `never` means: not there at all. A table, so no conditional type runs. */
export interface ByMode<V extends ValueViews> {
  /** As if required, so that one unfinished attribute does not take the types of all others away; `Sound` reports it. */
  bare: ByMode<V>["required"];
  required: {
    config: V["config"];
    configDraft: V["configDraft"] | Unknown;
    planned: V["planned"];
    draft: V["draft"] | Unknown;
    state: V["state"];
    answer: V["answer"];
  };
  optional: {
    config: V["config"] | null;
    configDraft: V["configDraft"] | Unknown | null;
    planned: V["planned"] | null;
    draft: V["draft"] | Unknown | null;
    state: V["state"] | null;
    answer: V["answer"] | null;
  };
  computed: {
    config: never;
    configDraft: never;
    planned: V["draft"] | Unknown;
    draft: V["draft"] | Unknown;
    state: V["state"];
    answer: V["answer"];
  };
  optionalComputed: {
    config: V["config"] | null;
    configDraft: V["configDraft"] | Unknown | null;
    planned: V["draft"] | Unknown;
    draft: V["draft"] | Unknown;
    state: V["state"];
    answer: V["answer"];
  };
  default: {
    config: V["config"] | null;
    configDraft: V["configDraft"] | Unknown | null;
    planned: V["planned"];
    draft: V["draft"] | Unknown;
    state: V["state"];
    answer: V["answer"];
  };
  writeOnlyRequired: {
    config: V["config"];
    configDraft: V["configDraft"] | Unknown;
    planned: null;
    draft: null;
    state: never;
    answer: never;
  };
  writeOnlyOptional: {
    config: V["config"] | null;
    configDraft: V["configDraft"] | Unknown | null;
    planned: null;
    draft: null;
    state: never;
    answer: never;
  };
}
