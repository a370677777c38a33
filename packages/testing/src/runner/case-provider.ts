// SPDX-License-Identifier: Apache-2.0
import {
  createCalls,
  hasErrors,
  mapCalls,
  type AnyStreamingCall,
  type AnyUnaryCall,
  type CallOptions,
  type GetProviderSchemaResponse,
  type Provider,
  type ProviderFactory,
} from "@tenon/schema";

/**
 * A provider of a case. It remembers the schemas that its instances return, so that documents and failures, which need nothing else, need no instance
 * of their own: one in Go is a process.
 */
export class CaseProvider {
  readonly #factory: ProviderFactory;
  #schemas: GetProviderSchemaResponse | undefined;

  constructor(factory: ProviderFactory) {
    this.#factory = factory;
  }

  /** Opens an instance for an operation. It is used by this operation alone. */
  readonly open: ProviderFactory = async (options) => {
    const instance = await this.#factory(options);
    const getProviderSchema: Provider["getProviderSchema"] = async (request, callOptions) => {
      const response = await instance.getProviderSchema(request, callOptions);
      if (!hasErrors(response.diagnostics)) this.#schemas ??= response;
      return response;
    };
    const calls = mapCalls(instance, { unary: (call) => call, streaming: (call) => call });
    const close = (): Promise<void> => instance.close();
    return { ...calls, getProviderSchema, close, [Symbol.asyncDispose]: close };
  };

  /** Returns an instance for schemas. It opens the provider only if no instance has returned them before, or if another call is made. */
  readonly describe: ProviderFactory = async (options = {}) => {
    let opened: Promise<Provider> | undefined;
    const provider = (): Promise<Provider> => (opened ??= this.open(options));
    const calls = createCalls({
      unary: (name) => async (request, callOptions) => ((await provider())[name] as AnyUnaryCall)(request, callOptions),
      streaming: (name) =>
        async function* (request: object, callOptions?: CallOptions) {
          yield* ((await provider())[name] as AnyStreamingCall)(request, callOptions);
        },
    });
    const getProviderSchema: Provider["getProviderSchema"] = async (request, callOptions) =>
      this.#schemas ?? (await provider()).getProviderSchema(request, callOptions);
    const close = async (): Promise<void> => (await opened?.catch(() => undefined))?.close();
    return { ...calls, getProviderSchema, close, [Symbol.asyncDispose]: close };
  };
}
