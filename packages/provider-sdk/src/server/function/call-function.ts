// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import { UNKNOWN, valueOf } from "@tenon/cty/unstable/payload";
import type { CallFunctionRequest, CallFunctionResponse, Diagnostic, FunctionError } from "@tenon/schema";
import { decodePlain } from "../../conversion/decode.ts";
import { encode } from "../../conversion/encode.ts";
import { problemText } from "../../conversion/problem.ts";
import { put } from "../../conversion/record.ts";
import { ArgumentError } from "../../definition/function.ts";
import { runInCall } from "../../observability/current-call.ts";
import type { CompiledFunction, CompiledParameter } from "../../compile/function.ts";
import { findingsOf } from "../../validation/value-validation.ts";
import { clientFor } from "../call/client-access.ts";
import type { Rpc } from "../call/rpc.ts";
import { logError } from "../../observability/error-stack.ts";
import { messageOf } from "../call/error-text.ts";
import type { ServerCall } from "../call/server-call.ts";

/** Calls a provider function. Only a function that uses the client needs a configured provider. @see rule 39 in test/rules */
export const callFunction: Rpc<CallFunctionRequest, CallFunctionResponse> = {
  name: "CallFunction",
  logFields: ({ name }) => ({ tf_function: name }),
  run: async (instance, request, call) => {
    const called = instance.function(request.name);
    const countError = argumentCountError(called, request.arguments.length);
    if (countError !== undefined) return { error: countError };
    const errors: FunctionError[] = [];
    const args: Record<string, unknown> = {};
    const rest: unknown[] = [];
    for (const [index, value] of request.arguments.entries()) {
      const parameter = called.parameters[index] ?? called.variadic!;
      if (!parameter.allowUnknown && !isWhollyKnown(value)) return { result: valueOf(called.returns.type, UNKNOWN) };
      const seen = await argumentOf(parameter, value, index, errors, call);
      if (index < called.parameters.length) put(args, parameter.name, seen);
      else rest.push(seen);
    }
    if (errors.length > 0) return { error: mergedError(errors) };
    if (!called.needsClient) return runFunction(() => called.call(args, rest), called, call);
    const access = clientFor(instance, call, `call ${called.name}`);
    if (access.kind !== "ready") return { error: { text: textOf(call.diagnostics) } };
    const { signal, log } = call;
    return runFunction(() => called.call(args, rest, { client: access.client, signal, log }), called, call);
  },
  failed: (_request, diagnostics) => ({ error: { text: textOf(diagnostics) } }),
};

function textOf(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(({ summary, detail }) => [summary, detail].filter(Boolean).join(": ")).join("\n");
}

function argumentCountError({ name, parameters, variadic }: CompiledFunction, count: number): FunctionError | undefined {
  const expected = `${name} takes ${parameters.length}${variadic === undefined ? "" : " or more"} arguments`;
  if (count < parameters.length)
    return { text: `${expected}, and got ${count}: ${parameters[count]!.name} is missing`, functionArgument: count };
  return count > parameters.length && variadic === undefined
    ? { text: `${expected}, and got ${count}`, functionArgument: parameters.length }
    : undefined;
}

/** Converts an argument into the JavaScript value that the function receives; adds its faults to `errors`. */
async function argumentOf(
  parameter: CompiledParameter,
  value: Value,
  index: number,
  errors: FunctionError[],
  { log }: ServerCall,
): Promise<unknown> {
  const { value: seen, problems } = decodePlain(parameter.shape, value, { unknown: parameter.allowUnknown, null: parameter.allowNull });
  for (const problem of problems) errors.push({ text: `${parameter.name}: ${problemText(problem)}`, functionArgument: index });
  if (problems.length > 0 || value.payload === null || !isWhollyKnown(value)) return seen;
  for (const validator of parameter.validators) {
    const findings = findingsOf(validator, seen);
    const { errors: wrong, warnings } = findings instanceof Promise ? await findings : findings;
    for (const one of wrong) errors.push({ text: `${parameter.name} ${one}`, functionArgument: index });
    // The response of a function call has no field for warnings.
    for (const { warning } of warnings) log.warn(`${parameter.name} ${warning}`);
  }
  return seen;
}

/** Merges errors into one, at the argument of the first error. */
function mergedError(errors: readonly FunctionError[]): FunctionError {
  const at = errors[0]?.functionArgument;
  return { text: errors.map(({ text }) => text).join("\n"), ...(at === undefined ? {} : { functionArgument: at }) };
}

async function runFunction(run: () => unknown, called: CompiledFunction, call: ServerCall): Promise<CallFunctionResponse> {
  try {
    const { value, problems } = encode(called.returns, await runInCall(call.current, run), "result");
    if (problems.length === 0) return { result: value };
    return {
      error: { text: `${called.name} returned an invalid result: ${problems.map(problemText).join("; ")}. This is a bug in the provider.` },
    };
  } catch (error) {
    const isArgumentError = error instanceof ArgumentError;
    if (!isArgumentError) logError(call.log, `function ${called.name} failed`, error);
    const at = isArgumentError ? positionOf(called, error) : undefined;
    return { error: { text: messageOf(error), ...(at === undefined ? {} : { functionArgument: at }) } };
  }
}

function positionOf({ parameters }: CompiledFunction, { argument }: ArgumentError): number | undefined {
  if (typeof argument === "number") return parameters.length + argument;
  const at = parameters.findIndex(({ name }) => name === argument);
  return at < 0 ? undefined : at;
}
