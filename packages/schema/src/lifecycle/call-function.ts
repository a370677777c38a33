// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, testConformance, unknown, type Value } from "@tenon/cty";
import { ProviderError } from "../error.ts";
import type { CallFunctionResponse, FunctionError } from "../messages/function.ts";
import type { FunctionParameter, FunctionSignature } from "../model/function-signature.ts";
import type { CallOptions, Provider } from "../provider/provider.ts";
import { callOptions } from "./resource-type.ts";

/**
 * Calls a function of a provider. Arguments are unmarked and of the parameters' types.
 * The provider is not called in two cases: a null argument for a parameter that does not allow null is an error, and an argument that is
 * not wholly known for a parameter that does not allow unknown values makes the result unknown.
 *
 * @throws ProviderError where the call fails; `INVALID_RESPONSE` where the result is not of the function's type.
 * @see OpenTofu plugin6 GRPCProvider.CallFunction
 */
export async function callFunction(
  provider: Provider,
  name: string,
  signature: FunctionSignature,
  args: readonly Value[],
  options: CallOptions = {},
): Promise<CallFunctionResponse> {
  const { parameters, variadicParameter, returnType } = signature;
  if (args.length < parameters.length || (args.length > parameters.length && variadicParameter === undefined)) {
    return {
      error: {
        text: `function ${name} takes ${variadicParameter ? "at least " : ""}${parameters.length} arguments and got ${args.length}`,
      },
    };
  }
  for (const [position, argument] of args.entries()) {
    const parameter = parameters[position] ?? variadicParameter!;
    if (!parameter.allowUnknownValues && !isWhollyKnown(argument)) return { result: unknown(returnType) };
    const error = nullError(name, parameter, argument, position);
    if (error) return { error };
  }
  const response = await provider.callFunction({ name, arguments: args }, callOptions(options));
  if (response.error || response.result === undefined) return response;
  const [mismatch] = testConformance(response.result.type, returnType);
  if (mismatch) throw new ProviderError("INVALID_RESPONSE", `function ${name} returned a value of another type: ${mismatch.message}`);
  return response;
}

function nullError(name: string, parameter: FunctionParameter, argument: Value, position: number): FunctionError | undefined {
  if (argument.payload !== null || parameter.allowNullValue) return undefined;
  return { text: `parameter ${parameter.name} is null, which is not allowed for function ${name}`, functionArgument: position };
}
