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
 * Positional arguments, each of its parameter's type. An empty one is null: so OpenTofu sends a null argument.
 *
 * Arguments beyond the parameters of a function that takes no more are read and written as `dynamic`; how many there may be is the
 * function's business.
 */
export const functionArguments: Kind<readonly Value[], readonly DynamicValueWire[], DynamicValueInit[]> = {
  needs: "functions",
  read: (wire, types) => wire.map((argument, index) => element(index, () => readArgument(argument, parameterShape(types.function, index)))),
  write: (model, types) =>
    model.map((argument, index) => element(index, () => writeValue(argument, parameterShape(types.function, index)))),
};

/** Absent where there is an error instead. */
export const functionResult: Kind<Value | undefined, DynamicValueWire | undefined, DynamicValueInit | undefined> = optionalValue(
  (types) => ({
    type: types.function.returnType,
  }),
);

interface FunctionErrorWire {
  readonly text: string;
  readonly functionArgument?: bigint | undefined;
}

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
