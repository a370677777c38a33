// SPDX-License-Identifier: Apache-2.0
import { number, of, string } from "@tenon/cty";
import { describe, test } from "vitest";
import { parseProviderConfig, parseResourceInstance, requireAddress, type ResourceInstance } from "../address/index.ts";
import { StateDraft } from "./state-draft.ts";
import { emptyState, isEmptyState, objectIn } from "./state.ts";
import { createStateObject } from "./state-object.ts";

const instance = (text: string): ResourceInstance => requireAddress(text, parseResourceInstance(text));
const providerText = 'provider["registry.opentofu.org/hashicorp/time"]';
const provider = { config: requireAddress(providerText, parseProviderConfig(providerText)) };
const object = createStateObject({ id: "1" });

describe("StateDraft", () => {
  test("does not change earlier snapshots", ({ expect }) => {
    const draft = new StateDraft();
    draft.setObject({ instance: instance("a.b[0]") }, object, provider);
    const first = draft.snapshot();
    draft.setObject({ instance: instance("a.b[1]") }, object, provider);
    draft.setOutput("o", { value: of(number, 1), sensitive: false });
    draft.removeObject({ instance: instance("a.b[0]") });
    const second = draft.snapshot();
    expect(objectIn(first, { instance: instance("a.b[0]") })).toBe(object);
    expect(objectIn(first, { instance: instance("a.b[1]") })).toBeUndefined();
    expect(first.outputs.size).toBe(0);
    expect(objectIn(second, { instance: instance("a.b[0]") })).toBeUndefined();
    expect(objectIn(second, { instance: instance("a.b[1]") })).toBe(object);
    expect(second.outputs.get("o")?.value).toEqual(of(number, 1));
  });

  test("shares unchanged resources between snapshots, and returns the same snapshot without changes", ({ expect }) => {
    const draft = new StateDraft();
    draft.setObject({ instance: instance("a.b") }, object, provider);
    draft.setObject({ instance: instance("c.d") }, object, provider);
    const before = draft.snapshot();
    expect(draft.snapshot()).toBe(before);
    draft.removeObject({ instance: instance("e.f") });
    draft.setOutput("absent", undefined);
    draft.prune();
    expect(draft.snapshot()).toBe(before);
    draft.setObject({ instance: instance("a.b") }, createStateObject({ id: "2" }), provider);
    const after = draft.snapshot();
    expect(after).not.toBe(before);
    expect(after.resources.get("c.d")).toBe(before.resources.get("c.d"));
    expect(new StateDraft(after).snapshot()).toBe(after);
  });

  test("does not change its initial state", ({ expect }) => {
    const draft = new StateDraft(emptyState);
    draft.setObject({ instance: instance("a.b") }, object, provider);
    draft.setOutput("o", { value: of(string, "x"), sensitive: false });
    expect(isEmptyState(emptyState)).toBe(true);
    expect(emptyState.resources.size).toBe(0);
  });

  test("deposes the current object, and removes instances without objects", ({ expect }) => {
    const draft = new StateDraft();
    const address = instance('module.m["x"].a.b[1]');
    draft.setObject({ instance: address }, object, provider);
    draft.depose(address, "deadbeef");
    expect(objectIn(draft.snapshot(), { instance: address })).toBeUndefined();
    expect(objectIn(draft.snapshot(), { instance: address, deposed: "deadbeef" })).toBe(object);
    const replacement = createStateObject({ id: "2" });
    draft.setObject({ instance: address }, replacement, provider);
    draft.removeObject({ instance: address, deposed: "deadbeef" });
    expect(objectIn(draft.snapshot(), { instance: address })).toBe(replacement);
    draft.removeObject({ instance: address });
    expect(draft.snapshot().resources.size).toBe(1);
    draft.prune();
    expect(draft.snapshot().resources.size).toBe(0);
  });

  test("changes objects at a cost that does not grow with the state", ({ expect }) => {
    const draft = new StateDraft();
    const addresses = Array.from({ length: 20_000 }, (_, key): ResourceInstance => ({ ...instance("a.b"), key }));
    for (const address of addresses) draft.setObject({ instance: address }, object, provider);
    const { resources } = draft.snapshot();
    // Copying the resource for each change would copy 400 million entries, more than the time limit of the test allows.
    for (const address of addresses) draft.setObject({ instance: address }, object, provider);
    expect(resources.get("a.b")?.instances.size).toBe(20_000);
    expect(draft.snapshot().resources.get("a.b")).not.toBe(resources.get("a.b"));
  });
});
