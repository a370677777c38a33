// SPDX-License-Identifier: Apache-2.0
import { tracingChannel } from "node:diagnostics_channel";
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { errorDiagnostic, ProviderError, warningDiagnostic, type Provider } from "@tenon/schema";
import type { CallEvent } from "@tenon/schema/observability";
import { afterEach, describe, test } from "vitest";
import { chunkOf, safeValue, smallProvider } from "../../test/fixtures/small-provider.ts";
import type { LogRecord } from "../output/log-record.ts";
import type { CallProgress } from "./call-progress.ts";
import { SessionSecrets } from "./session-secrets.ts";
import { traced, tracedSession, type TracedOptions } from "./traced.ts";

/** A provider that quotes its input in its messages. */
const careless: Partial<Provider> = {
  configureProvider: async () => ({ diagnostics: [] }),
  readResource: async ({ currentState }) => {
    const { secret, name } = currentState.payload === null ? {} : plain(currentState);
    if (name === "gone") throw new ProviderError("UNAVAILABLE", `died of ${secret} for token-of-provider`);
    return {
      newState: safeValue({ name: "n", secret: "computed-secret" }),
      private: new Uint8Array(),
      diagnostics: [
        errorDiagnostic("Refused", `with ${secret}, ${JSON.stringify(secret)} or computed-secret, by token-of-provider`),
        warningDiagnostic("Odd", ""),
      ],
    };
  },
  async *listResource() {
    yield { displayName: "one", diagnostics: [] };
    yield {
      displayName: "two of hunter2",
      resourceObject: safeValue({ secret: "hunter2" }),
      diagnostics: [warningDiagnostic("hunter2", "")],
    };
  },
  writeStateBytes: async ({ chunks }) => {
    for await (const chunk of chunks) void chunk;
    return { diagnostics: [] };
  },
};

function plain(value: { readonly type: object; readonly payload: unknown }): { readonly secret?: string; readonly name?: string } {
  const { names } = value.type as { readonly names: readonly string[] };
  return Object.fromEntries(names.map((name, slot) => [name, (value.payload as readonly unknown[])[slot]]));
}

/** Creates the traced provider, reads its schema and configures it. */
async function openTraced(options: TracedOptions = {}): Promise<Provider> {
  const provider = traced(smallProvider(careless), { name: "careless", ...options });
  await provider.getProviderSchema({});
  await provider.configureProvider({ terraformVersion: "1.12.6", config: safeValue({ secret: "token-of-provider" }) });
  return provider;
}

const read = (provider: Provider, attributes: object): Promise<unknown> =>
  provider.readResource({
    typeName: "safe",
    currentState: safeValue({ secret: 'hunter2 "and" more', ...attributes }),
    private: new Uint8Array(),
  });
const list = (provider: Provider): AsyncIterable<unknown> =>
  provider.listResource({ typeName: "safe", config: safeValue({}), includeResourceObject: true, limit: 0 });

describe("a traced provider", () => {
  test("logs each call with its type, duration and diagnostics, without sensitive values", async ({ expect }) => {
    const records: LogRecord[] = [];
    const provider = await openTraced({ onLog: (record) => records.push(record), logLevel: "trace" });
    records.length = 0;
    await read(provider, {});
    await read(provider, { name: "gone" }).catch(() => {});
    expect(records.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      "trace: Sending request",
      "error: Response contains error diagnostic",
      "warn: Response contains warning diagnostic",
      "trace: Received response",
      "trace: Sending request",
      "error: Request failed",
    ]);
    expect(records[1]).toMatchObject({
      name: "host",
      provider: "careless",
      fields: {
        tf_rpc: "ReadResource",
        tf_resource_type: "safe",
        diagnostic_detail: 'with (sensitive value), "(sensitive value)" or (sensitive value), by (sensitive value)',
      },
    });
    expect(records[3]?.fields).toMatchObject({ diagnostic_error_count: 1, diagnostic_warning_count: 1 });
    expect(records[3]?.fields["tf_req_duration_ms"]).toBeGreaterThan(0);
    expect(records[5]?.fields["error"]).toBe("died of (sensitive value) for (sensitive value)");
    expect(new Set(records.map(({ fields }) => fields["tf_req_id"])).size).toBe(2);
    expect(JSON.stringify(records)).not.toMatch(/hunter2|token-of|computed-secret/);
  });

  test("reports the progress of each call, including streams in both directions", async ({ expect }) => {
    const events: CallProgress[] = [];
    const provider = await openTraced({ onCall: (event) => events.push(event) });
    events.length = 0;
    await read(provider, {});
    await read(provider, { name: "gone" }).catch(() => {});
    for await (const _ of list(provider)) void _;
    for await (const _ of list(provider)) break;
    const chunks = async function* (): AsyncGenerator<ReturnType<typeof chunkOf>> {
      yield chunkOf("state");
    };
    await provider.writeStateBytes({ typeName: "vault", stateId: "s", chunks: chunks() });
    expect(
      events.map(({ call: { rpc, typeName }, ...event }) => ({
        ...event,
        call: `${rpc} ${typeName}`,
        ...("durationMs" in event ? { durationMs: 1 } : {}),
      })),
    ).toEqual([
      { kind: "calling", call: "ReadResource safe" },
      { kind: "called", call: "ReadResource safe", durationMs: 1, outcome: "refused", errors: 1, warnings: 1 },
      { kind: "calling", call: "ReadResource safe" },
      {
        kind: "called",
        call: "ReadResource safe",
        durationMs: 1,
        outcome: "failed",
        errors: 0,
        warnings: 0,
        message: "died of (sensitive value) for (sensitive value)",
      },
      { kind: "calling", call: "ListResource safe" },
      { kind: "streaming", call: "ListResource safe", items: 1, message: "one" },
      { kind: "streaming", call: "ListResource safe", items: 2, message: "two of (sensitive value)" },
      { kind: "called", call: "ListResource safe", durationMs: 1, outcome: "answered", errors: 0, warnings: 1 },
      { kind: "calling", call: "ListResource safe" },
      { kind: "streaming", call: "ListResource safe", items: 1, message: "one" },
      { kind: "called", call: "ListResource safe", durationMs: 1, outcome: "brokenOff", errors: 0, warnings: 0 },
      { kind: "calling", call: "WriteStateBytes vault" },
      { kind: "streaming", call: "WriteStateBytes vault", items: 1, bytes: 5, totalBytes: 5 },
      { kind: "called", call: "WriteStateBytes vault", durationMs: 1, outcome: "answered", errors: 0, warnings: 0 },
    ]);
  });

  test("masks every value until its schema is known", async ({ expect }) => {
    const events: CallProgress[] = [];
    const provider = traced(smallProvider(careless), { onCall: (event) => events.push(event) });
    await read(provider, { name: "gone", plain: ["public"] }).catch(() => {});
    expect(events.at(-1)).toMatchObject({ outcome: "failed", message: "died of (sensitive value) for token-of-provider" });
  });

  test("masks sensitive values in the provider's own log, during a call and shortly after it", async ({ expect }) => {
    const session = new SessionSecrets();
    const seen: LogRecord[] = [];
    const log = (message: string, fields: LogRecord["fields"] = {}): void => {
      session.deliver(
        { level: "info", name: "provider", message, fields, timestamp: new Date(), provider: "careless" },
        (record) => void seen.push(record),
      );
    };
    const logging: Partial<Provider> = {
      ...careless,
      readResource: async (request) => {
        log("reading hunter2", { body: { secret: "hunter2", of: "safe" } });
        return await careless.readResource!(request);
      },
    };
    const provider = tracedSession(smallProvider(logging), { onCall: () => {} }, session);
    await provider.getProviderSchema({});
    log("before token-of-provider");
    await provider.configureProvider({ terraformVersion: "1.12.6", config: safeValue({ secret: "token-of-provider" }) });
    const currentState = safeValue({ secret: "hunter2" });
    await provider.readResource({ typeName: "safe", currentState, private: new Uint8Array() });
    log("read hunter2, computed-secret, as token-of-provider");
    expect(seen.map(({ message }) => message)).toEqual([
      "before token-of-provider",
      "reading (sensitive value)",
      "read (sensitive value), (sensitive value), as (sensitive value)",
    ]);
    expect(seen[1]!.fields).toEqual({ body: { secret: "(sensitive value)", of: "safe" } });
  });

  test("publishes each call on the diagnostics channel", async ({ expect }) => {
    const seen: string[] = [];
    const channel = tracingChannel<unknown, CallEvent>("tenon:host:call");
    const subscribers = {
      start: ({ rpc, provider, about }: CallEvent) => seen.push(`${provider} ${rpc} ${JSON.stringify(about)}`),
      asyncEnd: ({ rpc, result }: CallEvent & { readonly result?: object }) => seen.push(`${rpc} ${Object.keys(result ?? {}).join()}`),
      end: () => {},
      asyncStart: () => {},
      error: () => {},
    };
    channel.subscribe(subscribers as never);
    await read(await openTraced(), {});
    channel.unsubscribe(subscribers as never);
    expect(seen.slice(-2)).toEqual(['careless ReadResource {"tf_resource_type":"safe"}', "ReadResource newState,private,diagnostics"]);
  });

  test("passes calls and other properties through unchanged when there is no listener", async ({ expect }) => {
    const inner = Object.assign(smallProvider(careless), { pid: 7 });
    const request = { typeName: "safe", currentState: safeValue({ name: "gone" }), private: new Uint8Array() };
    const signal = new AbortController().signal;
    let got: unknown;
    const provider = traced({ ...inner, readResource: async (...args) => ((got = args), careless.readResource!(...args)) });
    expect(provider).toMatchObject({ pid: 7 });
    await expect(provider.readResource(request, { signal })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(got).toEqual([request, { signal }]);
  });
});

describe("OpenTelemetry", () => {
  afterEach(() => {
    trace.disable();
    context.disable();
    propagation.disable();
  });

  test("receives a span for each call, a child of the active span, without sensitive values", async ({ expect }) => {
    const spans = new InMemorySpanExporter();
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).register();
    const provider = await openTraced();
    const outer = trace.getTracer("test").startSpan("outer");
    await context.with(trace.setSpan(ROOT_CONTEXT, outer), async () => {
      await read(provider, {});
      await read(provider, { name: "gone" }).catch(() => {});
      for await (const _ of list(provider)) void _;
    });
    const calls = spans.getFinishedSpans().filter(({ parentSpanContext }) => parentSpanContext?.spanId === outer.spanContext().spanId);
    expect(calls.map(({ name, kind }) => ({ name, kind }))).toEqual(
      ["ReadResource safe", "ReadResource safe", "ListResource safe"].map((name) => ({ name, kind: SpanKind.CLIENT })),
    );
    expect(calls[0]).toMatchObject({
      attributes: { "rpc.method": "ReadResource", tf_provider: "careless", tf_resource_type: "safe" },
      status: { code: SpanStatusCode.ERROR },
    });
    expect(calls[1]?.events).toMatchObject([{ attributes: { "exception.message": "died of (sensitive value) for (sensitive value)" } }]);
    const exported = calls.map(({ name, attributes, status, events }) => ({ name, attributes, status, events }));
    expect(JSON.stringify(exported)).not.toMatch(/hunter2|token-of|computed-secret/);
  });
});
