// SPDX-License-Identifier: Apache-2.0
import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { afterEach, describe, test } from "vitest";
import { setUpOpenTelemetry, tearDownOpenTelemetry } from "../../test/recorded-spans.ts";
import { inSpan, spanEnvironment } from "./spans.ts";

describe("the environment of a child process", () => {
  afterEach(tearDownOpenTelemetry);

  test("names the span that is active, and none where none is", async ({ expect }) => {
    expect(await spanEnvironment()).toEqual({});
    const spans = setUpOpenTelemetry();
    expect(await spanEnvironment()).toEqual({});
    const parent = trace.getTracer("test").startSpan("parent");
    const seen = await context.with(trace.setSpan(ROOT_CONTEXT, parent), () => inSpan("step", { tracer: "test" }, spanEnvironment));
    const step = spans.find(({ name }) => name === "step");
    expect(seen).toEqual({ TRACEPARENT: `00-${step!.traceId}-${step!.id}-01` });
    expect(step?.parentId).toBe(parent.spanContext().spanId);
  });
});
