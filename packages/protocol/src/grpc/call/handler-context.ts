// SPDX-License-Identifier: Apache-2.0
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { ContextKey, ContextValues, HandlerContext } from "@connectrpc/connect";
import { type CarrierSession, type LazySignal, sessionKey } from "../../carrier/carrier.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import { monotonicMs } from "../frames/monotonic-clock.ts";
import { headersOf } from "./metadata.ts";
import type { Route } from "./router.ts";

/** Context of a call for its handler. Most handlers use few members, so each is created on first use. */
export class CallContext implements HandlerContext, LazySignal {
  readonly requestMethod = "POST";
  readonly protocolName = "grpc";
  readonly #route: Route;
  readonly #headers: HeaderList;
  readonly #session: CarrierSession;
  readonly #deadline: number | undefined;
  #controller: AbortController | undefined;
  #abortListener: ((reason: unknown) => void) | undefined;
  /** Abort reason, once the signal is aborted. */
  #aborted: { readonly reason: unknown } | undefined;
  #requestHeader: Headers | undefined;
  #values: ContextValues | undefined;
  #responseHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;

  constructor(route: Route, headers: HeaderList, session: CarrierSession, timeoutMs: number | undefined) {
    this.#route = route;
    this.#headers = headers;
    this.#session = session;
    this.#deadline = timeoutMs === undefined ? undefined : monotonicMs() + timeoutMs;
  }

  get service(): DescService {
    return this.#route.service;
  }

  get method(): DescMethod {
    return this.#route.method;
  }

  get url(): string {
    return `https://localhost${this.#route.path}`;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  isAborted(): boolean {
    return this.#aborted !== undefined;
  }

  onAbort(listener: (reason: unknown) => void): () => void {
    if (this.#aborted !== undefined) listener(this.#aborted.reason);
    else this.#abortListener = listener;
    return () => {
      this.#abortListener = undefined;
    };
  }

  readonly timeoutMs = (): number | undefined => (this.#deadline === undefined ? undefined : this.#deadline - monotonicMs());

  get requestHeader(): Headers {
    return (this.#requestHeader ??= headersOf(this.#headers));
  }

  get values(): ContextValues {
    return (this.#values ??= new CallValues(this.#session));
  }

  get responseHeader(): Headers {
    return (this.#responseHeader ??= new Headers());
  }

  get responseTrailer(): Headers {
    return (this.#responseTrailer ??= new Headers());
  }

  /** Response headers of the handler; undefined when it has not used them. */
  get customHeader(): Headers | undefined {
    return this.#responseHeader;
  }

  /** Response trailers of the handler; undefined when it has not used them. */
  get customTrailer(): Headers | undefined {
    return this.#responseTrailer;
  }

  /** Aborts the signal. */
  abort(reason: unknown): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = { reason };
    this.#abortListener?.(reason);
    this.#controller?.abort(reason);
  }
}

class CallValues implements ContextValues {
  readonly #values = new Map<symbol, unknown>();

  constructor(session: CarrierSession) {
    this.#values.set(sessionKey.id, session);
  }

  get<T>(key: ContextKey<T>): T {
    return this.#values.has(key.id) ? (this.#values.get(key.id) as T) : key.defaultValue;
  }

  set<T>(key: ContextKey<T>, value: T): this {
    this.#values.set(key.id, value);
    return this;
  }

  delete(key: ContextKey<unknown>): this {
    this.#values.delete(key.id);
    return this;
  }
}
