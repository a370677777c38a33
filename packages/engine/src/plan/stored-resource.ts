// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { identityType, impliedType, type Block } from "@tenon/schema";
import { fromTree, toTree } from "@tenon/cty/json";
import type { ResourceObject, ResourceType, StoredObject } from "@tenon/schema/lifecycle";
import { attributesOf, createStateObject, withAttributes, type StateObject } from "../state/state-object.ts";
import { combineMarks, schemaMarks, sensitiveMarks, withPathMarks } from "../marks/object-marks.ts";
import { formatJsonTree } from "../state/json-tree.ts";

/** The data of an object that only the state records; its provider does not know them. */
export interface ObjectRecord {
  readonly sensitivePaths: readonly Path[];
  readonly dependencies: readonly string[];
  readonly createBeforeDestroy: boolean;
  readonly skipDestroy: boolean;
}

const encoder = new TextEncoder();

/** An object of a state in the form that `upgradeObject` takes. */
export function storedObjectOf(object: StateObject): StoredObject {
  const { attributes, attributesFlat, identity, identitySchemaVersion } = object;
  return {
    schemaVersion: object.schemaVersion,
    state: attributes === undefined ? { flatmap: attributesFlat ?? {} } : { json: encoder.encode(formatJsonTree(attributes)) },
    private: object.private ?? new Uint8Array(),
    status: object.status,
    ...(identity !== undefined && { identity: encoder.encode(formatJsonTree(identity)) }),
    ...(identitySchemaVersion !== undefined && { identitySchemaVersion }),
  };
}

/** An object of a state, made from an object of a provider and its record. */
export function stateObjectOf(type: ResourceType, object: ResourceObject, record: ObjectRecord): StateObject {
  const { value, private: privateData, identity, status, schemaVersion } = object;
  const { identitySchema } = type;
  const empty = createStateObject(
    {},
    {
      status,
      schemaVersion,
      ...record,
      ...(privateData.length > 0 && { private: privateData }),
      ...(identity !== undefined &&
        identitySchema !== undefined && {
          identity: toTree(identity, identityType(identitySchema)),
          identitySchemaVersion: identitySchema.version,
        }),
    },
  );
  return withAttributes(empty, value, impliedType(type.schema.block));
}

/** The record of an object in a state. */
export function recordOf({ sensitivePaths, dependencies, createBeforeDestroy, skipDestroy }: StateObject): ObjectRecord {
  return { sensitivePaths, dependencies, createBeforeDestroy, skipDestroy };
}

/** The value of an object of the current schema version, with the marks of the state and of the schema. */
export function markedValue(block: Block, object: StateObject): Value {
  const value = attributesOf(object, impliedType(block));
  return withPathMarks(value, combineMarks(sensitiveMarks(object.sensitivePaths), schemaMarks(block, value)));
}

/** The identity of an object of the current schema version; undefined if it has none. */
export function currentIdentity({ identitySchema }: ResourceType, { identity }: StateObject): Value | undefined {
  return identity === undefined || identitySchema === undefined ? undefined : fromTree(identity, identityType(identitySchema));
}

/** The value of an object of the current schema version. */
export function currentValue(type: ResourceType, object: StateObject): Value {
  return attributesOf(object, impliedType(type.schema.block));
}
