// SPDX-License-Identifier: Apache-2.0
import type { CallOptions, GetProviderSchemaResponse, Provider, StreamingCall, UnaryCall } from "@tenon/schema";
import { streamingNames, unaryNames, type StreamingName } from "../provider/call-names.ts";
import { secretsOfCall, type MethodName, type SecretsOf } from "../secrets/message-secrets.ts";
import type { Frame, SecretHandling } from "./frame.ts";
import { MessageEncoder } from "./message-encoder.ts";
import { FrameWriter } from "./frame-file.ts";
import { recordingFile } from "./recording-file.ts";

/** How a provider's calls are recorded. */
export interface RecordingOptions {
  /**
   * What becomes of secrets. `mask`: what the schema calls sensitive or write-only, ephemeral results, and states that a state store
   * keeps are not written; equal ones can be told to be equal. `keep`: they are written in the clear. Default: `mask`.
   */
  readonly secrets?: SecretHandling;
  /** Whether a file that is there is overwritten. Default: false. */
  readonly overwrite?: boolean;
}

/**
 * A provider whose every call is written to a file: requests, answers, streams and errors, as they happen, so that the file is whole
 * up to the moment at which this process ends, however that comes. Closing it closes the provider too.
 *
 * A call that cannot be recorded is not made; an answer that cannot be recorded is still given, and then no further calls are made.
 *
 * @throws PluginHostError `RECORDING_FAILED` where the file cannot be written, or is there already. Calls reject with it too.
 *
 * @example
 * await using time = await openProvider(async (options) => recording(await launch(options), "time.recording"));
 */
export function recording(provider: Provider, file: string, options: RecordingOptions = {}): Provider {
  const recorder = new Recorder(provider, file, options);
  const calls: Record<string, unknown> = { stop: recorder.unary("stop", provider.stop) };
  for (const name of unaryNames) calls[name] = recorder.unary(name, provider[name]);
  for (const name of streamingNames) calls[name] = recorder.streaming(name, provider[name] as StreamingCall<never, unknown>);
  const close = (): Promise<void> => recorder.close();
  // The names are all there are, and each call has the type of the one it wraps.
  return { ...(calls as unknown as Provider), close, [Symbol.asyncDispose]: close };
}

class Recorder {
  readonly #provider: Provider;
  readonly #file: FrameWriter<Frame>;
  readonly #encoder: MessageEncoder;
  readonly #masking: boolean;
  readonly #begun: number = performance.now();
  #schema: GetProviderSchemaResponse | undefined;
  #calls = 0;
  #closing: Promise<void> | undefined;

  constructor(provider: Provider, path: string, { secrets = "mask", overwrite = false }: RecordingOptions) {
    this.#provider = provider;
    this.#masking = secrets === "mask";
    const file = new FrameWriter<Frame>(recordingFile, path, overwrite);
    this.#file = file;
    this.#encoder = new MessageEncoder(this.#masking, (id, json) => file.write(["type", id, json]));
    file.write(["header", recordingFile.version, secrets]);
  }

  unary(method: MethodName, call: UnaryCall<never, unknown>): UnaryCall<object, unknown> {
    return async (request, options) => {
      await this.#learnSchema(method, options);
      const { id, recorded, secrets } = this.#begin(method, request);
      let response: unknown;
      try {
        response = await call(recorded as never, options);
      } catch (error) {
        this.#note(() => this.#file.write(["error", id, this.#encoder.encodeError(error)]));
        throw error;
      }
      if (method === "getProviderSchema") this.#schema ??= response as GetProviderSchemaResponse;
      this.#note(() => this.#file.write(["answer", id, this.#encoder.encode(response as object, secrets)]));
      return response;
    };
  }

  streaming(method: StreamingName, call: StreamingCall<never, unknown>): StreamingCall<object, unknown> {
    return (request, options) => this.#stream(method, call, request, options);
  }

  async *#stream(
    method: StreamingName,
    call: StreamingCall<never, unknown>,
    request: object,
    options: CallOptions | undefined,
  ): AsyncGenerator<unknown, void> {
    await this.#learnSchema(method, options);
    const { id, secrets } = this.#begin(method, request);
    let ended = false;
    try {
      for await (const item of call(request as never, options)) {
        this.#note(() => this.#file.write(["item", id, this.#encoder.encode(item as object, secrets)]));
        yield item;
      }
      ended = true;
      this.#file.write(["end", id]);
    } catch (error) {
      ended = true;
      this.#note(() => this.#file.write(["error", id, this.#encoder.encodeError(error)]));
      throw error;
    } finally {
      if (!ended) this.#file.write(["break", id]);
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
      // Calls that the end cut off say so first.
      await new Promise((resolve) => setImmediate(resolve));
      this.#file.write(["close"]);
      this.#file.close();
    }
  }

  /** What is secret must be known before anything is written. A provider that cannot say it has everything masked. */
  async #learnSchema(method: MethodName, options: CallOptions | undefined): Promise<void> {
    if (!this.#masking || this.#schema !== undefined || !needsSchema(method)) return;
    try {
      this.#schema = await this.#provider.getProviderSchema({}, options);
    } catch {
      // The call itself will meet with the reason.
    }
  }

  /** @throws PluginHostError `RECORDING_FAILED` */
  #begin(method: MethodName, request: object): { readonly id: number; readonly recorded: object; readonly secrets: SecretsOf } {
    this.#file.assertIntact();
    const id = this.#calls++;
    const secrets = this.#masking ? secretsOfCall(method, request, this.#schema) : (): object => ({});
    this.#note(() =>
      this.#file.write(["call", id, method, this.#encoder.encode(request, secrets), Math.round(performance.now() - this.#begun)]),
    );
    this.#file.assertIntact();
    const isUpload =
      "chunks" in request && typeof request.chunks === "object" && request.chunks !== null && Symbol.asyncIterator in request.chunks;
    return {
      id,
      secrets,
      recorded: isUpload ? { ...request, chunks: this.#chunks(id, request.chunks as AsyncIterable<object>, secrets) } : request,
    };
  }

  async *#chunks(id: number, chunks: AsyncIterable<object>, secrets: SecretsOf): AsyncGenerator<object, void> {
    for await (const chunk of chunks) {
      this.#note(() => this.#file.write(["chunk", id, this.#encoder.encode(chunk, secrets)]));
      yield chunk;
    }
    this.#file.write(["chunksEnd", id]);
  }

  /** Recording never changes how a call ends. */
  #note(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#file.fail(error);
    }
  }
}

/** Calls whose messages hold nothing that a schema says anything of. */
function needsSchema(method: MethodName): boolean {
  return !["getMetadata", "getProviderSchema", "getResourceIdentitySchemas", "getFunctions", "callFunction", "stop"].includes(method);
}
