// SPDX-License-Identifier: Apache-2.0
import type { FunctionParameter, FunctionSignature } from "../../model/function-signature.ts";
import { readDescriptionKind, writeDescriptionKind } from "./description-kind.ts";
import { mapKind } from "./map-kind.ts";
import { readType, writeType } from "./type.ts";

/** Function signature to read. */
export interface FunctionWire {
  readonly parameters: readonly ParameterWire[];
  readonly variadicParameter?: ParameterWire | undefined;
  readonly return?: { readonly type: Uint8Array } | undefined;
  readonly summary: string;
  readonly description: string;
  readonly descriptionKind: number;
  readonly deprecationMessage: string;
}
interface ParameterWire {
  readonly name: string;
  readonly type: Uint8Array;
  readonly allowNullValue: boolean;
  readonly allowUnknownValues: boolean;
  readonly description: string;
  readonly descriptionKind: number;
}

/** Function signature to write. */
export type FunctionInit = {
  parameters: ParameterInit[];
  variadicParameter?: ParameterInit;
  return: { type: Uint8Array };
  summary: string;
  description: string;
  descriptionKind: 0 | 1;
  deprecationMessage: string;
};
type ParameterInit = Omit<ParameterWire, "descriptionKind"> & { descriptionKind: 0 | 1 };

/** Function signatures by name. */
export const functions: ReturnType<typeof mapKind<FunctionSignature, FunctionWire, FunctionInit>> = mapKind(
  readFunctionSignature,
  writeFunctionSignature,
);

/** Reads a function signature. */
export function readFunctionSignature(wire: FunctionWire): FunctionSignature {
  if (wire.return === undefined) throw new TypeError("the function has no return type");
  return {
    parameters: wire.parameters.map(readParameter),
    ...(wire.variadicParameter === undefined ? {} : { variadicParameter: readParameter(wire.variadicParameter) }),
    returnType: readType(wire.return.type),
    summary: wire.summary,
    description: wire.description,
    descriptionKind: readDescriptionKind(wire.descriptionKind),
    deprecationMessage: wire.deprecationMessage,
  };
}

/** Writes a function signature. */
export function writeFunctionSignature(model: FunctionSignature): FunctionInit {
  return {
    parameters: model.parameters.map(writeParameter),
    ...(model.variadicParameter === undefined ? {} : { variadicParameter: writeParameter(model.variadicParameter) }),
    return: { type: writeType(model.returnType) },
    summary: model.summary,
    description: model.description,
    descriptionKind: writeDescriptionKind(model.descriptionKind),
    deprecationMessage: model.deprecationMessage,
  };
}

function readParameter(wire: ParameterWire): FunctionParameter {
  return {
    name: wire.name,
    type: readType(wire.type),
    allowNullValue: wire.allowNullValue,
    allowUnknownValues: wire.allowUnknownValues,
    description: wire.description,
    descriptionKind: readDescriptionKind(wire.descriptionKind),
  };
}

function writeParameter(model: FunctionParameter): ParameterInit {
  return {
    name: model.name,
    type: writeType(model.type),
    allowNullValue: model.allowNullValue,
    allowUnknownValues: model.allowUnknownValues,
    description: model.description,
    descriptionKind: writeDescriptionKind(model.descriptionKind),
  };
}
