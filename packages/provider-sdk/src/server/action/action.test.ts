// SPDX-License-Identifier: Apache-2.0
import type { InvokeActionEvent, Provider } from "@tenon/schema";
import { describe, test } from "vitest";
import { configOf, texts, Unknown, type Data } from "../../../test/resource-life.ts";
import { attr, createProvider, defineProvider, isUnknown, type Schema } from "../../index.ts";
import type { ActionDefinition } from "../../definition/index.ts";

const fleet = defineProvider({ name: "fleet", version: "1.0.0" });
const schema = { machine: attr.string({ required: true }), secret: attr.string({ optional: true, writeOnly: true }) };
type Restart = ActionDefinition<undefined, typeof schema>;

const providerOf = (definition: Omit<Restart, "schema">): Provider =>
  createProvider(fleet.with([fleet.action("restart", { schema, ...definition })]));

async function request(
  provider: Provider,
  data: Data,
): Promise<{ readonly actionType: string; readonly config: ReturnType<typeof configOf> }> {
  const action = (await provider.getProviderSchema({})).actions.get("fleet_restart")!;
  return { actionType: "fleet_restart", config: configOf(action.block, data) };
}

async function invoke(provider: Provider, data: Data = { machine: "m1" }): Promise<unknown[]> {
  const events = await Array.fromAsync(provider.invokeAction(await request(provider, data)));
  return events.map((event) => (event.kind === "progress" ? event.message : texts(event.diagnostics)));
}

describe("an action", () => {
  test("reports progress while it runs, and its outcome exactly once", async ({ expect }) => {
    const gate = Promise.withResolvers<void>();
    const provider = providerOf({
      invoke: async ({ config, progress, warn }) => {
        progress(`stopping ${config.machine}, ${config.secret}`);
        await gate.promise;
        progress("starting");
        warn("Slow", "It took long.");
      },
    });
    const iterator = provider.invokeAction(await request(provider, { machine: "m1", secret: "hunter2" }))[Symbol.asyncIterator]();
    const first: IteratorResult<InvokeActionEvent> = await iterator.next();
    expect(first.value).toEqual({ kind: "progress", message: "stopping m1, (sensitive value)" });
    gate.resolve();
    expect((await iterator.next()).value).toEqual({ kind: "progress", message: "starting" });
    expect((await iterator.next()).value).toMatchObject({ kind: "completed", diagnostics: [{ severity: "warning", summary: "Slow" }] });
    expect((await iterator.next()).done).toBe(true);
  });

  test("reports an error after its progress and earlier diagnostics", async ({ expect }) => {
    const provider = providerOf({
      invoke: ({ progress, error }) => {
        progress("trying");
        error("machine", "no such machine");
        throw new Error("gone");
      },
    });
    expect(await invoke(provider)).toEqual([
      "trying",
      ["error: no such machine: machine: no such machine", "error: Cannot invoke fleet_restart: gone"],
    ]);
    expect(await invoke(provider, { machine: Unknown })).toEqual([
      ["error: Invalid configuration: In the configuration, machine is unknown, but must be known."],
    ]);
  });

  test("aborts its signal when the caller stops reading", async ({ expect }) => {
    const aborted = Promise.withResolvers<unknown>();
    const provider = providerOf({
      invoke: async ({ signal, progress }) => {
        progress("begun");
        signal.addEventListener("abort", () => aborted.resolve(signal.reason));
        await aborted.promise;
      },
    });
    for await (const event of provider.invokeAction(await request(provider, { machine: "m1" }))) {
      expect(event.kind).toBe("progress");
      break;
    }
    await expect(aborted.promise).resolves.toBeInstanceOf(Error);
  });

  test("is planned: its plan handler may refuse, and receives unknown values", async ({ expect }) => {
    const provider = providerOf({
      plan: ({ config, error, warn }) => {
        if (isUnknown(config.machine)) warn("Cannot tell", "The machine is not known yet.");
        else if (config.machine === "m0") error("machine", "m0 is never restarted");
      },
      invoke: () => {},
    });
    const plan = async (machine: unknown): Promise<readonly string[]> =>
      texts((await provider.planAction(await request(provider, { machine }))).diagnostics);
    expect(await plan("m0")).toEqual(["error: m0 is never restarted: machine: m0 is never restarted"]);
    expect(await plan(Unknown)).toEqual(["warning: Cannot tell: The machine is not known yet."]);
    expect(await plan("m1")).toEqual([]);
    expect(texts((await provider.validateActionConfig(await request(provider, {}))).diagnostics)).toEqual([
      "error: Missing required attribute: machine is required, but not set.",
    ]);
    expect((await provider.getMetadata({})).actions).toEqual(["fleet_restart"]);
  });

  test("is deferred until the provider is configured, if the caller supports deferral", async ({ expect }) => {
    const late = defineProvider({ name: "fleet", version: "1.0.0", schema: { url: attr.string({ required: true }) }, configure: () => 1 });
    const provider = createProvider(late.with([late.action("restart", { schema, plan: () => {}, invoke: () => {} })]));
    const { provider: head } = await provider.getProviderSchema({});
    await provider.configureProvider({ terraformVersion: "1.14.0", config: configOf(head!.block, { url: Unknown }) });
    const planRequest = await request(provider, { machine: "m1" });
    const clientCapabilities = { deferralAllowed: true, writeOnlyAttributesAllowed: true };
    expect(await provider.planAction({ ...planRequest, clientCapabilities })).toEqual({
      diagnostics: [],
      deferred: { reason: "providerConfigUnknown" },
    });
    expect(texts((await provider.planAction(planRequest)).diagnostics)).toEqual([expect.stringContaining("url is known only after apply")]);
    expect(await invoke(provider)).toEqual([[expect.stringContaining("url is known only after apply")]]);
  });

  test("has no computed attributes, and must have an invoke handler", ({ expect }) => {
    const define = (wrong: Schema): unknown => fleet.action("x", { schema: wrong, invoke: () => {} });
    expect(() => define({ a: attr.string({ computed: true }) })).toThrow("the configuration of an action cannot have computed attributes");
    expect(() => fleet.action("x", {} as never)).toThrow("an action must define invoke()");
  });
});
