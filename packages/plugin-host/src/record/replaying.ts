// SPDX-License-Identifier: Apache-2.0
import {
  createCalls,
  ProviderError,
  type AnyStreamingCall,
  type AnyUnaryCall,
  type CallName,
  type CallOptions,
  type Provider,
} from "@tenon/schema";
import { PluginHostError } from "../error.ts";
import { MessageDecoder } from "./message-decoder.ts";
import { readSession, type RecordedCall } from "./recorded-session.ts";
import type { RequestDifference } from "../request-difference.ts";
import { RequestMatch } from "./request-match.ts";

/** Settings of a replay. */
export interface ReplayingOptions {
  /** Whether to replay a truncated recording up to its end. Default: false. */
  readonly allowTruncated?: boolean;
}

/** Calls whose response never changes: each recorded call is replayed any number of times. */
const repeatable: ReadonlySet<string> = new Set(["getMetadata", "getProviderSchema", "getResourceIdentitySchemas", "getFunctions", "stop"]);

/**
 * Creates a provider whose responses come from a recording, without a process.
 *
 * Each call gets the response of the first recorded call with the same method and request that has not been replayed yet. So the order of
 * calls may differ, and several calls may be in flight. Recorded delays are not replayed.
 * Masked secrets that occur in requests have the values of the current requests; others are placeholders of the same type.
 *
 * @throws PluginHostError `RECORDING_MALFORMED`, `RECORDING_TRUNCATED`. Calls that were not recorded reject with `REPLAY_MISMATCH`, whose
 *   `difference` is the first difference from the next recorded call of the method.
 *
 * @example
 * await using time = await openProvider(replaying("time.recording"));
 */
export function replaying(file: string, options: ReplayingOptions = {}): Provider {
  const replay = new Replay(file, options);
  const close = async (): Promise<void> => replay.close();
  return { ...createCalls(replay), close, [Symbol.asyncDispose]: close };
}

class Replay {
  readonly #file: string;
  readonly #decoder: MessageDecoder;
  /** The recorded calls by method, in their order. */
  readonly #remaining: ReadonlyMap<string, RecordedCall[]>;
  readonly #counts = new Map<string, number>();
  #bindings: ReadonlyMap<number, unknown> = new Map();
  #closed = false;

  constructor(file: string, options: ReplayingOptions) {
    const { calls, types } = readSession(file, options);
    this.#file = file;
    this.#decoder = new MessageDecoder(file, types);
    this.#remaining = Map.groupBy(calls, ({ method }) => method);
    for (const [method, recorded] of this.#remaining) this.#counts.set(method, recorded.length);
  }

  unary(method: CallName): AnyUnaryCall {
    return async (request, options) => {
      const call = this.#take(method, request, options);
      if ("chunks" in request) await this.#compareChunks(call, request.chunks as AsyncIterable<object>);
      if (call.end.kind !== "answer") throw this.#failure(call);
      return this.#decoder.decode(call.end.response, this.#bindings) as object;
    };
  }

  streaming(method: CallName): AnyStreamingCall {
    return (request, options) => this.#stream(method, request, options);
  }

  async *#stream(method: CallName, request: object, options: CallOptions | undefined): AsyncGenerator<object, void> {
    const call = this.#take(method, request, options);
    for (const item of call.items) yield this.#decoder.decode(item, this.#bindings) as object;
    if (call.end.kind === "broken")
      throw this.#mismatch(method, `the recorded stream was cancelled by its consumer; number of its elements: ${call.items.length}`);
    if (call.end.kind !== "end") throw this.#failure(call);
  }

  close(): void {
    this.#closed = true;
  }

  #take(method: CallName, request: object, options: CallOptions | undefined): RecordedCall {
    if (this.#closed) throw new ProviderError("CLOSED", `the replay of ${this.#file} was closed`, { requestSent: false });
    const signal = options?.signal;
    if (signal?.aborted)
      throw new ProviderError("CANCELLED", `${method} was cancelled by its caller`, { cause: signal.reason, requestSent: false });
    const remaining = this.#remaining.get(method) ?? [];
    let first: RequestDifference | undefined;
    for (const [position, call] of remaining.entries()) {
      const match = new RequestMatch(this.#decoder, this.#bindings);
      const difference = match.differ(call.request, request);
      if (difference === undefined) {
        this.#bindings = match.bindings;
        if (!repeatable.has(method) || remaining.length > 1) remaining.splice(position, 1);
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
      throw this.#mismatch(call.method, `the recorded request has ${call.chunks.length} chunks, this one has ${position}`);
  }

  #unexpected(method: string, difference: RequestDifference | undefined): PluginHostError {
    const count = this.#counts.get(method) ?? 0;
    if (difference === undefined)
      return this.#mismatch(
        method,
        count === 0 ? "no such call was recorded" : `${count} such calls were recorded, and all of them have been made`,
      );
    const { field, recorded, requested } = difference;
    const what = `at ${field || "the request"} the recorded value is ${recorded ?? "absent"}, the requested one ${requested ?? "absent"}`;
    return this.#mismatch(method, what, difference);
  }

  #mismatch(method: string, what: string, difference?: RequestDifference): PluginHostError {
    return new PluginHostError("REPLAY_MISMATCH", `${method} differs from the recording ${this.#file}: ${what}`, { difference });
  }

  #failure({ method, end }: RecordedCall): Error {
    if (end.kind === "error") return this.#decoder.decodeError(end.error);
    return new ProviderError("UNAVAILABLE", `the recording ${this.#file} ends before the response to this ${method}`);
  }
}
