// SPDX-License-Identifier: Apache-2.0
import type { CallOptions, Provider } from "../../src/index.ts";

/** A call that a {@link recordingProvider} received. */
export interface RecordedCall {
  readonly name: string;
  readonly request: unknown;
  readonly options: CallOptions | undefined;
}

/** Responses by method name. A function is called, an array holds the events of a stream, and an error is thrown. */
export type CannedResponses = { readonly [Name in keyof Provider]?: unknown };

const streams: ReadonlySet<string> = new Set(["listResource", "invokeAction", "readStateBytes"]);

/** Creates a provider in memory that records its calls and returns the given responses. */
export function recordingProvider(responses: CannedResponses): { readonly provider: Provider; readonly calls: RecordedCall[] } {
  const calls: RecordedCall[] = [];
  const respond = async (name: string, request: unknown, options: CallOptions | undefined): Promise<unknown> => {
    calls.push({ name, request, options });
    const given = (responses as Readonly<Record<string, unknown>>)[name];
    const response: unknown =
      typeof given === "function" ? await (given as (request: unknown, options: unknown) => unknown)(request, options) : given;
    if (response instanceof Error) throw response;
    if (response === undefined) throw new TypeError(`no response for ${name} was given`);
    return response;
  };
  const stream = async function* (name: string, request: unknown, options: CallOptions | undefined): AsyncIterable<unknown> {
    yield* (await respond(name, request, options)) as AsyncIterable<unknown>;
  };
  const provider = new Proxy({} as Provider, {
    get(_target, name) {
      // Without a `then`, so that the provider can be the result of a promise.
      if (typeof name === "symbol" || name === "then") return undefined;
      return (request: unknown, options?: CallOptions) => (streams.has(name) ? stream : respond)(name, request, options);
    },
  });
  return { provider, calls };
}
