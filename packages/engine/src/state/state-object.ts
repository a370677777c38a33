// SPDX-License-Identifier: Apache-2.0
import type { ObjectType, Path, Type, Value } from "@tenon/cty";
import { fromTree, toTree } from "@tenon/cty/json";
import type { JsonObject, JsonTree } from "./json-tree.ts";

/** An object of a resource instance in a state. Objects are immutable. */
export interface StateObject {
  /** `tainted`: the object exists, but the next apply replaces it. */
  readonly status: "ready" | "tainted";
  /** Version of the resource type's schema that the attributes conform to. */
  readonly schemaVersion: number;
  /** The attributes as JSON of the type that the schema implies. Absent if the state has {@link attributesFlat} instead. */
  readonly attributes?: JsonObject;
  /** The attributes in the format of Terraform 0.11: a flat map of strings. */
  readonly attributesFlat?: Readonly<Record<string, string>>;
  /** Paths of the attributes that are sensitive for other reasons than their schema. */
  readonly sensitivePaths: readonly Path[];
  /** Opaque data that the provider stores with the object. */
  readonly private?: Uint8Array;
  /** Sorted addresses, without keys, of the resources that must not be destroyed before this object. */
  readonly dependencies: readonly string[];
  readonly createBeforeDestroy: boolean;
  /** Whether a destroy removes the object only from the state. */
  readonly skipDestroy: boolean;
  readonly identity?: JsonTree;
  readonly identitySchemaVersion?: number;
}

/** Creates an object with the attributes and, optionally, further properties. */
export function createStateObject(attributes: JsonObject, parts: Partial<StateObject> = {}): StateObject {
  return {
    status: "ready",
    schemaVersion: 0,
    sensitivePaths: [],
    dependencies: [],
    createBeforeDestroy: false,
    skipDestroy: false,
    ...parts,
    attributes,
  };
}

/** Decoded attributes by type, so that each object is decoded once. */
const decoded = new WeakMap<StateObject, Map<Type, Value>>();

/**
 * The attributes as a value of the type that the schema implies. The value is cached.
 *
 * @throws CtyError `MALFORMED` if the attributes do not conform to the type.
 */
export function attributesOf<T extends ObjectType>(object: StateObject, type: T): Value<T> {
  let byType = decoded.get(object);
  if (byType === undefined) decoded.set(object, (byType = new Map()));
  let value = byType.get(type);
  if (value === undefined) byType.set(type, (value = fromTree(object.attributes ?? {}, type)));
  return value as Value<T>;
}

/** A copy of the object with other attributes. {@link attributesOf} returns this value without decoding it. */
export function withAttributes(object: StateObject, value: Value, type: ObjectType): StateObject {
  const { attributesFlat: _, ...rest } = object;
  const changed: StateObject = { ...rest, attributes: toTree(value, type) as JsonObject };
  decoded.set(changed, new Map([[type, value]]));
  return changed;
}
