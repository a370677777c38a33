// SPDX-License-Identifier: Apache-2.0
import { nullOf, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { decode as decodeJson } from "@tenon/cty/json";
import { decode, encode } from "@tenon/cty/msgpack";
import { ofIdentity, type OptionalShapeOf, type ShapeOf, type ValueShape } from "../types.ts";
import type { Kind } from "./kind.ts";

export interface DynamicValueWire {
  readonly msgpack: Uint8Array;
  readonly json: Uint8Array;
}
export type DynamicValueInit = { msgpack: Uint8Array };

/** A value of the given type. Absent, it is null. */
export function value(of: ShapeOf): Kind<Value, DynamicValueWire | undefined, DynamicValueInit> {
  return {
    needs: "schemas",
    read: (wire, types) => readValue(wire, of(types)),
    write: (model, types) => writeValue(model, of(types)),
  };
}

/** A value that may be absent, which is not the same as null. */
export function optionalValue(of: OptionalShapeOf): Kind<Value | undefined, DynamicValueWire | undefined, DynamicValueInit | undefined> {
  return {
    needs: "schemas",
    read(wire, types) {
      // What the provider has no type for it never asked for: the cores send it to nobody, and Go's libraries pass over it.
      const shape = isAbsent(wire) ? undefined : of(types);
      return shape && readValue(wire, shape);
    },
    write: (model, types) => (model === undefined ? undefined : writeValue(model, required(of(types)))),
  };
}

export interface IdentityWire {
  readonly identityData?: DynamicValueWire | undefined;
}
export type IdentityInit = { identityData: DynamicValueInit };

/** The identity of the resource type that the call names. */
export const identity: Kind<Value | undefined, IdentityWire | undefined, IdentityInit | undefined> = {
  needs: "identities",
  read: (wire, types) =>
    wire === undefined || isAbsent(wire.identityData) ? undefined : readValue(wire.identityData, required(ofIdentity(types))),
  write: (model, types) => (model === undefined ? undefined : { identityData: writeValue(model, required(ofIdentity(types))) }),
};

/** Reads msgpack, else JSON; what holds neither is null. */
export function readValue(wire: DynamicValueWire | undefined, { type, fill }: ValueShape): Value {
  if (isAbsent(wire)) return nullOf(type);
  const value = wire.msgpack.length > 0 ? decode(wire.msgpack, type) : decodeJson(wire.json, type);
  return fill === undefined ? value : fill(value);
}

/** Always msgpack, as OpenTofu's description of the wire format asks for. */
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
