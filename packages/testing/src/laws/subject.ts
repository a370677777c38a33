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

/** A stored identity of an earlier version of the identity schema. */
export interface EarlierIdentity {
  /** The version of its schema. */
  readonly version: number;
  /** The identity as data, as it was stored. */
  readonly identity: Readonly<Record<string, unknown>>;
}

/** A stored object of another resource type. */
export interface MovedObject {
  readonly typeName: string;
  /** Source address of its provider. Default: `registry.opentofu.org/tenon/other`. */
  readonly providerAddress?: string;
  /** The version of its schema. Default: 0. */
  readonly version?: number;
  /** The state as data, as it was stored. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The private data. Default: none. */
  readonly private?: Uint8Array;
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
  /** Whether the author gave `importId`; otherwise it is a guess. */
  readonly isImportIdGiven: boolean;
  /** Names of the attributes that a comparison of objects leaves out, by comparison. */
  readonly ignored: { readonly onImport: ReadonlySet<string>; readonly onUpdate: ReadonlySet<string> };
  /** Names of attributes whose value was the same in objects that were created more than a second apart. The trials add to it. */
  readonly independentOfClock: Set<string>;
  readonly earlierStates: readonly EarlierState[];
  readonly earlierIdentities: readonly EarlierIdentity[];
  readonly movedFrom: readonly MovedObject[];
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
