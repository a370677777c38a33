// SPDX-License-Identifier: Apache-2.0
// Random plans, states and results of queries, in the form of `show -json`.
import type { Json, JsonObject, PlanDocument, ResourceChangeDocument, ResourceDocument, StateDocument } from "@tenon/testing";
import type { Random } from "@tenon/testing/generate";
import type { CheckedDocuments, QueryResultNotation } from "./check-notation.ts";

const names = ["id", "title", "tags", "size"];

/** A value: null, a primitive value, or one with values inside. */
function generateJson(random: Random, depth: number): Json {
  const kind = random.int(depth === 0 ? 5 : 7);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return random.pick([0, 1, -7, 0.5, 2_147_483_648, 9_007_199_254_740_991, 1.1]);
  if (kind <= 4) return random.pick(["", "a", "b", "Bread", "ä"]);
  return kind === 5 ? random.times(random.int(4), () => generateJson(random, depth - 1)) : generateObject(random, depth - 1);
}

function generateObject(random: Random, depth: number): JsonObject {
  return Object.fromEntries(names.filter(() => random.chance(0.7)).map((name) => [name, generateJson(random, depth)]));
}

/** Marks some of the values inside an object, as `after_unknown` and `sensitive_values` do. */
function generateMarks(random: Random, value: Json): Json {
  if (random.chance(0.15)) return true;
  if (Array.isArray(value)) return (value as readonly Json[]).map((element) => generateMarks(random, element));
  if (typeof value === "object" && value !== null) return marksOfObject(random, value as JsonObject);
  return false;
}

function marksOfObject(random: Random, object: JsonObject): JsonObject {
  const marks = Object.entries(object).map(([name, part]) => [name, generateMarks(random, part)] as const);
  // The cores leave out what has no mark.
  return Object.fromEntries(marks.filter(([, mark]) => mark !== false));
}

const actionsOfPlans = [["no-op"], ["create"], ["read"], ["update"], ["delete"], ["delete", "create"], ["create", "delete"]];

function generateChange(random: Random, address: string): ResourceChangeDocument {
  const after = generateObject(random, 2);
  const unknown = marksOfObject(random, after);
  const known = Object.entries(after).filter(([name]) => unknown[name] !== true);
  return {
    address,
    mode: "managed",
    type: "t",
    change: {
      actions: random.pick(actionsOfPlans),
      before: random.chance(0.5) ? null : generateObject(random, 2),
      after: random.chance(0.1) ? null : Object.fromEntries(known),
      after_unknown: unknown,
      after_sensitive: marksOfObject(random, after),
    },
  };
}

/** A plan. */
export function generatePlan(random: Random): PlanDocument {
  const changes = ["t.a", "t.b", 'module.m["k"].t.a'].filter(() => random.chance(0.6)).map((address) => generateChange(random, address));
  const outputs = ["one", "two"]
    .filter(() => random.chance(0.7))
    .map((name) => {
      const after = generateJson(random, 2);
      const isUnknown = random.chance(0.2);
      const before = random.chance(0.5) ? null : generateJson(random, 1);
      const values = isUnknown ? { after_unknown: true } : { after, after_unknown: false };
      return [name, { actions: random.pick(actionsOfPlans), before, ...values }] as const;
    });
  const isDeferring = random.chance(0.3);
  const document = {
    format_version: "1.2",
    resource_changes: changes,
    output_changes: Object.fromEntries(outputs),
    ...(isDeferring && { deferred_changes: changes.map((change) => ({ reason: "absent_prereq", resource_change: change })) }),
  };
  return document;
}

/** A state. */
export function generateState(random: Random): StateDocument {
  const resources = ["t.a", "t.b"]
    .filter(() => random.chance(0.8))
    .map((address): ResourceDocument => {
      const values = generateObject(random, 2);
      const identity = random.chance(0.5) ? { id: values["id"] ?? "a", place: random.pick(["here", 1, true]) } : undefined;
      return {
        address,
        mode: "managed",
        type: "t",
        name: address.slice(2),
        values,
        sensitive_values: marksOfObject(random, values),
        ...(identity && { identity, identity_schema_version: 0 }),
      };
    });
  const outputs = ["one", "two"]
    .filter(() => random.chance(0.7))
    .map((name) => [name, { value: generateJson(random, 2), sensitive: false }] as const);
  const document = { format_version: "1.0", values: { outputs: Object.fromEntries(outputs), root_module: { resources } } };
  return random.chance(0.05) ? ({ format_version: "1.0" } as StateDocument) : document;
}

/** The results of a query. */
export function generateQuery(random: Random): Pick<CheckedDocuments, "lists" | "results"> {
  const lists = ["list.t.a", "list.t.b"].filter(() => random.chance(0.8));
  const hasResource = random.chance(0.7);
  const results = lists.flatMap((address) =>
    random.times(random.int(3), (index): QueryResultNotation => ({
      address,
      display_name: random.pick(["www", "mail", ""]),
      identity: { id: `${address}-${index}`, place: random.pick(["here", 1, true]) },
      ...(hasResource && { resource_object: generateObject(random, 1) }),
    })),
  );
  return { lists, results };
}
