// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import type { KubernetesObject } from "../client/kubernetes-object.ts";
import { ObjectStore, type ObjectChange } from "./object-store.ts";

function object(name: string, version: string, labels: Readonly<Record<string, string>> = {}): KubernetesObject {
  return { metadata: { namespace: "n", name, uid: name, resourceVersion: version, labels } };
}

function storeWithIndex(): { readonly store: ObjectStore<KubernetesObject>; readonly changes: ObjectChange<KubernetesObject>[] } {
  const store = new ObjectStore<KubernetesObject>({
    color: ({ metadata }) => (metadata.labels?.["color"] ?? "").split(",").filter(Boolean),
  });
  const changes: ObjectChange<KubernetesObject>[] = [];
  store.onChange((change) => void changes.push(change));
  return { store, changes };
}

test("an index is updated by changes and deletions", ({ expect }) => {
  const { store } = storeWithIndex();
  const names = (value: string): string[] => store.byIndex("color", value).map(({ metadata }) => metadata.name);
  store.put(object("a", "1", { color: "red,blue" }));
  store.put(object("b", "2", { color: "red" }));
  expect([names("red"), names("blue")]).toEqual([["a", "b"], ["a"]]);
  store.put(object("a", "3", { color: "blue" }));
  expect([names("red"), names("blue")]).toEqual([["b"], ["a"]]);
  store.delete(object("a", "3"));
  expect([names("red"), names("blue"), store.size]).toEqual([["b"], [], 1]);
  expect(() => store.byIndex("size", "1")).toThrow(TypeError);
});

test("replace() reports only the objects that differ", ({ expect }) => {
  const { store, changes } = storeWithIndex();
  store.replace([object("same", "1"), object("changed", "1"), object("gone", "1")]);
  changes.length = 0;
  store.replace([object("same", "1"), object("changed", "2"), object("new", "3")]);
  expect(changes.map(({ key, before, after }) => [key, before?.metadata.resourceVersion, after?.metadata.resourceVersion])).toEqual([
    ["n/changed", "1", "2"],
    ["n/new", undefined, "3"],
    ["n/gone", "1", undefined],
  ]);
});

test("a removed listener is not called", ({ expect }) => {
  const { store } = storeWithIndex();
  let count = 0;
  const remove = store.onChange(() => void (count += 1));
  store.put(object("a", "1"));
  remove();
  store.put(object("a", "2"));
  expect(count).toBe(1);
});
