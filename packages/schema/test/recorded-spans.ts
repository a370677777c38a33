// SPDX-License-Identifier: Apache-2.0
import { AsyncLocalStorage } from "node:async_hooks";
import {
  context,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Attributes,
  type Context,
  type ContextManager,
  type Span,
  type SpanKind,
  type SpanStatus,
} from "@opentelemetry/api";

/** A span, as it was told of. */
export interface RecordedSpan {
  readonly name: string;
  readonly kind: SpanKind | undefined;
  readonly attributes: Attributes | undefined;
  readonly id: string;
  readonly traceId: string;
  readonly parentId: string | undefined;
  status?: SpanStatus;
  ended?: true;
  exceptions: string[];
}

/**
 * Sets up the least that an OpenTelemetry SDK is: it keeps the active context and remembers spans, from now on until
 * `tearDownOpenTelemetry`.
 */
export function setUpOpenTelemetry(): readonly RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  const active = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => active.getStore() ?? ROOT_CONTEXT,
    with: (current, work, self, ...args) => active.run(current, () => work.apply(self, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
  propagation.setGlobalPropagator({
    inject(from, carrier) {
      const span = trace.getSpanContext(from);
      if (span !== undefined) (carrier as Record<string, string>)["traceparent"] = `00-${span.traceId}-${span.spanId}-01`;
    },
    fields: () => ["traceparent"],
    extract(into, carrier) {
      const [, traceId = "", spanId = ""] = ((carrier as Record<string, string>)["traceparent"] ?? "").split("-");
      return traceId === "" ? into : trace.setSpanContext(into, { traceId, spanId, traceFlags: 1, isRemote: true });
    },
  });
  const startSpan = (
    name: string,
    options: { kind?: SpanKind; attributes?: Attributes } = {},
    parent: Context = manager.active(),
  ): Span => {
    const above = trace.getSpanContext(parent);
    const recorded: RecordedSpan = {
      name,
      kind: options.kind,
      attributes: options.attributes,
      id: `span${spans.length}`,
      traceId: above?.traceId ?? `trace${spans.length}`,
      parentId: above?.spanId,
      exceptions: [],
    };
    spans.push(recorded);
    const span = {
      spanContext: () => ({ traceId: recorded.traceId, spanId: recorded.id, traceFlags: 1 }),
      setStatus: (status: SpanStatus) => ((recorded.status = status), span),
      recordException: ({ message }: { readonly message: string }) => void recorded.exceptions.push(message),
      end: () => void (recorded.ended = true),
    } as unknown as Span;
    return span;
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }) });
  return spans;
}

/** Forgets it again. */
export function tearDownOpenTelemetry(): void {
  trace.disable();
  context.disable();
  propagation.disable();
}
