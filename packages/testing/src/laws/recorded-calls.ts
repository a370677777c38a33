// SPDX-License-Identifier: Apache-2.0
import {
  createCalls,
  ProviderError,
  type Diagnostic,
  type Provider,
  type StreamingCall,
  type UnaryCall,
  type UnaryCallName,
} from "@tenon/schema";

/** A call that was answered. */
export interface RecordedCall {
  readonly name: UnaryCallName;
  readonly request: object;
  readonly response: object;
}

/**
 * Records the unary calls of a provider, for laws about what the lifecycle does not return. `provider` stays the same when another instance takes the
 * place of one that crashed.
 */
export class RecordedCalls implements AsyncDisposable {
  readonly provider: Provider;
  readonly #open: () => Promise<Provider>;
  #instance: Provider;
  #calls: RecordedCall[] = [];
  readonly #avoided = new Set<UnaryCallName>();

  /** @param open - opens another instance with the same configuration */
  constructor(instance: Provider, open: () => Promise<Provider>) {
    this.#instance = instance;
    this.#open = open;
    const calls = createCalls({
      unary: (name) => async (request, options) => {
        if (this.#avoided.has(name)) throw new ProviderError("UNIMPLEMENTED", `${name} is not called, because the provider crashed`);
        const call = this.#instance[name] as unknown as UnaryCall<object, object>;
        const response = await call(request, options);
        this.#calls.push({ name, request, response });
        return response;
      },
      streaming: (name) => (request, options) => (this.#instance[name] as unknown as StreamingCall<object, object>)(request, options),
    });
    const close = (): Promise<void> => this.#instance.close();
    this.provider = { ...calls, close, [Symbol.asyncDispose]: close };
  }

  /** Opens an instance of a provider and records its calls. */
  static async open(open: () => Promise<Provider>): Promise<RecordedCalls> {
    return new RecordedCalls(await open(), open);
  }

  /** Returns the calls since the last time. */
  take(): readonly RecordedCall[] {
    const taken = this.#calls;
    this.#calls = [];
    return taken;
  }

  /** Treats an optional call as one that the provider does not implement, and continues with another instance. */
  async avoid(name: UnaryCallName): Promise<void> {
    this.#avoided.add(name);
    await this.restart();
  }

  /** Continues with another instance. */
  async restart(): Promise<void> {
    await this.#instance.close();
    this.#instance = await this.#open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#instance.close();
  }
}

/** Whether a failed call means that the provider crashed, or sent what the protocol does not allow. */
export function isCrash(error: unknown): error is ProviderError {
  return error instanceof ProviderError && !["UNIMPLEMENTED", "CANCELLED", "CLOSED"].includes(error.code);
}

/** Whether the provider does not implement a call. */
export function isUnimplemented(error: unknown): boolean {
  return error instanceof ProviderError && error.code === "UNIMPLEMENTED";
}

/** The diagnostics of a response. */
export function diagnosticsOf(response: object): readonly Diagnostic[] {
  return (response as { readonly diagnostics?: readonly Diagnostic[] }).diagnostics ?? [];
}
