// SPDX-License-Identifier: Apache-2.0
import { dynamic, nullOf, type Value } from "@tenon/cty";
import type { FunctionError } from "../../messages/function.ts";
import type { FunctionSignature } from "../../model/function-signature.ts";
import type { ValueShape } from "../types.ts";
import { element } from "../wire-error.ts";
import type { Kind } from "./kind.ts";
import { readInteger, writeInteger } from "./scalar.ts";
import { optionalValue, readValue, writeValue, type DynamicValueInit, type DynamicValueWire } from "./value.ts";

/**
 * Arguments by position, each of its parameter's type. An empty one is null, as OpenTofu sends null arguments.
 *
 * Arguments beyond the parameters are read and written as `dynamic`; the provider checks their number.
 */
export const functionArguments: Kind<readonly Value[], readonly DynamicValueWire[], DynamicValueInit[]> = {
  needs: "functions",
  read: (wire, types) => wire.map((argument, index) => element(index, () => readArgument(argument, parameterShape(types.function, index)))),
  write: (model, types) =>
    model.map((argument, index) => element(index, () => writeValue(argument, parameterShape(types.function, index)))),
};

/** Result of a function; absent where there is an error. */
export const functionResult: Kind<Value | undefined, DynamicValueWire | undefined, DynamicValueInit | undefined> = optionalValue(
  (types) => ({
    type: types.function.returnType,
  }),
);

interface FunctionErrorWire {
  readonly text: string;
  readonly functionArgument?: bigint | undefined;
}

/** Error of a function; absent where there is a result. */
export const functionError: Kind<
  FunctionError | undefined,
  FunctionErrorWire | undefined,
  { text: string; functionArgument?: bigint } | undefined
> = {
  read: (wire) =>
    wire && {
      text: wire.text,
      ...(wire.functionArgument === undefined ? {} : { functionArgument: readInteger(wire.functionArgument) }),
    },
  write: (model) =>
    model && {
      text: model.text,
      ...(model.functionArgument === undefined ? {} : { functionArgument: writeInteger(model.functionArgument) }),
    },
};

function readArgument(wire: DynamicValueWire, shape: ValueShape): Value {
  return wire.msgpack.length === 0 && wire.json.length === 0 ? nullOf(shape.type) : readValue(wire, shape);
}

function parameterShape(signature: FunctionSignature, index: number): ValueShape {
  return signature.parameters[index] ?? signature.variadicParameter ?? anyShape;
}

const anyShape: ValueShape = { type: dynamic };
