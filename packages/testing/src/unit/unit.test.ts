// SPDX-License-Identifier: Apache-2.0
import { attr, defineProvider, importById } from "@tenon/provider-sdk";
import { useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import { describe, expect, test } from "vitest";
import { openResource, testClock, type TestClock } from "./index.ts";

interface Job {
  readonly id: string;
  readonly name: string;
  readonly finished: number;
}

/** A provider whose jobs take a minute. */
function jobs(clock: TestClock) {
  const stored = new Map<string, Job>();
  const definition = defineProvider({ name: "jobs", version: "1.0.0" });
  const job = definition.resource("job", {
    schema: {
      id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
      name: attr.string({ required: true }),
      finished: attr.number({ computed: true }),
    },
    create: async ({ planned, signal }) => {
      await clock.wait(60_000, { signal });
      const created = { id: String(stored.size + 1), name: planned.name, finished: clock.now() };
      stored.set(created.id, created);
      return created;
    },
    read: ({ state }) => stored.get(state.id),
    update: ({ planned, state }) => ({ ...state, name: planned.name, finished: clock.now() }),
    delete: ({ state }) => void stored.delete(state.id),
    importState: importById("id"),
  });
  return { job, provider: definition.with([job]) };
}

describe("openResource", () => {
  test("plans, creates, imports and deletes objects in this process", async () => {
    const clock = testClock();
    const { job, provider } = jobs(clock);
    await using opened = await openResource(provider, job);
    const plan = await opened.plan({ name: "backup" });
    expect([plan.action, plan.unknown]).toEqual(["create", ["finished", "id"]]);
    const creation = plan.apply();
    await clock.untilWaiting();
    await clock.advance(60_000);
    const created = (await creation)!;
    expect(created.state).toEqual({ id: "1", name: "backup", finished: Date.parse("2030-01-01T00:01:00Z") });
    expect((await opened.import("1")).state).toEqual(created.state);
    await opened.delete(created);
    expect(await opened.read(created)).toBeUndefined();
  });
});

describe("testClock", () => {
  test("ends waits in their order, at their times", async () => {
    const clock = testClock(new Date(0));
    const log: string[] = [];
    const wait = async (name: string, milliseconds: number): Promise<void> => {
      await clock.wait(milliseconds);
      log.push(`${name} at ${clock.now()}`);
      if (name === "first") await wait("third", 5);
    };
    const waits = Promise.all([wait("second", 20), wait("first", 10)]);
    await clock.advance(9);
    expect(log).toEqual([]);
    await clock.advance(20);
    await waits;
    expect(log).toEqual(["first at 10", "third at 15", "second at 20"]);
    expect([clock.now(), clock.waiting]).toEqual([29, 0]);
  });

  test("rejects a wait that is aborted", async () => {
    const clock = testClock();
    const controller = new AbortController();
    const wait = clock.wait(10, { signal: controller.signal });
    controller.abort(new Error("stopped"));
    await expect(wait).rejects.toThrow("stopped");
    expect(clock.waiting).toBe(0);
  });
});
