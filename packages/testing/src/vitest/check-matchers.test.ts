// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from "vitest";
import { byIdentity } from "../checks/query-results.ts";
import "./index.ts";

const change = { actions: ["create"], before: null, after: { title: "Bread" }, after_unknown: { id: true }, after_sensitive: {} };
const plan = { configuration: {}, resource_changes: [{ address: "notebook_note.a", mode: "managed", type: "notebook_note", change }] };
const state = { values: { outputs: { n: { value: 1, sensitive: false } }, root_module: {} } };
const results = [{ address: "list.dns_record.all", displayName: "www", identity: { name: "www" } }];

describe("matchers", () => {
  test("accept what their check accepts, and reject the rest", () => {
    expect(plan).toHaveResourceAction("notebook_note.a", "Create");
    expect(plan).not.toHaveResourceAction("notebook_note.a", "Update");
    expect(plan).toHaveUnknownValue("notebook_note.a", "id");
    expect(plan).not.toBeEmptyPlan();
    expect(state).toHaveKnownOutputValue("n", 1);
    expect(results).toHaveResultLength("list.dns_record.all", 1);
    expect(results).toHaveResourceDisplayName("list.dns_record.all", byIdentity({ name: "www" }), "www");
  });

  test("fail with the text of their check", () => {
    expect(() => expect(plan).toHaveKnownValue("notebook_note.a", "title", "Rye")).toThrow(
      'notebook_note.a.title differs:\n  expected: "Rye"\n  actual:   "Bread"',
    );
    expect(() => expect(plan).not.toHaveResourceAction("notebook_note.a", "Create")).toThrow("the check passes, but must not");
  });

  test("refuse a subject that their check is not about", () => {
    expect(() => expect(state).toHaveUnknownValue("notebook_note.a", "id")).toThrow("toHaveUnknownValue takes a plan");
  });
});
