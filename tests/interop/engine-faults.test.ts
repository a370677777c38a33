// SPDX-License-Identifier: Apache-2.0
// Faults during an apply. After each, the state must record all objects that exist, and the next plan must continue from there.
import { setTimeout as pause } from "node:timers/promises";
import { EngineError, openWorkspace, type UnsavedStateError, type EngineEvent } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { memoryState } from "@tenon/engine/state/stores";
import { describe, test } from "vitest";
import { chain, expectContinues, failingStore, head, many, namesIn, open, Service } from "./engine-service.ts";

describe("a fault of the provider", () => {
  test("keeps the objects that were created in the state, and the next plan continues", async ({ expect }) => {
    const service = new Service();
    service.before = (step, name) => {
      if (name === "b") throw new Error(`no ${step} of b`);
    };
    const workspace = open(service, chain("a", "b", "c") + chain("d"), memoryState());
    const { errored, diagnostics } = await (await workspace.plan()).apply();
    expect(errored).toBe(true);
    expect(diagnostics.map(({ address }) => address)).toEqual(["mem_node.b"]);
    expect(namesIn(await workspace.state())).toEqual(["a", "d"]);
    await expectContinues(service, workspace, ["a", "b", "c", "d"]);
  });

  test("after the destruction in a replacement removes the old object from the state", async ({ expect }) => {
    const service = new Service();
    const state = memoryState();
    await (await open(service, chain("a"), state).plan()).apply();
    const workspace = open(service, chain("a").replace('name  = "a"', 'name = "z"'), state);
    service.before = (step) => {
      if (step === "create") throw new Error("no create");
    };
    expect((await (await workspace.plan()).apply()).errored).toBe(true);
    expect(namesIn(await workspace.state())).toEqual([]);
    expect([...service.objects]).toEqual([]);
  });

  test("that ends its process is a diagnostic of the object, and other objects are changed", async ({ expect }) => {
    const service = new Service();
    const workspace = open(service, chain("a", "b") + chain("d"), memoryState());
    service.crashesAfter = "b";
    const { diagnostics } = await (await workspace.plan()).apply();
    expect(diagnostics.map(({ summary, detail }) => [summary, detail])).toEqual([
      ["Provider call failed", "mem_node.b: the provider process ended"],
    ]);
    expect(namesIn(await workspace.state())).toEqual(["a", "d"]);
    await expectContinues(service, workspace, ["a", "b", "d"]);
  });
});

describe("the end of an apply", () => {
  test("by stop() starts no further change and keeps the changes that were made", async ({ expect }) => {
    const service = new Service();
    const workspace = open(service, many(50), memoryState(), { parallelism: 3 });
    const plan = await workspace.plan();
    let started = 0;
    service.before = async () => {
      if (++started === 6) void plan.stop();
      await pause(1);
    };
    const { errored, diagnostics } = await plan.apply();
    expect(errored).toBe(true);
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["execution halted"]);
    expect(started).toBeLessThan(12);
    expect(namesIn(await workspace.state())).toEqual([...service.objects.keys()].sort());
    await expectContinues(
      service,
      workspace,
      Array.from({ length: 50 }, (_, index) => `n${index}`),
    );
  });

  test("by a signal rejects with its reason and keeps the changes that were made", async ({ expect }) => {
    const service = new Service();
    const workspace = open(service, many(50), memoryState(), { parallelism: 3 });
    const controller = new AbortController();
    const plan = await workspace.plan({ signal: controller.signal });
    let started = 0;
    const ended: string[] = [];
    service.before = () => {
      if (++started === 6) controller.abort(new Error("enough"));
    };
    const onEvent = (event: EngineEvent): void => {
      if (event.type === "applyEnded" && event.status === "applied") ended.push(`n${event.address.instance.key}`);
    };
    await expect(plan.apply({ onEvent })).rejects.toThrow(/enough|cancel|abort/i);
    expect(started).toBeLessThan(12);
    expect(namesIn(await workspace.state())).toEqual(ended.sort());
    await expectContinues(
      service,
      workspace,
      Array.from({ length: 50 }, (_, index) => `n${index}`),
    );
  });

  test("by a second stop() cancels the calls in flight", async ({ expect }) => {
    const service = new Service();
    const workspace = open(service, chain("a", "b"), memoryState());
    const plan = await workspace.plan();
    service.before = (_, name) => {
      if (name !== "b") return undefined;
      void plan.stop();
      void plan.stop();
      return new Promise(() => undefined);
    };
    await expect(plan.apply()).rejects.toThrow(/cancel|abort/i);
    expect(namesIn(await workspace.state())).toEqual([...service.objects.keys()].sort());
    await expectContinues(service, workspace, ["a", "b"]);
  });

  test("by an error of a listener loses no object", async ({ expect }) => {
    const service = new Service();
    const workspace = open(service, chain("a", "b"), memoryState());
    const onEvent = ({ type }: EngineEvent): void => {
      if (type === "applyEnded") throw new Error("the listener failed");
    };
    await expect((await workspace.plan()).apply({ onEvent })).rejects.toThrow("the listener failed");
    expect([...service.objects.keys()]).toEqual(["a"]);
    expect(namesIn(await workspace.state())).toEqual(["a"]);
  });
});

describe("a fault of the store", () => {
  test("at one write is reported, and the last state is stored", async ({ expect }) => {
    let failures = 1;
    const store = failingStore(() => (failures-- > 0 ? new EngineError("STORE_FAILED", "the disk is full") : undefined));
    const service = new Service();
    const workspace = open(service, chain("a", "b"), store);
    service.before = () => pause(5);
    const error: unknown = await (await workspace.plan()).apply().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("the disk is full") });
    expect(namesIn(await workspace.state())).toEqual([...service.objects.keys()].sort());
    expect(namesIn((error as UnsavedStateError).state)).toEqual([...service.objects.keys()].sort());
    await expectContinues(service, workspace, ["a", "b"]);
  });

  test("at every write passes the state to the caller and starts no further change", async ({ expect }) => {
    const service = new Service();
    const workspace = open(
      service,
      chain("a", "b", "c"),
      failingStore(() => new Error("out of reach")),
    );
    service.before = () => pause(20);
    const error: unknown = await (await workspace.plan()).apply().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "STORE_FAILED", cause: new Error("out of reach") });
    expect(service.objects.size).toBeLessThan(3);
    expect(namesIn((error as UnsavedStateError).state)).toEqual([...service.objects.keys()].sort());
    await (await workspace.plan()).close();
  });
});

describe("the lock of the state", () => {
  test("is held from the plan to the end of the apply, and released after every kind of end", async ({ expect }) => {
    const service = new Service();
    const workspace = open(service, chain("a"), memoryState());
    const plan = await workspace.plan();
    await expect(workspace.plan()).rejects.toMatchObject({ code: "STATE_LOCKED" });
    service.before = () => expect(workspace.plan()).rejects.toMatchObject({ code: "STATE_LOCKED" });
    await plan.apply();
    await (await workspace.plan()).close();
    await expect(workspace.plan({ targets: ["mem_node."] })).rejects.toMatchObject({ code: "INVALID_ADDRESS" });
    await expect(workspace.plan({ signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
    await (await workspace.plan()).close();
  });

  test("is held until the end of an apply whose plan is closed", async ({ expect }) => {
    const service = new Service();
    const workspace = open(service, chain("a"), memoryState());
    const plan = await workspace.plan();
    service.before = () => pause(20);
    const applied = plan.apply();
    await plan.close();
    expect(namesIn(await workspace.state())).toEqual(["a"]);
    expect((await applied).errored).toBe(false);
  });
});

describe("invalid options", () => {
  test("are refused with a code", async ({ expect }) => {
    const service = new Service();
    const workspace = open(service, chain("a"), memoryState());
    const invalid = { code: "INVALID_OPTIONS" };
    await expect(workspace.plan({ targets: ["mem_node.a"], excludes: ["mem_node.a"] })).rejects.toMatchObject(invalid);
    expect(() => openWorkspace({ configuration: objectFiles({}), providers: { "a/b/c/d": service.open } })).toThrow("a/b/c/d");
    for (const parallelism of [0, -1, 1.5, NaN])
      expect(() => open(service, "", memoryState(), { parallelism })).toThrow("positive integer");
    const missing = openWorkspace({ configuration: objectFiles({ "main.tf": head + chain("a") }), providers: {} });
    await expect(missing.plan()).rejects.toMatchObject({ code: "PROVIDER_NOT_FOUND" });
  });

  test("include a second apply of a plan and the apply of a plan with errors", async ({ expect }) => {
    const service = new Service();
    const workspace = open(service, chain("a"), memoryState());
    const plan = await workspace.plan();
    const first = plan.apply();
    await expect(plan.apply()).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
    await first;
    await expect(plan.apply()).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
    await using broken = await open(service, 'resource "mem_node" "a" {}\n', memoryState()).plan();
    expect(broken.errored).toBe(true);
    await expect(broken.apply()).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
  });
});
