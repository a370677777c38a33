// SPDX-License-Identifier: Apache-2.0
import { goString, unknown, type Value } from "@tenon/cty";
import { argumentError, CtyFunction, FunctionError, type Parameter } from "@tenon/cty/function";
import type { CallFunctionResponse, FunctionParameter, FunctionSignature, Provider } from "@tenon/schema";
import { callFunction } from "@tenon/schema/lifecycle";

/** Calls of providers for which an evaluation waits. */
export type PendingCalls = Promise<unknown>[];

/** Caches the calls of provider functions in a run: equal arguments are sent once. */
export class ProviderFunctionCalls {
  readonly #responses = new Map<string, CallFunctionResponse>();
  readonly #calls = new Map<string, Promise<void>>();

  /**
   * Creates a function of the language that calls a provider's function. Functions of the language are synchronous, but providers are not:
   * until the response is known, the result is unknown, and the call is added to `pending`. The caller waits for it and evaluates again.
   *
   * @param id Identifies the function among those of all providers, such as `provider::time::rfc3339_parse`.
   */
  create(id: string, name: string, signature: FunctionSignature, provider: Provider, pending: PendingCalls): CtyFunction {
    const { parameters, variadicParameter, returnType, summary } = signature;
    return new CtyFunction({
      description: summary,
      params: parameters.map(parameterOf),
      ...(variadicParameter && { varParam: parameterOf(variadicParameter) }),
      type: returnType,
      impl: (args) => {
        const key = `${id}(${args.map(goString).join(", ")})`;
        const response = this.#responses.get(key);
        if (response !== undefined) return resultOf(response);
        let call = this.#calls.get(key);
        if (call === undefined) this.#calls.set(key, (call = this.#call(key, provider, name, signature, args)));
        pending.push(call);
        return unknown(returnType);
      },
    });
  }

  async #call(key: string, provider: Provider, name: string, signature: FunctionSignature, args: readonly Value[]): Promise<void> {
    this.#responses.set(key, await callFunction(provider, name, signature, args));
  }
}

/** Evaluates, waits for the provider calls that the evaluation has started, and evaluates again until it starts none. */
export function withProviderCalls<T>(pending: PendingCalls, evaluate: () => T): Promise<T> | T {
  pending.length = 0;
  const result = evaluate();
  return pending.length === 0 ? result : evaluatedAgain(pending, evaluate);
}

async function evaluatedAgain<T>(pending: PendingCalls, evaluate: () => T): Promise<T> {
  await Promise.all(pending);
  return withProviderCalls(pending, evaluate);
}

function resultOf({ error, result }: CallFunctionResponse): Value {
  if (error === undefined) return result!;
  throw error.functionArgument === undefined
    ? new FunctionError("FUNCTION", error.text)
    : argumentError(error.functionArgument, error.text);
}

function parameterOf({ name, description, type, allowNullValue, allowUnknownValues }: FunctionParameter): Parameter {
  return { name, description, type, allowNull: allowNullValue, allowUnknown: allowUnknownValues };
}
