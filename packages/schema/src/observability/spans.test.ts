// SPDX-License-Identifier: Apache-2.0
import { context, propagation, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { afterEach, describe, test } from "vitest";
import { inSpan, spanEnvironment } from "./spans.ts";

describe("spanEnvironment", () => {
  afterEach(() => {
    trace.disable();
    context.disable();
    propagation.disable();
  });

  test("contains the active span, and is empty without one", async ({ expect }) => {
    expect(await spanEnvironment()).toEqual({});
    const spans = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
    provider.register();
    expect(await spanEnvironment()).toEqual({});
    const parent = trace.getTracer("test").startSpan("parent");
    const seen = await context.with(trace.setSpan(ROOT_CONTEXT, parent), () => inSpan("step", { tracer: "test" }, spanEnvironment));
    const step = spans.getFinishedSpans().find(({ name }) => name === "step");
    const { traceId, spanId } = step!.spanContext();
    expect(seen).toEqual({ TRACEPARENT: `00-${traceId}-${spanId}-01` });
    expect(step?.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
  });
});
