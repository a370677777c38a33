// SPDX-License-Identifier: Apache-2.0
// Instances of providers that outlive a run.
import { openWorkspace, WarmProviders, type Workspace } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { memoryState } from "@tenon/engine/state/stores";
import { attr, createProvider, defineProvider } from "@tenon/provider-sdk";
import type { ProviderFactory } from "@tenon/schema";
import { describe, test } from "vitest";

/** A provider whose instances are counted. */
class Counted {
  opened = 0;
  configured: string[] = [];
  closed = 0;

  readonly factory: ProviderFactory = async () => {
    this.opened++;
    const definition = defineProvider({
      name: "c",
      version: "1.0.0",
      schema: { token: attr.string({ optional: true }) },
      configure: ({ config }) => {
        if (config.token === "invalid") throw new Error("the token is invalid");
        this.configured.push(config.token ?? "");
      },
      cleanup: () => void this.closed++,
    });
    const thing = definition.resource("thing", {
      schema: { name: attr.string({ required: true }) },
      create: ({ planned }) => planned,
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => {},
    });
    return createProvider(definition.with([thing]));
  };
}

function workspaceOf(counted: Counted, warm: WarmProviders, token: string): Workspace {
  const configuration = objectFiles({
    "main.tf.json": {
      terraform: { required_providers: { c: { source: "tenon/c" } } },
      provider: { c: { token } },
      resource: { c_thing: { a: { name: "a" } } },
    },
  });
  return openWorkspace({ configuration, state: memoryState(), providers: { "tenon/c": counted.factory }, warmProviders: warm });
}

async function applied(workspace: Workspace): Promise<void> {
  await using plan = await workspace.plan();
  await plan.apply();
}

describe("warm providers", () => {
  test("serve runs with equal configurations with one instance, which is configured once", async ({ expect }) => {
    const counted = new Counted();
    await using warm = new WarmProviders();
    for (let run = 0; run < 3; run++) await applied(workspaceOf(counted, warm, "x"));
    expect(counted).toMatchObject({ opened: 1, configured: ["x"], closed: 0 });
    await warm[Symbol.asyncDispose]();
    expect(counted.closed).toBe(1);
  });

  test("open an instance for each configuration, and use each of them again", async ({ expect }) => {
    const counted = new Counted();
    await using warm = new WarmProviders();
    for (const token of ["x", "y", "x", "y", "y"]) await applied(workspaceOf(counted, warm, token));
    expect(counted).toMatchObject({ opened: 2, configured: ["x", "y"] });
    expect(warm.idleCount).toBe(2);
  });

  test("give runs at the same time instances of their own", async ({ expect }) => {
    const counted = new Counted();
    await using warm = new WarmProviders();
    const [first, second] = await Promise.all([workspaceOf(counted, warm, "x").plan(), workspaceOf(counted, warm, "x").plan()]);
    expect(counted.opened).toBe(2);
    await Promise.all([first.close(), second.close()]);
    expect(warm.idleCount).toBe(2);
  });

  test("close the instance that has waited longest where there are too many", async ({ expect }) => {
    const counted = new Counted();
    await using warm = new WarmProviders({ maximumIdle: 1 });
    await applied(workspaceOf(counted, warm, "x"));
    await applied(workspaceOf(counted, warm, "y"));
    expect(warm.idleCount).toBe(1);
    await applied(workspaceOf(counted, warm, "y"));
    expect(counted.configured).toEqual(["x", "y"]);
  });

  test("do not keep an instance that was asked to stop", async ({ expect }) => {
    const counted = new Counted();
    await using warm = new WarmProviders();
    const plan = await workspaceOf(counted, warm, "x").plan();
    await plan.stop();
    await plan.close();
    expect(warm.idleCount).toBe(0);
  });

  test("do not keep an instance that refused its configuration", async ({ expect }) => {
    const counted = new Counted();
    await using warm = new WarmProviders();
    const plan = await workspaceOf(counted, warm, "invalid").plan();
    expect(plan.errored).toBe(true);
    await plan.close();
    expect(warm.idleCount).toBe(0);
  });

  test("replace an instance that no longer answers", async ({ expect }) => {
    const counted = new Counted();
    const opened: Awaited<ReturnType<ProviderFactory>>[] = [];
    const factory: ProviderFactory = async (options) => {
      const instance = await counted.factory(options);
      opened.push(instance);
      return instance;
    };
    await using warm = new WarmProviders();
    const workspace = workspaceOf(Object.assign(new Counted(), { factory }), warm, "x");
    await applied(workspace);
    await opened[0]!.close();
    await applied(workspace);
    expect(opened).toHaveLength(2);
  });

  test("close instances that wait for too long", async ({ expect }) => {
    const counted = new Counted();
    await using warm = new WarmProviders({ idleMs: 1 });
    await applied(workspaceOf(counted, warm, "x"));
    await expect.poll(() => counted.closed).toBe(1);
    expect(warm.idleCount).toBe(0);
  });

  test("refuse numbers that are negative", ({ expect }) => {
    expect(() => new WarmProviders({ maximumIdle: -1 })).toThrow("maximumIdle is -1");
    expect(() => new WarmProviders({ idleMs: Number.NaN })).toThrow("idleMs is NaN");
  });
});
