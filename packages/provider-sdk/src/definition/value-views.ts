// SPDX-License-Identifier: Apache-2.0
import type { Unknown } from "@tenon/schema";

/** The type of a value in each context where a provider author uses it. */
export interface ValueViews {
  /** The configuration, wholly known: in create, update and the read of a data source. */
  readonly config: unknown;
  /** The configuration during validation and planning, when any value may be unknown. */
  readonly configDraft: unknown;
  /** The planned value that create and update receive: only computed attributes may be unknown. */
  readonly planned: unknown;
  /** The planned value during planning, when any value may be unknown. */
  readonly draft: unknown;
  /** The recorded value. */
  readonly state: unknown;
  /** The value in a handler's result. */
  readonly result: unknown;
}

/** The views of a value whose parts have no flags of their own. They differ only in whether unknowns may occur. */
export interface PlainViews<Known, Draft> extends ValueViews {
  readonly config: Known;
  readonly configDraft: Draft;
  readonly planned: Known;
  readonly draft: Draft;
  readonly state: Known;
  readonly result: Known;
}

/** The views of a value, by the attribute's mode. `never`: the view has no such attribute. A lookup table, to avoid conditional types. */
export interface ByMode<V extends ValueViews> {
  /** Same as `required`, so that one unfinished attribute does not make the types of all others unusable; `ValidSchema` reports it. */
  bare: ByMode<V>["required"];
  required: {
    config: V["config"];
    configDraft: V["configDraft"] | Unknown;
    planned: V["planned"];
    draft: V["draft"] | Unknown;
    state: V["state"];
    result: V["result"];
  };
  optional: {
    config: V["config"] | null;
    configDraft: V["configDraft"] | Unknown | null;
    planned: V["planned"] | null;
    draft: V["draft"] | Unknown | null;
    state: V["state"] | null;
    result: V["result"] | null;
  };
  computed: {
    config: never;
    configDraft: never;
    planned: V["draft"] | Unknown;
    draft: V["draft"] | Unknown;
    state: V["state"];
    result: V["result"];
  };
  optionalComputed: {
    config: V["config"] | null;
    configDraft: V["configDraft"] | Unknown | null;
    planned: V["draft"] | Unknown;
    draft: V["draft"] | Unknown;
    state: V["state"];
    result: V["result"];
  };
  default: {
    config: V["config"] | null;
    configDraft: V["configDraft"] | Unknown | null;
    planned: V["planned"];
    draft: V["draft"] | Unknown;
    state: V["state"];
    result: V["result"];
  };
  writeOnlyRequired: {
    config: V["config"];
    configDraft: V["configDraft"] | Unknown;
    planned: null;
    draft: null;
    state: never;
    result: never;
  };
  writeOnlyOptional: {
    config: V["config"] | null;
    configDraft: V["configDraft"] | Unknown | null;
    planned: null;
    draft: null;
    state: never;
    result: never;
  };
}
