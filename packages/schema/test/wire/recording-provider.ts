// SPDX-License-Identifier: Apache-2.0
import type { CallOptions, Provider } from "../../src/index.ts";

/** A call that a {@link recordingProvider} was asked to answer. */
export interface RecordedCall {
  readonly name: string;
  readonly request: unknown;
  readonly options: CallOptions | undefined;
}

/** What a provider answers: by method name; a function is asked, an array is a stream's events, and an error is thrown. */
export type Answers = { readonly [Name in keyof Provider]?: unknown };

const streams: ReadonlySet<string> = new Set(["listResource", "invokeAction", "readStateBytes"]);

/** A provider in memory that keeps what it is asked and answers what it is told to. */
export function recordingProvider(answers: Answers): { readonly provider: Provider; readonly calls: RecordedCall[] } {
  const calls: RecordedCall[] = [];
  const answer = async (name: string, request: unknown, options: CallOptions | undefined): Promise<unknown> => {
    calls.push({ name, request, options });
    const given = (answers as Readonly<Record<string, unknown>>)[name];
    const answered: unknown =
      typeof given === "function" ? await (given as (request: unknown, options: unknown) => unknown)(request, options) : given;
    if (answered instanceof Error) throw answered;
    if (answered === undefined) throw new TypeError(`nothing to answer ${name} with`);
    return answered;
  };
  const stream = async function* (name: string, request: unknown, options: CallOptions | undefined): AsyncIterable<unknown> {
    yield* (await answer(name, request, options)) as AsyncIterable<unknown>;
  };
  const provider = new Proxy({} as Provider, {
    get(_target, name) {
      // It is no promise, so that it can be the result of one.
      if (typeof name === "symbol" || name === "then") return undefined;
      return (request: unknown, options?: CallOptions) => (streams.has(name) ? stream : answer)(name, request, options);
    },
  });
  return { provider, calls };
}
