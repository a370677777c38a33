// SPDX-License-Identifier: Apache-2.0
// State stores, correct ones and one with each fault.
import { attr, defineProvider, type ServedProvider } from "@tenon/provider-sdk";
import { describe, expect, test } from "vitest";
import { configStep, runTestCase, stateStoreStep, type StateStoreStepOptions } from "../index.ts";

/** What a remote system stores, for all instances of its provider. */
interface Remote {
  readonly states: Map<string, Uint8Array>;
  readonly locks: Map<string, string>;
}

interface Faults {
  /** Name under which a state is stored. */
  readonly nameOf?: (stateId: string) => string;
  readonly read?: (state: Uint8Array | undefined) => Uint8Array | undefined;
  readonly list?: (names: readonly string[]) => readonly string[];
  readonly keepsInInstance?: boolean;
  /** What a deletion does. Default: it removes the state. */
  readonly deletion?: "nothing" | "hides";
  readonly locks?: "always" | "never released" | "fails";
  readonly only?: string;
}

/** A provider with a state store. */
function archive(faults: Faults = {}): { readonly provider: ServedProvider; readonly remote: Remote } {
  const remote: Remote = { states: new Map(), locks: new Map() };
  const { nameOf = (name) => name, read = (state) => state, list = (names) => names, keepsInInstance = false, deletion } = faults;
  const definition = defineProvider({ name: "archive", version: "1.0.0" });
  let lastLock = 0;
  const hidden = new Set<string>();
  const shelf = definition.stateStore("shelf", {
    schema: { bucket: attr.string({ required: true }) },
    open: ({ config }) => {
      if (config.bucket === "absent") throw new Error("there is no bucket absent");
      return keepsInInstance ? { states: new Map<string, Uint8Array>(), locks: new Map<string, string>() } : remote;
    },
    read: ({ store, stateId }) => read(store.states.get(nameOf(stateId))),
    write: ({ store, stateId, state }) => {
      if (faults.only !== undefined && stateId !== faults.only) throw new Error(`only ${faults.only} is supported`);
      store.states.set(nameOf(stateId), state.slice());
    },
    list: ({ store }) => list([...store.states.keys()].filter((name) => !hidden.has(name))),
    delete: ({ store, stateId }) => {
      if (deletion === "hides") hidden.add(stateId);
      else if (deletion !== "nothing") store.states.delete(nameOf(stateId));
    },
    lock: ({ store, stateId }) => {
      if (faults.locks === "fails" && stateId === "default") throw new Error("no right to lock");
      if (store.locks.has(stateId) && faults.locks !== "always") throw new Error(`locked with ${store.locks.get(stateId)}`);
      store.locks.set(stateId, `lock-${(lastLock += 1)}`);
      return store.locks.get(stateId)!;
    },
    unlock: ({ store, stateId }) => void (faults.locks !== "never released" && store.locks.delete(stateId)),
  });
  return { provider: definition.with([shelf]), remote };
}

const store = { type: "archive_shelf", config: { bucket: "b" } };

/** Runs a case with one step. Returns the failure's text; undefined if it passes. */
async function failureOf(faults: Faults, options: StateStoreStepOptions = {}, of = store): Promise<string | undefined> {
  const { provider } = archive(faults);
  try {
    await runTestCase({ providers: { archive: provider }, steps: [stateStoreStep(of, options)], runner: "in-process" });
    return undefined;
  } catch (error) {
    const { message, stack = "" } = error as Error;
    expect(stack).toContain("run-state-store-step.test.ts");
    return message;
  }
}

describe("a step of a state store", () => {
  test("passes for a correct store, and leaves it empty", async () => {
    const { provider, remote } = archive();
    const steps = [
      stateStoreStep(store, { verifyLock: true }),
      stateStoreStep(store, { defaultWorkspaceOnly: true }),
      configStep('resource "terraform_data" "a" {}\n'),
    ];
    expect(await runTestCase({ providers: { archive: provider }, steps, runner: "in-process" })).toEqual({ status: "passed" });
    expect([...remote.states.keys()]).toEqual(["default"]);
    expect(remote.locks.size).toBe(0);
  });

  test("uses only the default workspace of a store that has no others", async () => {
    expect(await failureOf({ only: "default" }, { defaultWorkspaceOnly: true, verifyLock: true })).toBeUndefined();
    expect(await failureOf({ only: "default" })).toContain("creation of tenon-test-a\n\n  cannot write");
  });

  test.for<[string, Faults, string]>([
    [
      "a store that gives all workspaces one state",
      { nameOf: () => "default" },
      "after changes of tenon-test-b, the state tenon-test-a must have nothing, but has terraform_data.tenon_1, terraform_data.tenon_2",
    ],
    [
      "a list that lacks a state",
      { list: (names) => names.filter((name) => name !== "tenon-test-a") },
      "after two workspaces were created, the store must have the states default, tenon-test-a, tenon-test-b, but lists default, tenon-test-b",
    ],
    [
      "a list with a state that does not exist",
      { list: (names) => [...names, "other"] },
      "at the beginning, the store must have the states default, but lists default, other",
    ],
    [
      "states that are lost with the instance",
      { keepsInInstance: true },
      "after an apply of one object, the state tenon-test-b must have terraform_data.tenon_1, but has nothing",
    ],
    [
      "a store that truncates states",
      { read: (state) => (state && state.length > 500 ? state.subarray(0, 500) : state) },
      "read of tenon-test-b",
    ],
    [
      "a deletion that does nothing",
      { deletion: "nothing" },
      "after tenon-test-b was deleted, the store must have the states default, tenon-test-a, but lists default, tenon-test-a, tenon-test-b",
    ],
    [
      "a deletion that keeps the state",
      { deletion: "hides" },
      "after its creation, the state tenon-test-b must have nothing, but has terraform_data.tenon_1, terraform_data.tenon_2",
    ],
  ])("finds %s", async ([, faults, text]) => {
    expect(await failureOf(faults)).toContain(text);
  });

  test.for<[string, Faults, string]>([
    [
      "a lock that two clients acquire",
      { locks: "always" },
      "second lock of default\n\n  the store must refuse the lock, because another client holds it, but grants it",
    ],
    ["a lock that is never released", { locks: "never released" }, "is locked: "],
    ["a lock that cannot be acquired", { locks: "fails" }, 'lock of default\n\n  the state "default" of archive_shelf is locked: '],
  ])("finds %s", async ([, faults, text]) => {
    expect(await failureOf(faults, { verifyLock: true })).toContain(text);
  });

  test("expects errors of the store, and fails without them", async () => {
    const absent = { type: "archive_shelf", config: { bucket: "absent" } };
    expect(await failureOf({}, { expectError: /no bucket absent/ }, absent)).toBeUndefined();
    expect(await failureOf({}, { expectError: /no bucket absent/ })).toContain("must fail with an error");
    expect(await failureOf({}, { expectError: /timeout/ }, absent)).toContain("with another error than /timeout/");
    expect(await failureOf({}, {}, { type: "archive_other", config: { bucket: "b" } })).toContain("archive_other");
  });

  test("needs the runner in process, and one provider or its name", async () => {
    const { provider } = archive();
    const runner = {
      name: "tofu 1.12.6",
      core: { product: "opentofu", version: "1.12.6" },
      lacks: (feature: string) => `no ${feature}`,
    } as never;
    const steps = [stateStoreStep(store)];
    expect(await runTestCase({ providers: { archive: provider }, steps, runner })).toEqual({ status: "skipped", reason: "no stateStore" });
    const both = { archive: provider, other: provider };
    await expect(runTestCase({ providers: both, steps, runner: "in-process" })).rejects.toThrow(
      "a step of the kind stateStore must name its provider",
    );
    expect(await runTestCase({ providers: both, steps: [stateStoreStep(store, { provider: "other" })], runner: "in-process" })).toEqual({
      status: "passed",
    });
  });
});
