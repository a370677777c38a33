// SPDX-License-Identifier: Apache-2.0
import { type AnyUnaryCall, mapCalls, type Provider, type RawState } from "@tenon/schema";

/**
 * Makes requests of different bridges comparable: removes the capabilities of the client and the version of Terraform, which depend on the bridge
 * and not on the program, and sorts the attributes of JSON states.
 */
export function comparableRequests(provider: Provider): Provider {
  const calls = mapCalls(provider, {
    unary:
      (call): AnyUnaryCall =>
      (request, options) =>
        call(comparable(request), options),
    streaming: (call) => call,
  });
  return { ...provider, ...calls };
}

function comparable(request: object): object {
  const { clientCapabilities: _, ...rest } = request as { readonly clientCapabilities?: object };
  const result: Record<string, unknown> = { ...rest };
  if ("terraformVersion" in result) result["terraformVersion"] = "";
  if ("rawState" in result) result["rawState"] = comparableState(result["rawState"] as RawState);
  return result;
}

function comparableState(state: RawState): RawState {
  if (state.json === undefined) return state;
  try {
    const text = JSON.stringify(sorted(JSON.parse(new TextDecoder().decode(state.json)) as unknown));
    return { json: new TextEncoder().encode(text) };
  } catch {
    // A masked state is not JSON.
    return state;
  }
}

function sorted(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(sorted);
  if (typeof json !== "object" || json === null) return json;
  const names = Object.keys(json).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted((json as Readonly<Record<string, unknown>>)[name])]));
}
