// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import { UNKNOWN, valueOf } from "@tenon/cty/unstable/payload";
import type { CallFunctionRequest, CallFunctionResponse, Diagnostic, FunctionError } from "@tenon/schema";
import { decodePlain } from "../conversion/decode.ts";
import { encode } from "../conversion/encode.ts";
import { problemText } from "../conversion/problem.ts";
import { put } from "../conversion/record.ts";
import { ArgumentError } from "../definition/function.ts";
import { runInCall } from "../observability/current-call.ts";
import type { CompiledFunction, CompiledParameter } from "../schema/function.ts";
import { findingsOf } from "../validation/value-validation.ts";
import { clientFor } from "./client-access.ts";
import type { Rpc } from "./rpc.ts";
import { messageOf, stackOf } from "./error-text.ts";
import type { ServerCall } from "./server-call.ts";

/** Calls a provider function. It needs no configured provider, unless it sees the client. @see framework rule 39 */
export const callFunction: Rpc<CallFunctionRequest, CallFunctionResponse> = {
  name: "CallFunction",
  about: ({ name }) => ({ tf_function: name }),
  run: async (instance, request, call) => {
    const called = instance.function(request.name);
    const wrong = countFault(called, request.arguments.length);
    if (wrong !== undefined) return { error: wrong };
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
    if (errors.length > 0) return { error: joined(errors) };
    if (!called.needsClient) return answer(() => called.call(args, rest), called, call);
    const access = clientFor(instance, call, `call ${called.name}`);
    if (access.kind !== "ready") return { error: { text: textOf(call.diagnostics) } };
    const { signal, log } = call;
    return answer(() => called.call(args, rest, { client: access.client, signal, log }), called, call);
  },
  failed: (_request, diagnostics) => ({ error: { text: textOf(diagnostics) } }),
};

function textOf(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(({ summary, detail }) => [summary, detail].filter(Boolean).join(": ")).join("\n");
}

function countFault({ name, parameters, variadic }: CompiledFunction, count: number): FunctionError | undefined {
  const wanted = `${name} takes ${parameters.length}${variadic === undefined ? "" : " or more"} arguments`;
  if (count < parameters.length)
    return { text: `${wanted}, and got ${count}: ${parameters[count]!.name} is missing`, functionArgument: count };
  return count > parameters.length && variadic === undefined
    ? { text: `${wanted}, and got ${count}`, functionArgument: parameters.length }
    : undefined;
}

/** What the function sees of an argument; what is wrong with it goes to `errors`. */
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
    // The answer of a function has no place for a warning.
    for (const { warning } of warnings) log.warn(`${parameter.name} ${warning}`);
  }
  return seen;
}

/** All of them in one, at the first argument that any is about. */
function joined(errors: readonly FunctionError[]): FunctionError {
  const at = errors[0]?.functionArgument;
  return { text: errors.map(({ text }) => text).join("\n"), ...(at === undefined ? {} : { functionArgument: at }) };
}

async function answer(run: () => unknown, called: CompiledFunction, call: ServerCall): Promise<CallFunctionResponse> {
  try {
    const { value, problems } = encode(called.returns, await runInCall(call.current, run), "answer");
    if (problems.length === 0) return { result: value };
    return {
      error: { text: `${called.name} answered something wrong: ${problems.map(problemText).join("; ")}. This is a bug in the provider.` },
    };
  } catch (error) {
    call.log.debug(`function ${called.name} failed`, { error: stackOf(error) });
    const at = error instanceof ArgumentError ? positionOf(called, error) : undefined;
    return { error: { text: messageOf(error), ...(at === undefined ? {} : { functionArgument: at }) } };
  }
}

function positionOf({ parameters }: CompiledFunction, { argument }: ArgumentError): number | undefined {
  if (typeof argument === "number") return parameters.length + argument;
  const at = parameters.findIndex(({ name }) => name === argument);
  return at < 0 ? undefined : at;
}
