// SPDX-License-Identifier: Apache-2.0
import type * as OpenTelemetry from "@opentelemetry/api";

/** What a span says of itself. */
export interface SpanOptions {
  /** Somebody else asked for it. Default: it is work of our own. */
  readonly isServer?: boolean;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  /** What went wrong, of a result that does not say so by throwing. */
  readonly failureOf?: (result: unknown) => string | undefined;
  /** Takes what is secret out of what an error says. */
  readonly hide?: (text: string) => string;
}

/** Where every copy of the API keeps what is registered: nothing there means that nobody would see a span. */
const registered = Symbol.for("opentelemetry.js.api.1");

let api: typeof OpenTelemetry | undefined;
let failed = false;

/** Whether somebody has set OpenTelemetry up. Costs a look at a property. */
export function isTraced(): boolean {
  return registered in globalThis && !failed;
}

/** Does something as a span, where OpenTelemetry is set up; the API is loaded then, and not before. */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  if (!isTraced()) return work();
  const loaded = api ?? (await loadApi());
  return loaded === undefined ? work() : spanOf(loaded, name, options, work);
}

async function loadApi(): Promise<typeof OpenTelemetry | undefined> {
  try {
    api = await import("@opentelemetry/api");
  } catch {
    // Set up by a copy that is not ours to reach.
    failed = true;
  }
  return api;
}

async function spanOf<T>(
  { trace, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode }: typeof OpenTelemetry,
  name: string,
  { isServer = false, attributes = {}, failureOf, hide = (text) => text }: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  const active = context.active();
  const parent = isServer && trace.getSpan(active) === undefined ? propagation.extract(ROOT_CONTEXT, environmentCarrier()) : active;
  const kind = isServer ? SpanKind.SERVER : SpanKind.INTERNAL;
  const span = trace.getTracer("@tenon/provider-sdk").startSpan(name, { kind, attributes }, parent);
  try {
    const result = await context.with(trace.setSpan(parent, span), work);
    const failure = failureOf?.(result);
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: hide(failure) });
    return result;
  } catch (error) {
    const message = hide(error instanceof Error ? error.message : String(error));
    span.recordException({ name: error instanceof Error ? error.name : "Error", message });
    span.setStatus({ code: SpanStatusCode.ERROR, message });
    throw error;
  } finally {
    span.end();
  }
}

/** What the core, or whoever started it, is part of. @see OpenTelemetry, environment variables as context propagation carriers */
function environmentCarrier(): Readonly<Record<string, string>> {
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = process.env;
  return { ...(traceparent ? { traceparent } : {}), ...(tracestate ? { tracestate } : {}) };
}
