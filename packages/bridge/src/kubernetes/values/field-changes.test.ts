// SPDX-License-Identifier: Apache-2.0
import { dynamic, list, map, number, object, objectOf, of, set, string, unknown, type Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { createAttribute, createNestedBlock, createSchema, impliedType } from "@tenon/schema";
import { test } from "vitest";
import { mapKinds } from "../mapping/map-kinds.ts";
import { fieldChanges, type FieldChanges } from "./field-changes.ts";

const nested = {
  attributes: {
    pin: createAttribute({ type: string, optional: true, sensitive: true }),
    port: createAttribute({ type: number, optional: true }),
  },
};
const schema = createSchema({
  attributes: {
    id: createAttribute({ type: string, computed: true }),
    user_name: createAttribute({ type: string, optional: true }),
    pass_word: createAttribute({ type: string, optional: true, sensitive: true }),
    write_only: createAttribute({ type: string, optional: true, writeOnly: true }),
    tags: createAttribute({ type: map(string), optional: true }),
    rules: createAttribute({ type: list(object({ net_id: string })), optional: true }),
    labels: createAttribute({ type: set(string), optional: true }),
    anything: createAttribute({ type: dynamic, optional: true }),
    logins: createAttribute({ nested: { nesting: "list", ...nested }, optional: true }),
  },
  blocks: {
    disk: createNestedBlock("list", { attributes: { size: createAttribute({ type: number, optional: true }) } }),
    secret_set: createNestedBlock("set", nested),
    plain_set: createNestedBlock("set", { attributes: { free_gb: createAttribute({ type: number, optional: true }) } }),
  },
});
const [kind] = mapKinds({ schemas: { resources: new Map([["x_thing", schema]]) } }, { group: "x.example.org" });
const type = impliedType(schema.block);

const nothing = {
  id: null,
  user_name: null,
  pass_word: null,
  write_only: null,
  tags: null,
  rules: null,
  labels: null,
  logins: null,
  disk: [],
  secret_set: [],
  plain_set: [],
};

function thing(given: Readonly<Record<string, unknown>>, anything: Value = of(string, "")): Value {
  return of(type, { ...nothing, anything, ...given });
}

function changes(
  before: Value | undefined,
  after: Value,
  ...requiresReplace: Parameters<typeof fieldChanges>[3] & object
): FieldChanges["changes"] {
  return fieldChanges(kind!, before ?? valueOf(type, null), after, requiresReplace).changes;
}

test("changes have the paths of fields, and both values as JSON", ({ expect }) => {
  const before = thing({
    user_name: "a",
    tags: { "a.b": "1", c: "2" },
    rules: [{ net_id: "x" }, { net_id: "y" }],
    labels: ["l", "m"],
    disk: [{ size: 1 }],
  });
  const after = thing({
    user_name: "b",
    tags: { "a.b": "2" },
    rules: [{ net_id: "y" }],
    labels: ["m", "n"],
    disk: [{ size: 2 }, { size: 3 }],
    plain_set: [{ free_gb: 5 }],
  });
  expect(changes(before, after)).toEqual([
    { path: "labels[*]", from: '"l"' },
    { path: "labels[*]", to: '"n"' },
    { path: "rules[0].netId", from: '"x"' },
    { path: "tags[a.b]", from: '"1"', to: '"2"' },
    { path: "tags.c", from: '"2"' },
    { path: "userName", from: '"a"', to: '"b"' },
    { path: "disk[0].size", from: "1", to: "2" },
    { path: "disk[1].size", to: "3" },
    { path: "plainSet[*]", to: '{"freeGb":5}' },
  ]);
  expect(changes(before, before)).toEqual([]);
});

test("values of dynamic type are compared by their parts", ({ expect }) => {
  const shaped = (size: Value): Value =>
    thing(
      {},
      objectOf(
        new Map([
          ["Size", size],
          ["kept", of(string, "k")],
        ]),
      ),
    );
  expect(changes(shaped(of(number, 1)), shaped(of(number, 2)))).toEqual([{ path: "anything.Size", from: "1", to: "2" }]);
  expect(changes(shaped(of(number, 1)), shaped(of(string, "1")))).toEqual([{ path: "anything.Size", from: "1", to: '"1"' }]);
});

test("an empty value is a change of its own", ({ expect }) => {
  expect(changes(thing({}), thing({ tags: {}, labels: [] }))).toEqual([
    { path: "labels", to: "[]" },
    { path: "tags", to: "{}" },
  ]);
});

test("values that must not be shown are not shown, at any depth", ({ expect }) => {
  const secrets = { pass_word: "hunter2", logins: [{ pin: "hunter3", port: 1 }], secret_set: [{ pin: "hunter4", port: 1 }] };
  const found = changes(
    thing(secrets),
    thing({ pass_word: "hunter5", logins: [{ pin: "hunter6", port: 2 }], secret_set: [{ pin: "hunter7", port: 2 }] }),
  );
  expect(found).toEqual([
    { path: "logins[0].pin", sensitive: true },
    { path: "logins[0].port", from: "1", to: "2" },
    { path: "passWord", sensitive: true },
    { path: "secretSet", sensitive: true },
  ]);
  const withUnknown = thing({ ...secrets, logins: unknown(type.kind === "object" ? type.attributes["logins"]! : dynamic) });
  expect(changes(thing(secrets), withUnknown)).toEqual([{ path: "logins", from: '[{"port":1}]', unknown: true }]);
});

test("what is known only after the change is marked, and left out of a creation", ({ expect }) => {
  const after = thing({ id: unknown(string), user_name: "u", tags: { a: unknown(string), b: "2" }, rules: [{ net_id: unknown(string) }] });
  expect(changes(thing({ id: "1", user_name: "u", tags: { a: "1", b: "2" } }), after)).toEqual([
    { path: "id", from: '"1"', unknown: true },
    { path: "rules[0].netId", unknown: true },
    { path: "tags.a", from: '"1"', unknown: true },
  ]);
  expect(changes(undefined, after)).toEqual([
    { path: "tags.b", to: '"2"' },
    { path: "userName", to: '"u"' },
  ]);
});

test("changes that require a replacement come first, and say so", ({ expect }) => {
  const step = (name: string) => [{ kind: "attribute", name }] as const;
  const before = thing({ user_name: "a", labels: ["l"] });
  const after = thing({ user_name: "b", labels: ["m"] });
  expect(changes(before, after, step("user_name"), step("write_only"))).toEqual([
    { path: "userName", from: '"a"', to: '"b"', requiresReplacement: true },
    { path: "writeOnly", sensitive: true, requiresReplacement: true },
    { path: "labels[*]", from: '"l"' },
    { path: "labels[*]", to: '"m"' },
  ]);
});

test("long lists and long values are cut off", ({ expect }) => {
  const tags = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`t${index}`, "v".repeat(1_000)]));
  const { changes: listed, omitted } = fieldChanges(kind!, thing({}), thing({ tags }));
  expect([listed.length, omitted, listed[0]!.to!.length]).toEqual([50, 10, 256]);
  expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThan(20_000);
});
