// SPDX-License-Identifier: Apache-2.0
import type * as OpenTelemetry from "@opentelemetry/api";

/** Kind of a span: `server` for handling a call, `client` for making one, `internal` for other work. */
export type SpanKind = "server" | "client" | "internal";

/** Options of a span. */
export interface SpanOptions {
  /** Default: `internal`. */
  readonly kind?: SpanKind;
  /** Name of the instrumentation in OpenTelemetry: the package's name. */
  readonly tracer: string;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  /** Returns the text of a failure that the result reports without throwing. */
  readonly failureOf?: (result: unknown) => string | undefined;
  /** Masks secrets in the text of an error. */
  readonly hide?: (text: string) => string;
}

/** Key of the global object under which every copy of the API registers. Without it, no span is recorded. */
const registered = Symbol.for("opentelemetry.js.api.1");

let api: typeof OpenTelemetry | undefined;
let loadFailed = false;

/** Whether OpenTelemetry is set up. Costs a property read. */
export function isTraced(): boolean {
  return registered in globalThis && !loadFailed;
}

/** Runs work in a span, if OpenTelemetry is set up. The API is loaded only then. */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  if (!isTraced()) return work();
  const loaded = api ?? (await loadApi());
  return loaded === undefined ? work() : spanOf(loaded, name, options, work);
}

async function loadApi(): Promise<typeof OpenTelemetry | undefined> {
  try {
    api = await import("@opentelemetry/api");
  } catch {
    // OpenTelemetry was set up by a copy of the API that cannot be loaded from here.
    loadFailed = true;
  }
  return api;
}

async function spanOf<T>(
  { trace, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode }: typeof OpenTelemetry,
  name: string,
  { kind = "internal", tracer, attributes = {}, failureOf, hide = (text) => text }: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  const active = context.active();
  const isFirst = kind !== "internal" && trace.getSpan(active) === undefined;
  const parent = isFirst ? propagation.extract(ROOT_CONTEXT, environmentCarrier()) : active;
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
  const span = trace.getTracer(tracer).startSpan(name, { kind: kinds[kind], attributes }, parent);
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

/**
 * Returns the environment variables that give the active span to a child process: `TRACEPARENT` and others. Empty without a span.
 *
 * @see OpenTelemetry, environment variables as context propagation carriers
 */
export async function spanEnvironment(): Promise<Readonly<Record<string, string>>> {
  if (!isTraced()) return {};
  const loaded = api ?? (await loadApi());
  if (loaded === undefined || loaded.trace.getSpan(loaded.context.active()) === undefined) return {};
  const carrier: Record<string, string> = {};
  loaded.propagation.inject(loaded.context.active(), carrier);
  return Object.fromEntries(Object.entries(carrier).map(([name, text]) => [name.toUpperCase().replaceAll("-", "_"), text]));
}

/** Reads the parent span from the environment of this process. @see OpenTelemetry, environment variables as context propagation carriers */
function environmentCarrier(): Readonly<Record<string, string>> {
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = process.env;
  return { ...(traceparent ? { traceparent } : {}), ...(tracestate ? { tracestate } : {}) };
}
