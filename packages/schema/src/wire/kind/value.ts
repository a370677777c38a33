// SPDX-License-Identifier: Apache-2.0
import { nullOf, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { decode as decodeJson } from "@tenon/cty/json";
import { decode, encode } from "@tenon/cty/msgpack";
import { ofIdentity, type OptionalShapeOf, type ShapeOf, type ValueShape } from "../types.ts";
import type { Kind } from "./kind.ts";

/** Encoded value to read. */
export interface DynamicValueWire {
  readonly msgpack: Uint8Array;
  readonly json: Uint8Array;
}
/** Encoded value to write. */
export type DynamicValueInit = { msgpack: Uint8Array };

/** Value of the given type. An absent value is null. */
export function value(of: ShapeOf): Kind<Value, DynamicValueWire | undefined, DynamicValueInit> {
  return {
    needs: "schemas",
    read: (wire, types) => readValue(wire, of(types)),
    write: (model, types) => writeValue(model, of(types)),
  };
}

/** Value that may be absent, which differs from null. */
export function optionalValue(of: OptionalShapeOf): Kind<Value | undefined, DynamicValueWire | undefined, DynamicValueInit | undefined> {
  return {
    needs: "schemas",
    read(wire, types) {
      // The cores do not send a value for which the provider has no type; Go's libraries ignore it.
      const shape = isAbsent(wire) ? undefined : of(types);
      return shape && readValue(wire, shape);
    },
    write: (model, types) => (model === undefined ? undefined : writeValue(model, required(of(types)))),
  };
}

/** Identity to read. */
export interface IdentityWire {
  readonly identityData?: DynamicValueWire | undefined;
}
/** Identity to write. */
export type IdentityInit = { identityData: DynamicValueInit };

/** Identity of the resource type that the call names. */
export const identity: Kind<Value | undefined, IdentityWire | undefined, IdentityInit | undefined> = {
  needs: "identities",
  read: (wire, types) =>
    wire === undefined || isAbsent(wire.identityData) ? undefined : readValue(wire.identityData, required(ofIdentity(types))),
  write: (model, types) => (model === undefined ? undefined : { identityData: writeValue(model, required(ofIdentity(types))) }),
};

/** Reads a value from msgpack, or else from JSON. A value with neither is null. */
export function readValue(wire: DynamicValueWire | undefined, { type, fill }: ValueShape): Value {
  if (isAbsent(wire)) return nullOf(type);
  const value = wire.msgpack.length > 0 ? decode(wire.msgpack, type) : decodeJson(wire.json, type);
  return fill === undefined ? value : fill(value);
}

/** Writes a value as msgpack, as OpenTofu's description of the wire format requires. */
export function writeValue(value: Value, { type, fill }: ValueShape): DynamicValueInit {
  return { msgpack: encode(fill === undefined ? value : fill(value), type, { convert }) };
}

function isAbsent(wire: DynamicValueWire | undefined): wire is undefined {
  return wire === undefined || (wire.msgpack.length === 0 && wire.json.length === 0);
}

function required(shape: ValueShape | undefined): ValueShape {
  if (shape === undefined) throw new TypeError("the provider has no schema for it");
  return shape;
}
