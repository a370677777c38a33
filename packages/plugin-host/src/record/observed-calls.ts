// SPDX-License-Identifier: Apache-2.0
import {
  mapCalls,
  type AnyStreamingCall,
  type AnyUnaryCall,
  type CallOptions,
  type GetProviderSchemaResponse,
  type Provider,
  type UnaryCallName,
} from "@tenon/schema";
import { secretsOfCall, type SecretsOf } from "../secrets/message-secrets.ts";
import type { SecretHandling } from "./frame.ts";
import { maskedParts, type MaskedPart } from "./masked-parts.ts";
import { MessageDecoder } from "./message-decoder.ts";
import { MessageEncoder, messageKind, type MessageKind } from "./message-encoder.ts";
import type { Node } from "./node.ts";
import { needsSchema } from "./schema-need.ts";
import { Secrets, type UnmarkedSecrets } from "./secrets.ts";

/** A completed call with one response. Masked secrets are placeholders of the same type. */
export interface CompletedCall {
  /** Name of the call, such as `planResourceChange`. */
  readonly method: UnaryCallName;
  readonly request: object;
  readonly outcome: { readonly kind: "response"; readonly response: object } | { readonly kind: "error"; readonly error: Error };
  /** The places of the placeholders. */
  readonly masked: { readonly request: readonly MaskedPart[]; readonly response: readonly MaskedPart[] };
}

/** Settings of {@link observedCalls}. */
export interface ObservedCallsOptions extends UnmarkedSecrets {
  /** Whether secrets are masked, as in a recording. Default: `mask`. */
  readonly secrets?: SecretHandling;
}

/**
 * Calls `onCall` with every completed call that has one response, before its caller gets the response: for logs in formats of other programs.
 * Calls with streams are passed on without a report. An exception of `onCall` rejects the call.
 */
export function observedCalls(provider: Provider, onCall: (call: CompletedCall) => void, options: ObservedCallsOptions = {}): Provider {
  const observer = new Observer(provider, onCall, options);
  const close = (): Promise<void> => provider.close();
  return { ...mapCalls(provider, observer), close, [Symbol.asyncDispose]: close };
}

class Observer {
  readonly #provider: Provider;
  readonly #onCall: (call: CompletedCall) => void;
  readonly #masking: boolean;
  readonly #encoder: MessageEncoder;
  readonly #types = new Map<number, string>();
  #schema: GetProviderSchemaResponse | undefined;

  constructor(provider: Provider, onCall: (call: CompletedCall) => void, { secrets = "mask", ...unmarked }: ObservedCallsOptions) {
    this.#provider = provider;
    this.#onCall = onCall;
    this.#masking = secrets === "mask";
    this.#encoder = new MessageEncoder(this.#masking ? new Secrets(unmarked) : undefined, (id, json) => this.#types.set(id, json));
  }

  unary(call: AnyUnaryCall, method: UnaryCallName): AnyUnaryCall {
    return async (request, options) => {
      await this.#ensureSchema(method, options);
      const secrets = this.#masking ? secretsOfCall(method, request, this.#schema) : (): object => ({});
      // Before the call, because a decorator may change the request's objects.
      const { message, masked } = this.#masked(request, secrets, messageKind(method, "request", request));
      const sent = { method, request: message };
      let response: object;
      try {
        response = await call(request, options);
      } catch (error) {
        const decoder = new MessageDecoder(method, this.#types);
        const reported = decoder.decodeError(this.#encoder.encodeError(error));
        this.#onCall({ ...sent, outcome: { kind: "error", error: reported }, masked: { request: masked, response: [] } });
        throw error;
      }
      if (method === "getProviderSchema") this.#schema ??= response as GetProviderSchemaResponse;
      const answer = this.#masked(response, secrets, messageKind(method, "response", request));
      this.#onCall({
        ...sent,
        outcome: { kind: "response", response: answer.message },
        masked: { request: masked, response: answer.masked },
      });
      return response;
    };
  }

  streaming(call: AnyStreamingCall): AnyStreamingCall {
    return call;
  }

  #masked(message: object, secrets: SecretsOf, kind: MessageKind): { readonly message: object; readonly masked: readonly MaskedPart[] } {
    const node: Node = this.#encoder.encode(message, secrets, kind);
    const decoder = new MessageDecoder("of calls", this.#types);
    return { message: decoder.decode(node, new Map()) as object, masked: [...maskedParts(node, decoder)] };
  }

  /** Reads the schema before a call with values. Without a schema, all values are masked. */
  async #ensureSchema(method: UnaryCallName, options: CallOptions | undefined): Promise<void> {
    if (!this.#masking || this.#schema !== undefined || !needsSchema(method)) return;
    try {
      this.#schema = await this.#provider.getProviderSchema({}, options);
    } catch {
      // The call itself reports the reason.
    }
  }
}
