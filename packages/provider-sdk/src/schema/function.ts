// SPDX-License-Identifier: Apache-2.0
import type { FunctionParameter, FunctionSignature } from "@tenon/schema";
import type { Awaitable } from "../definition/call-context.ts";
import type { Validator } from "../definition/attribute-options.ts";
import type { ParameterOptions } from "../definition/function.ts";
import { compiledValidators } from "../validators/standard-schema.ts";
import { Faults } from "./fault.ts";
import { componentNameFault } from "./names.ts";
import type { CompiledProvider } from "./provider.ts";
import type { Shape } from "./shape.ts";
import { isWrittenType, refuseFlags, valueShape, type WrittenType } from "./value-shape.ts";

export interface CompiledParameter {
  readonly name: string;
  readonly shape: Shape;
  readonly allowNull: boolean;
  readonly allowUnknown: boolean;
  readonly validators: readonly Validator<unknown>[];
}

/** A provider function, checked. */
export interface CompiledFunction {
  readonly kind: "function";
  readonly name: string;
  readonly typeName: string;
  readonly parameters: readonly CompiledParameter[];
  readonly variadic?: CompiledParameter;
  readonly returns: Shape;
  readonly signature: FunctionSignature;
  /** It sees the client, so it is there only once the provider is configured. */
  readonly needsClient: boolean;
  readonly call: (args: object, rest: readonly unknown[], context?: object) => Awaitable<unknown>;
}

interface WrittenParameter {
  readonly type: unknown;
  readonly options: ParameterOptions;
}
interface WrittenFunction {
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: string;
  readonly parameters: Readonly<Record<string, WrittenParameter>>;
  readonly variadic?: WrittenParameter;
  readonly returns: unknown;
  readonly needsClient?: true;
  readonly call: CompiledFunction["call"];
}

/** Any type at all, so that checking can go on after a fault. */
const anything: WrittenType = { kind: "string", options: {} };

/** @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileFunction(provider: CompiledProvider, name: string, written: WrittenFunction): CompiledFunction {
  const faults = new Faults(`provider ${provider.name}, function ${name}`);
  const wrongName = componentNameFault(name);
  if (wrongName !== undefined) faults.add([], wrongName);
  if (typeof written.call !== "function") faults.add([], "a function has a function call");
  faults.throwIfAny("INVALID_DEFINITION");
  const parameters = Object.entries(written.parameters ?? {}).map(([parameter, one]) => compileParameter(parameter, one, faults));
  const variadic = written.variadic === undefined ? undefined : compileParameter("arguments", written.variadic, faults);
  // The cores tell arguments apart by the names of their parameters, the last of which has none but this.
  if (variadic !== undefined && parameters.some(({ name: taken }) => taken === variadic.name))
    faults.add([], `two parameters are called ${variadic.name}: the variadic one has that name`);
  if (!isWrittenType(written.returns)) faults.add([], "a function says what it returns, such as attr.string()");
  const returned = isWrittenType(written.returns) ? written.returns : anything;
  refuseFlags(returned, ["returns"], "a result", faults);
  const returns = valueShape(returned, ["returns"], faults, false);
  faults.throwIfAny("INVALID_SCHEMA");
  return {
    kind: "function",
    name,
    typeName: name,
    parameters,
    ...(variadic === undefined ? {} : { variadic }),
    returns,
    signature: {
      parameters: Object.values(written.parameters ?? {}).map((one, index) => protocolParameter(parameters[index]!, one)),
      ...(variadic === undefined || written.variadic === undefined
        ? {}
        : { variadicParameter: protocolParameter(variadic, written.variadic) }),
      returnType: returns.type,
      summary: written.summary ?? "",
      description: written.description ?? "",
      descriptionKind: "markdown",
      deprecationMessage: written.deprecated ?? "",
    },
    needsClient: written.needsClient === true,
    call: written.call,
  };
}

function compileParameter(name: string, written: WrittenParameter, faults: Faults): CompiledParameter {
  const wrong = componentNameFault(name);
  if (wrong !== undefined) faults.add([name], wrong);
  const type = isWrittenType(written?.type) ? written.type : anything;
  if (type === anything) faults.add([name], "a parameter is made with parameter(attr.…())");
  refuseFlags(type, [name], "a parameter's type", faults);
  return {
    name,
    shape: valueShape(type, [name], faults, false),
    allowNull: written?.options?.allowNull === true,
    allowUnknown: written?.options?.allowUnknown === true,
    validators: compiledValidators(type.options.validators),
  };
}

function protocolParameter(compiled: CompiledParameter, written: WrittenParameter): FunctionParameter {
  return {
    name: compiled.name,
    type: compiled.shape.type,
    allowNullValue: compiled.allowNull,
    allowUnknownValues: compiled.allowUnknown,
    description: written.options.description ?? "",
    descriptionKind: "markdown",
  };
}
