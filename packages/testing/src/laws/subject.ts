// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "@tenon/schema";
import type { ResourceObject, ResourceType } from "@tenon/schema/lifecycle";
import type { LawName } from "./law.ts";
import type { RecordedCalls } from "./recorded-calls.ts";

/** A stored state of an earlier version of the schema. */
export interface EarlierState {
  /** The version of its schema. */
  readonly version: number;
  /** The state as data, as it was stored. */
  readonly state: Readonly<Record<string, unknown>>;
}

/** The resource type that is held against the laws. */
export interface Subject {
  /** Over the provider of `calls`. */
  readonly type: ResourceType;
  readonly calls: RecordedCalls;
  /** Whether changes are applied. */
  readonly applies: boolean;
  /** Laws that are not checked. */
  readonly except: ReadonlySet<LawName>;
  /** Whether an error of the provider is expected, for example because the remote system refuses some values. */
  readonly isExpected: (diagnostic: Diagnostic) => boolean;
  /** The ID by which an object is imported; undefined if it is not. */
  readonly importId: (object: ResourceObject) => string | undefined;
  /** Names of the attributes that a comparison of objects leaves out, by comparison. */
  readonly ignored: { readonly onImport: ReadonlySet<string>; readonly onUpdate: ReadonlySet<string> };
  readonly earlierStates: readonly EarlierState[];
  /** Returns what exists in the remote system after everything is deleted: nothing, `0`, or an empty array. */
  readonly remaining: (() => unknown) | undefined;
}

/** Configurations of one case. */
export interface LawCase {
  /** The configuration of a new object. */
  readonly config: Value;
  /** The same configuration with unknown values. */
  readonly unknowns: Value;
  /** The configuration that the object is changed to. */
  readonly changed: Value;
  /** The changed configuration with unknown values. */
  readonly changedUnknowns: Value;
  /** Creates a prior object from a plan where nothing is applied. */
  readonly priorOf: (planned: Value) => Value;
}
