// SPDX-License-Identifier: Apache-2.0
import { type CompletedCall, observedCalls, type ObservedCallsOptions } from "@tenon/plugin-host/record";
import type { TapEvent } from "@tenon/protocol/carrier";
import { decodeMessage, formatGoJson, formatProtoText } from "@tenon/protocol/message-text";
import { Provider as ProviderService } from "@tenon/protocol/tfplugin6";
import { type AnyUnaryCall, createCalls, type Provider, ProviderError, type UnaryCallName } from "@tenon/schema";
import { createProviderClient, createProviderService } from "@tenon/schema/wire/v6";
import { appendGrpcLog, bridgeCall, type GrpcLogEntry } from "./grpc-log.ts";
import { connectLocally, type LocalService } from "./local-service.ts";

/** Calls that describe the provider. Each is logged once, because its response does not change. */
const descriptions: ReadonlySet<UnaryCallName> = new Set([
  "getProviderSchema",
  "getMetadata",
  "getResourceIdentitySchemas",
  "getFunctions",
]);

/**
 * Logs the calls of a provider in the format of Pulumi's own Terraform bridge, as messages of protocol 6. Values that the schema marks as
 * sensitive or write-only are placeholders. Calls with streams are not logged, because the format has none.
 *
 * @param masking - Selects further values that are replaced with placeholders. Default: none.
 */
export function writingGrpcLog(provider: Provider, path: string, masking: ObservedCallsOptions = {}): Provider {
  const writer = new GrpcLogWriter(provider, path);
  const logged = observedCalls(provider, (call) => writer.write(call), masking);
  const close = async (): Promise<void> => {
    await writer.close();
    await logged.close();
  };
  return { ...logged, close, [Symbol.asyncDispose]: close };
}

/**
 * Writes calls to a log. To get the messages of a call, the writer repeats the call between a client and a service of protocol 6, and taps the
 * messages between them.
 */
class GrpcLogWriter {
  readonly #provider: Provider;
  readonly #path: string;
  readonly #described = new Set<UnaryCallName>();
  #repeated: CompletedCall | undefined;
  #messages = new Map<string, { sent?: Uint8Array; received?: Uint8Array }>();
  #connecting: Promise<{ readonly service: LocalService; readonly client: Provider }> | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(provider: Provider, path: string) {
    this.#provider = provider;
    this.#path = path;
  }

  write(call: CompletedCall): void {
    if (descriptions.has(call.method)) {
      if (this.#described.has(call.method)) return;
      this.#described.add(call.method);
    }
    this.#written = this.#write(this.#written, call);
  }

  async close(): Promise<void> {
    await this.#written;
    await (await this.#connecting)?.service.close();
  }

  async #write(before: Promise<void>, call: CompletedCall): Promise<void> {
    await before;
    this.#connecting ??= this.#connect();
    const { client } = await this.#connecting;
    this.#repeated = call;
    if (!descriptions.has(call.method)) this.#messages.clear();
    const repeat = client[call.method] as unknown as AnyUnaryCall;
    await repeat(call.request).catch(() => {});
    this.#repeated = undefined;
    for (const entry of this.#entries(call)) appendGrpcLog(this.#path, entry);
  }

  async #connect(): Promise<{ readonly service: LocalService; readonly client: Provider }> {
    const calls = createCalls({
      unary: (method) => async (request, options) => {
        const call = this.#repeated;
        if (call?.method === method) {
          if (call.outcome.kind === "error") throw call.outcome.error;
          return call.outcome.response;
        }
        // The client and the service need the schemas to encode and decode values.
        return await (this.#provider[method] as unknown as AnyUnaryCall)(request, options);
      },
      streaming: (name) => () => {
        throw new ProviderError("UNIMPLEMENTED", `${name} is not logged`);
      },
    });
    const repeater: Provider = { ...calls, close: async () => {}, [Symbol.asyncDispose]: async () => {} };
    const service = await connectLocally(createProviderService(repeater), (event) => this.#tap(event));
    return { service, client: createProviderClient(service.connection.transport, { close: async () => {} }) };
  }

  #tap(event: TapEvent): void {
    if (event.kind === "ended") return;
    const messages = this.#messages.get(event.method) ?? {};
    messages[event.kind] = event.bytes;
    this.#messages.set(event.method, messages);
  }

  #entries({ method, outcome, masked }: CompletedCall): readonly GrpcLogEntry[] {
    const isDescription = descriptions.has(method);
    return Object.values(ProviderService.method).flatMap((rpc) => {
      const messages = this.#messages.get(`/${ProviderService.typeName}/${rpc.name}`);
      // Messages of other RPCs are requests for schemas.
      if (messages?.sent === undefined || isDescription !== descriptionRpcs.has(rpc.name)) return [];
      if (isDescription && rpc.localName !== method) return [];
      const request = formatProtoText(rpc.input, decodeMessage(rpc.input, messages.sent));
      const isMasked = masked.request.length + masked.response.length > 0;
      const named = { name: `${ProviderService.typeName}.${rpc.name}`, call: bridgeCall, request, ...(isMasked ? { masked } : {}) };
      if (outcome.kind === "error") return [{ ...named, response: "", error: [outcome.error.message] }];
      const response = messages.received ?? new Uint8Array();
      return [{ ...named, response: formatGoJson(rpc.output, decodeMessage(rpc.output, response)) }];
    });
  }
}

const descriptionRpcs: ReadonlySet<string> = new Set(["GetProviderSchema", "GetMetadata", "GetResourceIdentitySchemas", "GetFunctions"]);
