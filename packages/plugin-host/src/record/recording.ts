// SPDX-License-Identifier: Apache-2.0
import {
  mapCalls,
  type AnyStreamingCall,
  type AnyUnaryCall,
  type CallName,
  type CallOptions,
  type GetProviderSchemaResponse,
  type Provider,
} from "@tenon/schema";
import { secretsOfCall, type SecretsOf } from "../secrets/message-secrets.ts";
import type { Frame, SecretHandling } from "./frame.ts";
import { MessageEncoder, messageKind, type MessageKind } from "./message-encoder.ts";
import { FrameWriter } from "./frame-file.ts";
import { needsSchema } from "./schema-need.ts";
import { recordingFile } from "./recording-file.ts";
import { Secrets, type UnmarkedSecrets } from "./secrets.ts";

/** Settings of a recording. */
export interface RecordingOptions extends UnmarkedSecrets {
  /**
   * Whether secrets are masked. `mask`: attributes that the schema marks as sensitive or write-only, ephemeral results, and states in a
   * state store are replaced by numbers, equal secrets by equal numbers. `keep`: secrets are written in plain text. Default: `mask`.
   */
  readonly secrets?: SecretHandling;
  /** Whether to overwrite an existing file. Default: false. */
  readonly overwrite?: boolean;
}

/**
 * Records every call of a provider in a file: requests, responses, streams and errors. Each is written immediately, so that the file is
 * complete even if this process is killed. Closing the returned provider closes the given one.
 *
 * If a request cannot be recorded, the call is not made. If a response cannot be recorded, it is still returned, but later calls reject.
 *
 * @throws PluginHostError `RECORDING_FAILED` if the file cannot be written, or exists already; calls reject with it, too
 *
 * @example
 * await using time = await openProvider(async (options) => recording(await launch(options), "time.recording"));
 */
export function recording(provider: Provider, file: string, options: RecordingOptions = {}): Provider {
  const recorder = new Recorder(provider, file, options);
  const close = (): Promise<void> => recorder.close();
  return { ...mapCalls(provider, recorder), close, [Symbol.asyncDispose]: close };
}

class Recorder {
  readonly #provider: Provider;
  readonly #file: FrameWriter<Frame>;
  readonly #encoder: MessageEncoder;
  readonly #masking: boolean;
  readonly #startedAt: number = performance.now();
  #schema: GetProviderSchemaResponse | undefined;
  #calls = 0;
  #closing: Promise<void> | undefined;

  constructor(provider: Provider, path: string, { secrets = "mask", overwrite = false, ...unmarked }: RecordingOptions) {
    this.#provider = provider;
    this.#masking = secrets === "mask";
    const file = new FrameWriter<Frame>(recordingFile, path, overwrite);
    this.#file = file;
    this.#encoder = new MessageEncoder(this.#masking ? new Secrets(unmarked) : undefined, (id, json) => file.write(["type", id, json]));
    file.write(["header", recordingFile.version, secrets]);
  }

  unary(call: AnyUnaryCall, method: CallName): AnyUnaryCall {
    return async (request, options) => {
      await this.#ensureSchema(method, options);
      const { id, recorded, secrets } = this.#begin(method, request);
      let response: object;
      try {
        response = await call(recorded, options);
      } catch (error) {
        this.#record(() => this.#file.write(["error", id, this.#encoder.encodeError(error)]));
        throw error;
      }
      if (method === "getProviderSchema") this.#schema ??= response as GetProviderSchemaResponse;
      this.#record(() =>
        this.#file.write(["answer", id, this.#encoder.encode(response, secrets, messageKind(method, "response", request))]),
      );
      return response;
    };
  }

  streaming(call: AnyStreamingCall, method: CallName): AnyStreamingCall {
    return (request, options) => this.#stream(call, method, request, options);
  }

  async *#stream(
    call: AnyStreamingCall,
    method: CallName,
    request: object,
    options: CallOptions | undefined,
  ): AsyncGenerator<object, void> {
    await this.#ensureSchema(method, options);
    const { id, secrets } = this.#begin(method, request);
    let hasEnded = false;
    try {
      for await (const item of call(request, options)) {
        this.#record(() => this.#file.write(["item", id, this.#encoder.encode(item, secrets, messageKind(method, "response", request))]));
        yield item;
      }
      hasEnded = true;
      this.#file.write(["end", id]);
    } catch (error) {
      hasEnded = true;
      this.#record(() => this.#file.write(["error", id, this.#encoder.encodeError(error)]));
      throw error;
    } finally {
      if (!hasEnded) this.#file.write(["break", id]);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#provider.close();
    } finally {
      // Lets the interrupted calls record their errors first.
      await new Promise((resolve) => setImmediate(resolve));
      this.#file.write(["close"]);
      this.#file.close();
    }
  }

  /** Reads the schema before a call with values is recorded. Without a schema, all values are masked. */
  async #ensureSchema(method: CallName, options: CallOptions | undefined): Promise<void> {
    if (!this.#masking || this.#schema !== undefined || !needsSchema(method)) return;
    try {
      this.#schema = await this.#provider.getProviderSchema({}, options);
    } catch {
      // The call itself reports the reason.
    }
  }

  /** Records the start of a call. @throws PluginHostError `RECORDING_FAILED` */
  #begin(method: CallName, request: object): { readonly id: number; readonly recorded: object; readonly secrets: SecretsOf } {
    this.#file.assertIntact();
    const id = this.#calls++;
    const secrets = this.#masking ? secretsOfCall(method, request, this.#schema) : (): object => ({});
    const kind = messageKind(method, "request", request);
    this.#record(() =>
      this.#file.write(["call", id, method, this.#encoder.encode(request, secrets, kind), Math.round(performance.now() - this.#startedAt)]),
    );
    this.#file.assertIntact();
    const isUpload =
      "chunks" in request && typeof request.chunks === "object" && request.chunks !== null && Symbol.asyncIterator in request.chunks;
    return {
      id,
      secrets,
      recorded: isUpload ? { ...request, chunks: this.#chunks(id, request.chunks as AsyncIterable<object>, secrets, kind) } : request,
    };
  }

  async *#chunks(id: number, chunks: AsyncIterable<object>, secrets: SecretsOf, kind: MessageKind): AsyncGenerator<object, void> {
    for await (const chunk of chunks) {
      this.#record(() => this.#file.write(["chunk", id, this.#encoder.encode(chunk, secrets, kind)]));
      yield chunk;
    }
    this.#file.write(["chunksEnd", id]);
  }

  /** Writes frames. An error makes later calls fail, not the current one. */
  #record(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#file.fail(error);
    }
  }
}
