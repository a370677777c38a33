// SPDX-License-Identifier: Apache-2.0
import type { FunctionParameter, FunctionSignature } from "@tenon/schema";
import type { Awaitable } from "../definition/call-context.ts";
import type { Validator } from "../definition/attribute-options.ts";
import type { ParameterOptions } from "../definition/function.ts";
import { compiledValidators } from "../validators/standard-schema.ts";
import { Faults } from "./fault.ts";
import { componentNameFault } from "./names.ts";
import { optionFaults } from "./option-faults.ts";
import type { CompiledProvider } from "./provider.ts";
import type { Shape } from "../shape/shape.ts";
import { isWrittenType, refuseFlags, valueShape, type WrittenType } from "./value-shape.ts";

/** A parameter of a provider function, checked. */
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
  /** Whether it uses the client. Such a function exists only after the provider is configured. */
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

const functionOptions = ["summary", "description", "deprecated", "parameters", "variadic", "returns", "needsClient", "call"];

/** Replaces an invalid type, so that checking can continue. */
const placeholderType: WrittenType = { kind: "string", options: {} };

/** Compiles a provider function. @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileFunction(provider: CompiledProvider, name: string, written: WrittenFunction): CompiledFunction {
  const faults = new Faults(`provider ${provider.name}, function ${name}`);
  const wrongName = componentNameFault(name);
  if (wrongName !== undefined) faults.add([], wrongName);
  for (const fault of optionFaults(written, functionOptions)) faults.add([], fault);
  if (typeof written.call !== "function") faults.add([], "a function must define call()");
  faults.throwIfAny("INVALID_DEFINITION");
  const parameters = Object.entries(written.parameters ?? {}).map(([parameter, one]) => compileParameter(parameter, one, faults));
  const variadic = written.variadic === undefined ? undefined : compileParameter("arguments", written.variadic, faults);
  // The cores identify arguments by the names of their parameters; the variadic parameter always has this name.
  if (variadic !== undefined && parameters.some(({ name: taken }) => taken === variadic.name))
    faults.add([], `two parameters have the name ${variadic.name}, which is the name of the variadic parameter`);
  if (!isWrittenType(written.returns)) faults.add([], "a function must have a result type, such as attr.string()");
  const returned = isWrittenType(written.returns) ? written.returns : placeholderType;
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
  const type = isWrittenType(written?.type) ? written.type : placeholderType;
  if (type === placeholderType) faults.add([name], "create a parameter with parameter(attr.…())");
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
