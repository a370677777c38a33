// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import { errorDiagnostic, type FunctionSignature } from "@tenon/schema";
import { callFunction } from "@tenon/schema/lifecycle";
import { PluginHostError } from "../error.ts";
import { typedValue } from "./config-value.ts";
import { diagnosticsError } from "./diagnostics.ts";
import type { ClientContext } from "./operation.ts";
import { plainData } from "./state-data.ts";

/**
 * Calls a function with data.
 *
 * @throws PluginHostError `INVALID_CONFIG` for invalid or unknown arguments; `DIAGNOSTICS` with the function's error
 */
export async function callWithData(
  context: ClientContext,
  name: string,
  signature: FunctionSignature,
  args: readonly unknown[],
): Promise<unknown> {
  const values = args.map((argument, position) => argumentValue(name, signature, argument, position));
  const { result, error } = await callFunction(context.provider, name, signature, values);
  if (error) {
    const { functionArgument } = error;
    const parameter = functionArgument === undefined ? undefined : parameterAt(signature, functionArgument);
    const about = parameter === undefined ? "" : `argument ${functionArgument! + 1} (${parameter.name}): `;
    throw diagnosticsError([errorDiagnostic(`${about}${error.text}`, "")], `function ${name} of ${context.name}`);
  }
  return plainData(result!);
}

function argumentValue(name: string, signature: FunctionSignature, argument: unknown, position: number): Value {
  const parameter = parameterAt(signature, position);
  if (parameter === undefined) throw invalid(name, `takes ${signature.parameters.length} arguments, and got more`);
  const value = typedValue(parameter.type, argument, `argument ${position + 1} (${parameter.name}) of function ${name}`);
  if (isWhollyKnown(value) || parameter.allowUnknownValues) return value;
  const which = `argument ${position + 1} (${parameter.name})`;
  throw invalid(name, `cannot be called yet: ${which} is not wholly known`);
}

function parameterAt(
  { parameters, variadicParameter }: FunctionSignature,
  position: number,
): FunctionSignature["parameters"][number] | undefined {
  return parameters[position] ?? variadicParameter;
}

function invalid(name: string, message: string): PluginHostError {
  return new PluginHostError("INVALID_CONFIG", `function ${name} ${message}`);
}
