// SPDX-License-Identifier: Apache-2.0
import { tracingChannel } from "node:diagnostics_channel";
import { setTimeout } from "node:timers/promises";
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { afterEach, describe, test } from "vitest";
import { configOf, startLife, texts, type ResourceLife } from "../../test/resource-life.ts";
import {
  attr,
  createProvider,
  currentCall,
  currentLog,
  defineProvider,
  timed,
  type CallEvent,
  type LogEntry,
  type ServedProvider,
} from "../index.ts";

/** A client that logs without access to a handler's arguments. */
const client = {
  async send(title: string): Promise<void> {
    await setTimeout(1 + Math.random() * 5);
    await timed("send", async () => {
      await setTimeout(1);
      currentLog().info(`sending ${title}`, { title, userAgent: currentCall()?.userAgent });
    });
  },
};
let configuredUserAgent = "";
/** Resolved after the response: lets work that a handler has started continue. */
const responseSent = Promise.withResolvers<void>();
const mail = defineProvider({
  name: "mail",
  version: "3.2.1",
  configure: ({ userAgent }) => {
    configuredUserAgent = userAgent;
    return client;
  },
});
const letter = mail.resource("letter", {
  schema: {
    title: attr.string({ required: true }),
    stamp: attr.string({ optional: true, sensitive: true }),
    seal: attr.string({ optional: true, writeOnly: true }),
    pin: attr.number({ optional: true, sensitive: true }),
    code: attr.string({ computed: true, sensitive: true }),
  },
  create: async ({ planned, config, client, log }) => {
    if (planned.title === "deep") {
      let deep: unknown = config.seal;
      for (let depth = 0; depth < 20; depth++) deep = { [`${config.stamp}`]: deep };
      const forms = JSON.stringify({ stamp: planned.stamp, url: encodeURIComponent(config.seal ?? "") });
      log.info("everything", {
        deep,
        forms,
        map: new Map([[planned.stamp, config.seal]]),
        bytes: Buffer.from(config.seal ?? ""),
        pin: planned.pin,
      });
      throw new Error(`cannot store ${planned.stamp} and ${config.seal}`, { cause: new Error(`pin ${planned.pin}`) });
    }
    // Work that continues after the response uses the same log.
    if (planned.title === "made") void responseSent.promise.then(() => log.info("later", { code: "made by us" }));
    await client.send(planned.title);
    return { ...planned, code: "made by us" };
  },
  read: ({ state }) => state,
  update: ({ planned }) => ({ ...planned, code: "made by us" }),
  delete: () => {},
});
const frank = mail.action("frank", {
  invoke: async ({ client, progress }) => {
    progress("franking");
    await client.send("a stamp");
  },
});
const served: ServedProvider = mail.with([letter, frank]);
const lettered = (): Promise<ResourceLife> => startLife(served, "mail_letter");
const idsOf = (lines: readonly LogEntry[], message: string): readonly unknown[] =>
  lines.filter((line) => line.message.startsWith(message)).map(({ fields }) => fields["tf_req_id"]);

describe("the current call", () => {
  test("is available after any await, without arguments, among a hundred concurrent calls (pitfall 39)", async ({ expect }) => {
    const life = await lettered();
    // All calls start before the first one ends, so no call sees records of another.
    await Promise.all(Array.from({ length: 100 }, (_, index) => life.apply({ title: `letter ${index}` })));
    for (let index = 0; index < 100; index++) {
      const id = life.log.find(({ message }) => message === `sending letter ${index}`)?.fields["tf_req_id"];
      const lines = life.log.filter(({ fields }) => fields["tf_req_id"] === id);
      expect(lines.map(({ message }) => message)).toEqual([
        "Received request",
        expect.stringMatching(/^sending letter/),
        "send",
        "Served request",
      ]);
    }
    const ids = idsOf(life.log, "sending letter");
    expect([ids.length, new Set(ids).size]).toEqual([100, 100]);
  });

  test("is undefined outside handlers, where the log drops its lines", ({ expect }) => {
    expect(currentCall()).toBeUndefined();
    currentLog().error("this line is dropped");
  });

  test("has a user agent with provider, core, Node and TF_APPEND_USER_AGENT, in configure and in handlers", async ({ expect }) => {
    process.env["TF_APPEND_USER_AGENT"] = "ci/7\r\n";
    const life = await lettered();
    await life.apply({ title: "t" });
    const expected = `terraform-provider-mail/3.2.1 Terraform/1.12.0 node/${process.versions.node} ci/7`;
    expect(configuredUserAgent).toBe(expected);
    expect(life.log.find(({ message }) => message === "sending t")?.fields["userAgent"]).toBe(expected);
    delete process.env["TF_APPEND_USER_AGENT"];
  });
});

test("timed blocks log their duration in the log of their call, also when they fail", async ({ expect }) => {
  const life = await lettered();
  await life.apply({ title: "t" });
  const line = life.log.find(({ message }) => message === "send");
  expect(line?.fields["duration_ms"]).toBeGreaterThan(0);
  expect(idsOf(life.log, "send")).toContain(line?.fields["tf_req_id"]);
  await expect(timed("outside", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
});

describe("a sensitive or write-only value", () => {
  test("is masked in log lines and diagnostics, in every form and at any depth", async ({ expect }) => {
    const life = await lettered();
    const data = { title: "deep", stamp: 'say "stamp"\nnow', seal: "wax & ribbon", pin: 90210 };
    const { diagnostics } = await life.apply(data);
    expect(texts(diagnostics)).toEqual([
      "error: Cannot create mail_letter: cannot store (sensitive value) and (sensitive value): pin (sensitive value)",
    ]);
    expect(life.log.some(({ message }) => message === "everything")).toBe(true);
    expect(JSON.stringify(life.log)).not.toMatch(/stamp.{1,4}\W*now|wax|ribbon|90210/);
  });

  test("is masked after the handler has returned it", async ({ expect }) => {
    const life = await lettered();
    await life.apply({ title: "made" });
    expect(life.state()).toMatchObject({ code: "made by us" });
    responseSent.resolve();
    const later = (): unknown => life.log.find(({ message }) => message === "later")?.fields["code"];
    await expect.poll(later, { timeout: 10_000 }).toBe("(sensitive value)");
  });
});

describe("diagnostics_channel", () => {
  test("publishes every call with its subject, id and response, and every timed block", async ({ expect }) => {
    const seen: string[] = [];
    const calls = tracingChannel<unknown, CallEvent>("tenon:provider:call");
    const blocks = tracingChannel<unknown, { readonly name: string; readonly requestId?: string }>("tenon:provider:timed");
    const requestIds = new Set<string | undefined>();
    const noop = (): void => {};
    const onCall = {
      start: ({ rpc, about, provider, requestId }: CallEvent) => {
        requestIds.add(requestId);
        seen.push(`${provider} ${rpc} ${JSON.stringify(about)}`);
      },
      end: noop,
      asyncStart: noop,
      asyncEnd: ({ rpc, result }: CallEvent & { readonly result?: unknown }) => void seen.push(`${rpc} returned ${typeof result}`),
      error: noop,
    };
    const onBlock = {
      start: ({ name, requestId }: { name: string; requestId?: string }) => void seen.push(`${name} ${requestIds.has(requestId)}`),
      end: noop,
      asyncStart: noop,
      asyncEnd: noop,
      error: noop,
    };
    const life = await lettered();
    calls.subscribe(onCall as never);
    blocks.subscribe(onBlock as never);
    await life.apply({ title: "t" });
    calls.unsubscribe(onCall as never);
    blocks.unsubscribe(onBlock as never);
    expect(seen).toContain('mail ApplyResourceChange {"tf_resource_type":"mail_letter"}');
    expect(seen).toContain("ApplyResourceChange returned object");
    expect(seen).toContain("send true");
  });
});

describe("OpenTelemetry", () => {
  const spans = new InMemorySpanExporter();
  const named = (wanted: string) => spans.getFinishedSpans().filter(({ name }) => name === wanted);
  const setUp = () => new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).register();

  afterEach(() => {
    trace.disable();
    context.disable();
    propagation.disable();
    spans.reset();
    delete process.env["TRACEPARENT"];
  });

  test("a call is a child span of the core's span, and a timed block is a child of the call", async ({ expect }) => {
    const life = await lettered();
    setUp();
    process.env["TRACEPARENT"] = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await life.apply({ title: "t" });
    const [call] = named("ApplyResourceChange mail_letter");
    expect(call).toMatchObject({
      kind: SpanKind.SERVER,
      parentSpanContext: { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" },
      attributes: { "rpc.method": "ApplyResourceChange", tf_provider: "mail", tf_resource_type: "mail_letter" },
    });
    expect(call?.attributes["tf_req_id"]).toBe(idsOf(life.log, "sending t")[0]);
    const { traceId, spanId } = call!.spanContext();
    expect(named("send")).toMatchObject([{ kind: SpanKind.INTERNAL, parentSpanContext: { traceId, spanId } }]);
  });

  test("an error diagnostic sets the span's status, with secrets masked", async ({ expect }) => {
    const life = await lettered();
    setUp();
    await life.apply({ title: "deep", stamp: "stamped", seal: "wax & ribbon" });
    expect(named("ApplyResourceChange mail_letter")[0]?.status).toEqual({
      code: SpanStatusCode.ERROR,
      message: "Cannot create mail_letter: cannot store (sensitive value) and (sensitive value): pin null",
    });
    const cancelled = life.provider.getProviderSchema({}, { signal: AbortSignal.abort() });
    await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" });
  });

  test("the span of a stream ends with its last event, or when the reader stops", async ({ expect }) => {
    const provider = createProvider(served);
    const { actions, provider: schema } = await provider.getProviderSchema({});
    await provider.configureProvider({ terraformVersion: "1.14.0", config: configOf(schema!.block, {}) });
    setUp();
    const clientCapabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };
    const request = { actionType: "mail_frank", config: configOf(actions.get("mail_frank")!.block, {}), clientCapabilities };
    const kinds: string[] = [];
    for await (const event of provider.invokeAction(request)) kinds.push(Object.keys(event).join());
    const [call] = named("InvokeAction mail_frank");
    expect(call).toMatchObject({ kind: SpanKind.SERVER });
    expect(named("send")).toMatchObject([{ parentSpanContext: { spanId: call?.spanContext().spanId } }]);
    expect(kinds.length).toBe(2);
    for await (const event of provider.invokeAction(request)) {
      void event;
      break;
    }
    expect(named("InvokeAction mail_frank").length).toBe(2);
  });

  test("without an SDK, there is no span and the API is not loaded", async ({ expect }) => {
    const life = await lettered();
    await expect(life.apply({ title: "t" })).resolves.toMatchObject({ diagnostics: [] });
  });
});
