// SPDX-License-Identifier: Apache-2.0
import { ProviderError, type CallOptions, type Provider, type StreamingCall, type UnaryCall } from "@tenon/schema";
import { PluginHostError } from "../error.ts";
import { streamingNames, unaryNames } from "../provider/call-names.ts";
import type { MethodName } from "../secrets/message-secrets.ts";
import { MessageDecoder } from "./message-decoder.ts";
import { readSession, type RecordedCall } from "./recorded-session.ts";
import type { RequestDifference } from "./request-difference.ts";
import { RequestMatch } from "./request-match.ts";

/** How a recording is replayed. */
export interface ReplayingOptions {
  /** Whether a recording that breaks off is replayed as far as it goes. Default: false. */
  readonly allowTruncated?: boolean;
}

/** Calls that always answer the same: asking more often than was recorded makes no difference. */
const repeatable: ReadonlySet<string> = new Set(["getMetadata", "getProviderSchema", "getResourceIdentitySchemas", "getFunctions", "stop"]);

/**
 * A provider that answers as another did while it was recorded, with no process behind it.
 *
 * Each call takes the answer of the first recorded call of the same method and request that no other has taken; so calls may come in
 * another order than they were recorded in, and be under way at a time. Answers come at once.
 *
 * Secrets that the recording does not hold are those of the requests, where they were in requests; others are placeholders of the
 * same type.
 *
 * @throws PluginHostError `RECORDING_MALFORMED`, `RECORDING_TRUNCATED`. Calls that were not recorded reject with `REPLAY_MISMATCH`,
 *   whose `difference` says where they depart from the next one that was.
 *
 * @example
 * await using time = await openProvider(replaying("time.recording"));
 */
export function replaying(file: string, options: ReplayingOptions = {}): Provider {
  const replay = new Replay(file, options);
  const calls: Record<string, unknown> = { stop: replay.unary("stop") };
  for (const name of unaryNames) calls[name] = replay.unary(name);
  for (const name of streamingNames) calls[name] = replay.streaming(name);
  const close = async (): Promise<void> => replay.close();
  // The names are all there are; what was recorded of a call has the types of that call.
  return { ...(calls as unknown as Provider), close, [Symbol.asyncDispose]: close };
}

class Replay {
  readonly #file: string;
  readonly #decoder: MessageDecoder;
  /** By method, in the order they were recorded. */
  readonly #waiting: ReadonlyMap<string, RecordedCall[]>;
  readonly #counts = new Map<string, number>();
  #bindings: ReadonlyMap<number, unknown> = new Map();
  #closed = false;

  constructor(file: string, options: ReplayingOptions) {
    const { calls, types } = readSession(file, options);
    this.#file = file;
    this.#decoder = new MessageDecoder(file, types);
    this.#waiting = Map.groupBy(calls, ({ method }) => method);
    for (const [method, recorded] of this.#waiting) this.#counts.set(method, recorded.length);
  }

  unary(method: MethodName): UnaryCall<object, unknown> {
    return async (request, options) => {
      const call = this.#take(method, request, options);
      if ("chunks" in request) await this.#compareChunks(call, request.chunks as AsyncIterable<object>);
      if (call.end.kind !== "answer") throw this.#failure(call);
      return this.#decoder.decode(call.end.response, this.#bindings);
    };
  }

  streaming(method: MethodName): StreamingCall<object, unknown> {
    return (request, options) => this.#stream(method, request, options);
  }

  async *#stream(method: MethodName, request: object, options: CallOptions | undefined): AsyncGenerator<unknown, void> {
    const call = this.#take(method, request, options);
    for (const item of call.items) yield this.#decoder.decode(item, this.#bindings);
    if (call.end.kind === "broken")
      throw this.#mismatch(method, `its consumer wanted no more than ${call.items.length} elements when it was recorded`);
    if (call.end.kind !== "end") throw this.#failure(call);
  }

  close(): void {
    this.#closed = true;
  }

  #take(method: MethodName, request: object, options: CallOptions | undefined): RecordedCall {
    if (this.#closed) throw new ProviderError("CLOSED", `the replay of ${this.#file} was closed`);
    const signal = options?.signal;
    if (signal?.aborted) throw new ProviderError("CANCELLED", `${method} was cancelled by its caller`, { cause: signal.reason });
    const waiting = this.#waiting.get(method) ?? [];
    let first: RequestDifference | undefined;
    for (const [position, call] of waiting.entries()) {
      const match = new RequestMatch(this.#decoder, this.#bindings);
      const difference = match.differ(call.request, request);
      if (difference === undefined) {
        this.#bindings = match.bindings;
        if (!repeatable.has(method) || waiting.length > 1) waiting.splice(position, 1);
        return call;
      }
      first ??= { method, ...difference };
    }
    throw this.#unexpected(method, first);
  }

  async #compareChunks(call: RecordedCall, chunks: AsyncIterable<object>): Promise<void> {
    let position = 0;
    for await (const chunk of chunks) {
      const match = new RequestMatch(this.#decoder, this.#bindings);
      const difference = match.differ(call.chunks[position], chunk, `chunks[${position}]`);
      if (difference) throw this.#unexpected(call.method, { method: call.method, ...difference });
      this.#bindings = match.bindings;
      position++;
    }
    if (position < call.chunks.length && call.end.kind === "answer")
      throw this.#mismatch(call.method, `its request had ${call.chunks.length} chunks when it was recorded, and has ${position}`);
  }

  #unexpected(method: string, difference: RequestDifference | undefined): PluginHostError {
    const count = this.#counts.get(method) ?? 0;
    if (difference === undefined)
      return this.#mismatch(
        method,
        count === 0 ? "no such call was recorded" : `${count} such calls were recorded, and all of them have been made`,
      );
    const { field, recorded, asked } = difference;
    const what = `at ${field || "the request"} it was recorded with ${recorded ?? "nothing"}, and is asked with ${asked ?? "nothing"}`;
    return this.#mismatch(method, what, difference);
  }

  #mismatch(method: string, what: string, difference?: RequestDifference): PluginHostError {
    return new PluginHostError("REPLAY_MISMATCH", `${method} departs from the recording ${this.#file}: ${what}`, { difference });
  }

  #failure({ method, end }: RecordedCall): Error {
    if (end.kind === "error") return this.#decoder.decodeError(end.error);
    return new ProviderError("UNAVAILABLE", `the recording ${this.#file} ends before this ${method} was answered`);
  }
}
