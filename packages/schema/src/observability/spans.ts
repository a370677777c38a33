// SPDX-License-Identifier: Apache-2.0
import type * as OpenTelemetry from "@opentelemetry/api";

/** `server`: somebody else asked for it; `client`: somebody else does it; `internal`: it is work of one's own. */
export type SpanKind = "server" | "client" | "internal";

/** What a span says of itself. */
export interface SpanOptions {
  /** Default: `internal`. */
  readonly kind?: SpanKind;
  /** What OpenTelemetry calls the instrumentation: the package's name. */
  readonly tracer: string;
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
 * What a child process is told, in its environment, of the span it is part of: `TRACEPARENT` and its neighbours. Empty where there is none.
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

/** What the core, or whoever started it, is part of. @see OpenTelemetry, environment variables as context propagation carriers */
function environmentCarrier(): Readonly<Record<string, string>> {
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = process.env;
  return { ...(traceparent ? { traceparent } : {}), ...(tracestate ? { tracestate } : {}) };
}
