// SPDX-License-Identifier: Apache-2.0
// For each check and each known value: what it accepts, and the text with which it rejects something else.
import { describe, test } from "vitest";
import type { PlanCheck, QueryCheck, QueryResult, StateCheck } from "./checks/check.ts";
import type { PlanDocument } from "./documents/plan-document.ts";
import type { StateDocument } from "./documents/state-document.ts";
import * as checks from "./index.ts";
import { type Expected, knownValueOf } from "./known-value/known-value.ts";
import * as known from "./known-value/index.ts";

const note = "notebook_note.a";
const list = "list.dns_record.all";

const plan: PlanDocument = {
  resource_changes: [
    {
      address: note,
      mode: "managed",
      type: "notebook_note",
      change: {
        actions: ["create"],
        before: null,
        after: { title: "Bread", key: "secret" },
        after_unknown: { id: true },
        after_sensitive: { key: true },
      },
    },
  ],
  output_changes: {
    known: { actions: ["create"], before: null, after: { n: 1 }, after_unknown: false },
    later: { actions: ["create"], before: null, after_unknown: true },
    part: { actions: ["create"], before: null, after: { none: null }, after_unknown: { id: true } },
    none: { actions: ["create"], before: null, after: null, after_unknown: false },
  },
};
const deferring: PlanDocument = { deferred_changes: [{ reason: "absent_prereq", resource_change: plan.resource_changes![0]! }] };
const state: StateDocument = {
  values: {
    outputs: { known: { value: { n: 1 }, sensitive: false } },
    root_module: {
      resources: [
        {
          address: note,
          mode: "managed",
          type: "notebook_note",
          name: "a",
          values: { title: "Bread", folder: "inbox", names: ["Bread", "Rye"], key: "secret" },
          sensitive_values: { key: true },
          identity: { title: "Bread", place: "inbox" },
        },
      ],
    },
  },
};
const results: readonly QueryResult[] = [
  { address: list, displayName: "www", identity: { name: "www" }, resource: { ttl: 60 } },
  { address: list, displayName: "mail", identity: { name: "mail" }, resource: { ttl: 90 } },
];

/** What a check says about something that it accepts, and about something that it rejects. */
interface Pair {
  readonly accepts: () => string | undefined;
  readonly rejects: () => string | undefined;
  readonly text: string;
}

const ofPlan = (passing: PlanCheck, failing: PlanCheck, text: string, [first, second] = [plan, plan]): Pair => ({
  accepts: () => passing.checkPlan(first),
  rejects: () => failing.checkPlan(second),
  text,
});
const ofState = (passing: StateCheck, failing: StateCheck, text: string): Pair => ({
  accepts: () => passing.checkState(state),
  rejects: () => failing.checkState(state),
  text,
});
const ofQuery = (passing: QueryCheck, failing: QueryCheck, text: string): Pair => ({
  accepts: () => passing.checkQuery(results),
  rejects: () => failing.checkQuery(results),
  text,
});

const {
  byDisplayName,
  byIdentity,
  compareValue,
  compareValueCollection,
  compareValuePairs,
  expectDeferredChange,
  expectEmptyPlan,
  expectIdentity,
  expectIdentityValue,
  expectIdentityValueMatchesState,
  expectIdentityValueMatchesStateAtPath,
  expectKnownOutputValue,
  expectKnownOutputValueAtPath,
  expectKnownValue,
  expectLength,
  expectLengthAtLeast,
  expectNoDeferredChanges,
  expectNoIdentity,
  expectNonEmptyPlan,
  expectNullOutputValue,
  expectNullOutputValueAtPath,
  expectResourceAction,
  expectResourceDisplayName,
  expectResourceKnownValues,
  expectSensitiveValue,
  expectTotalLengthForMatching,
  expectUnknownOutputValue,
  expectUnknownOutputValueAtPath,
  expectUnknownValue,
  valuesDiffer,
  valuesSame,
} = checks;

const planPairs: Readonly<Record<string, Pair>> = {
  expectEmptyPlan: ofPlan(
    expectEmptyPlan(),
    expectEmptyPlan(),
    `the plan must be empty, but has these changes:\n  ${note}: create\n  output.known: create\n  output.later: create\n  output.part: create\n  output.none: create`,
    [{}, plan],
  ),
  expectNonEmptyPlan: ofPlan(expectNonEmptyPlan(), expectNonEmptyPlan(), "the plan must have changes, but is empty", [plan, {}]),
  expectResourceAction: ofPlan(
    expectResourceAction(note, "Create"),
    expectResourceAction(note, "Replace"),
    `${note} must have the action Replace, but has Create`,
  ),
  expectKnownValue: ofPlan(
    expectKnownValue(note, "title", "Bread"),
    expectKnownValue(note, "title", "Rye"),
    `${note}.title differs:\n  expected: "Rye"\n  actual:   "Bread"`,
  ),
  expectUnknownValue: ofPlan(
    expectUnknownValue(note, "id"),
    expectUnknownValue(note, "title"),
    `${note}.title must be unknown in the plan, but is known`,
  ),
  expectSensitiveValue: ofPlan(
    expectSensitiveValue(note, "key"),
    expectSensitiveValue(note, "title"),
    `${note}.title must be sensitive, but is not`,
  ),
  expectKnownOutputValue: ofPlan(
    expectKnownOutputValue("known", { n: 1 }),
    expectKnownOutputValue("known", { n: 2 }),
    "output.known.n differs:\n  expected: 2\n  actual:   1",
  ),
  expectKnownOutputValueAtPath: ofPlan(
    expectKnownOutputValueAtPath("known", "n", 1),
    expectKnownOutputValueAtPath("known", "n", 2),
    "output.known.n differs:\n  expected: 2\n  actual:   1",
  ),
  expectUnknownOutputValue: ofPlan(
    expectUnknownOutputValue("later"),
    expectUnknownOutputValue("known"),
    "output.known must be unknown in the plan, but is known",
  ),
  expectUnknownOutputValueAtPath: ofPlan(
    expectUnknownOutputValueAtPath("part", "id"),
    expectUnknownOutputValueAtPath("known", "n"),
    "output.known.n must be unknown in the plan, but is known",
  ),
  expectNullOutputValue: ofPlan(
    expectNullOutputValue("none"),
    expectNullOutputValue("known"),
    'output.known differs:\n  expected: null\n  actual:   { "n": 1 }',
  ),
  expectNullOutputValueAtPath: ofPlan(
    expectNullOutputValueAtPath("part", "none"),
    expectNullOutputValueAtPath("known", "n"),
    "output.known.n differs:\n  expected: null\n  actual:   1",
  ),
  expectDeferredChange: ofPlan(
    expectDeferredChange(note, "absent_prereq"),
    expectDeferredChange(note, "resource_config_unknown"),
    `the change of ${note} must be deferred because of resource_config_unknown, but is deferred because of absent_prereq`,
    [deferring, deferring],
  ),
  expectNoDeferredChanges: ofPlan(
    expectNoDeferredChanges(),
    expectNoDeferredChanges(),
    `the plan must defer no change, but defers:\n  ${note}: absent_prereq`,
    [plan, deferring],
  ),
};

const stateName = (value: string): string => `${note}.${value}`;

const statePairs: Readonly<Record<string, Pair>> = {
  "expectKnownValue of a state": ofState(
    expectKnownValue(note, "title", "Bread"),
    expectKnownValue(note, "key", "open"),
    `${stateName("key")} differs:\n  expected: (sensitive value)\n  actual:   (sensitive value)`,
  ),
  "expectSensitiveValue of a state": ofState(
    expectSensitiveValue(note, "key"),
    expectSensitiveValue(note, "title"),
    `${stateName("title")} must be sensitive, but is not`,
  ),
  "expectKnownOutputValue of a state": ofState(
    expectKnownOutputValue("known", { n: 1 }),
    expectKnownOutputValue("other", 1),
    "the state has no output other: it has known",
  ),
  "expectKnownOutputValueAtPath of a state": ofState(
    expectKnownOutputValueAtPath("known", "n", 1),
    expectKnownOutputValueAtPath("known", "n", 2),
    "output.known.n differs:\n  expected: 2\n  actual:   1",
  ),
  compareValue: ofState(
    compareValue(valuesSame()).addStateValue(note, "title"),
    compareValue(valuesSame()).addStateValue(note, "absent"),
    `${note} has no value at ${stateName("absent")}`,
  ),
  compareValuePairs: ofState(
    compareValuePairs(note, "title", note, "folder", valuesDiffer()),
    compareValuePairs(note, "title", note, "folder", valuesSame()),
    `${stateName("title")} and ${stateName("folder")} must be the same:\n  "Bread"\n  "inbox"`,
  ),
  compareValueCollection: ofState(
    compareValueCollection(note, "names", note, "title", valuesSame()),
    compareValueCollection(note, "names", note, "folder", valuesSame()),
    `an element of ${stateName("names")} and ${stateName("folder")} must be the same:\n  elements: ["Bread", "Rye"]\n  value:    "inbox"`,
  ),
  expectIdentity: ofState(
    expectIdentity(note, { title: "Bread", place: "inbox" }),
    expectIdentity(note, { title: "Bread" }),
    `the identity of ${note}.place differs:\n  expected: no such name\n  actual:   "inbox"`,
  ),
  expectIdentityValue: ofState(
    expectIdentityValue(note, "title", "Bread"),
    expectIdentityValue(note, "title", "Rye"),
    `the identity of ${note}.title differs:\n  expected: "Rye"\n  actual:   "Bread"`,
  ),
  expectIdentityValueMatchesState: ofState(
    expectIdentityValueMatchesState(note, "title"),
    expectIdentityValueMatchesState(note, "place"),
    `place in the identity of ${note} must equal ${stateName("place")}:\n  identity: "inbox"\n  state:    (none)`,
  ),
  expectIdentityValueMatchesStateAtPath: ofState(
    expectIdentityValueMatchesStateAtPath(note, "place", "folder"),
    expectIdentityValueMatchesStateAtPath(note, "place", "title"),
    `place in the identity of ${note} must equal ${stateName("title")}:\n  identity: "inbox"\n  state:    "Bread"`,
  ),
};

const queryPairs: Readonly<Record<string, Pair>> = {
  "expectIdentity of a query": ofQuery(
    expectIdentity(list, { name: "www" }),
    expectIdentity(list, { name: "ftp" }),
    `${list} must have a result with the identity { "name": "ftp" }, but has:\n  { "name": "www" }\n  { "name": "mail" }`,
  ),
  expectNoIdentity: ofQuery(
    expectNoIdentity(list, { name: "ftp" }),
    expectNoIdentity(list, { name: "www" }),
    `${list} must have no result with the identity { "name": "www" }, but has it`,
  ),
  expectLength: ofQuery(expectLength(list, 2), expectLength(list, 3), `${list} must have 3 results, but has 2`),
  expectLengthAtLeast: ofQuery(
    expectLengthAtLeast(list, 1),
    expectLengthAtLeast(list, 3),
    `${list} must have at least 3 results, but has 2`,
  ),
  expectTotalLengthForMatching: ofQuery(
    expectTotalLengthForMatching(/^list\./, 2),
    expectTotalLengthForMatching(/^list\./, 1),
    "the blocks that match /^list\\./ must have 1 result together, but have 2",
  ),
  expectResourceDisplayName: ofQuery(
    expectResourceDisplayName(list, byIdentity({ name: "www" }), "www"),
    expectResourceDisplayName(list, byIdentity({ name: "www" }), "mail"),
    `the display name in ${list} differs:\n  expected: "mail"\n  actual:   "www"`,
  ),
  expectResourceKnownValues: ofQuery(
    expectResourceKnownValues(list, byDisplayName("www"), { ttl: 60 }),
    expectResourceKnownValues(list, byDisplayName("www"), { ttl: 61 }),
    `the resource { "name": "www" } of ${list}: resource.ttl differs:\n  expected: 61\n  actual:   60`,
  ),
};

const pairs = { ...planPairs, ...statePairs, ...queryPairs };

describe("checks", () => {
  test.for(Object.entries(pairs))("%s accepts, and rejects with a text", ([, { accepts, rejects, text }], { expect }) => {
    expect(accepts()).toBeUndefined();
    expect(rejects()).toBe(text);
  });

  test("of a query refuse an address that the query lacks, and identities with other attributes", ({ expect }) => {
    const lists = [list];
    const other = "list.dns_record.other";
    const missing = `the query has no list block ${other}: it has ${list}`;
    expect(expectLength(other, 0).checkQuery([], lists)).toBe(missing);
    expect(expectLengthAtLeast(other, 0).checkQuery([], lists)).toBe(missing);
    expect(expectTotalLengthForMatching(/other/, 0).checkQuery([], lists)).toBe(
      `the query has no list block that matches /other/: it has ${list}`,
    );
    expect(expectLength(list, 0).checkQuery([], lists)).toBeUndefined();
    expect(expectNoIdentity(list, { id: "www" }).checkQuery(results)).toBe(`the identities in ${list} have the attributes name, not id`);
  });

  test("of a plan count the read of a data source as a change", ({ expect }) => {
    const reading = { resource_changes: [{ address: "data.t.a", mode: "data", type: "t", change: { actions: ["read"] } }] } as const;
    expect(expectNonEmptyPlan().checkPlan(reading)).toBeUndefined();
    expect(expectEmptyPlan().checkPlan(reading)).toContain("data.t.a: read");
  });

  test("each has a pair", ({ expect }) => {
    const exported = Object.keys(checks).filter((name) => /^(expect|compare)/.test(name));
    const tested = new Set(Object.keys(pairs).map((name) => name.split(" ")[0]!));
    expect([...tested].toSorted()).toEqual(exported.toSorted());
  });
});

type KnownPair = readonly [expected: Expected, accepted: unknown, rejected: unknown, description: string];

const knownPairs: Readonly<Record<string, KnownPair>> = {
  boolExact: [known.boolExact(true), true, "true", "true"],
  boolFunc: [known.boolFunc((value) => value), true, false, "a boolean that the predicate accepts"],
  float32Exact: [known.float32Exact(0.5), 0.5, 0.25, "0.5"],
  float64Exact: [known.float64Exact(0.5), 0.5, 0.25, "0.5"],
  int32Exact: [known.int32Exact(1), 1, 2, "1"],
  int64Exact: [known.int64Exact(1), 1, 2, "1"],
  listFunc: [known.listFunc(([first]) => first === "a"), ["a"], [], "a list that the predicate accepts"],
  listExact: [known.listExact(["a"]), ["a"], "a", '["a"]'],
  listPartial: [known.listPartial({ 0: "a" }), ["a", "b"], "a", 'a list with "a" at 0'],
  listSizeExact: [known.listSizeExact(1), ["a"], [], "1 element"],
  mapFunc: [known.mapFunc(({ k }) => k === 1), { k: 1 }, {}, "a map that the predicate accepts"],
  mapExact: [known.mapExact({ k: 1 }), { k: 1 }, [], '{ "k": 1 }'],
  mapPartial: [known.mapPartial({ k: 1 }), { k: 1, l: 2 }, [], '{ "k": 1 } and possibly more'],
  mapSizeExact: [known.mapSizeExact(1), { k: 1 }, {}, "1 element"],
  notNull: [known.notNull(), 0, null, "a value that is not null"],
  nullExact: [known.nullExact(), null, 0, "null"],
  numberExact: [known.numberExact(1), 1, 2, "1"],
  numberFunc: [known.numberFunc((value) => value > 1), 2, 1, "a number that the predicate accepts"],
  objectFunc: [known.objectFunc(({ k }) => k === 1), { k: 1 }, [], "an object that the predicate accepts"],
  objectExact: [known.objectExact({ k: 1 }), { k: 1 }, [], '{ "k": 1 }'],
  objectPartial: [known.objectPartial({ k: 1 }), { k: 1, l: 2 }, [], '{ "k": 1 } and possibly more'],
  setFunc: [known.setFunc((elements) => elements.includes("a")), ["b", "a"], ["b"], "a set that the predicate accepts"],
  setExact: [known.setExact(["a"]), ["a"], "a", 'a set of "a"'],
  setPartial: [known.setPartial(["a"]), ["b", "a"], "a", 'a set of "a" and possibly more'],
  setSizeExact: [known.setSizeExact(1), ["a"], [], "1 element"],
  stringExact: [known.stringExact("a"), "a", "b", '"a"'],
  stringFunc: [known.stringFunc((value) => value === "a"), "a", "b", "a string that the predicate accepts"],
  stringRegexp: [known.stringRegexp(/^a/), "ab", "b", "a string that matches /^a/"],
  tupleFunc: [known.tupleFunc(([first]) => first === 1), [1, "a"], ["a", 1], "a tuple that the predicate accepts"],
  tupleExact: [known.tupleExact(["a", 1]), ["a", 1], "a", '["a", 1]'],
  tuplePartial: [known.tuplePartial({ 1: true }), ["a", true], "a", "a list with true at 1"],
  tupleSizeExact: [known.tupleSizeExact(1), ["a"], [], "1 element"],
};

describe("known values", () => {
  test.for(Object.entries(knownPairs))(
    "%s accepts, and rejects with a description",
    ([, [expected, accepted, rejected, description]], { expect }) => {
      const value = knownValueOf(expected);
      expect(value.mismatches(accepted as never)).toEqual([]);
      expect(value.mismatches(rejected as never)).toMatchObject([{ path: [], expected: description, actual: rejected }]);
    },
  );

  test("each has a pair", ({ expect }) => {
    expect(Object.keys(knownPairs).toSorted()).toEqual(Object.keys(known).toSorted());
  });
});
