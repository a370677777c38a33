// SPDX-License-Identifier: Apache-2.0
// Random checks of plans, states and results of queries. Most of them are about something that the document has.
import { type Json, type PlanDocument, resourcesOf, type StateDocument } from "@tenon/testing";
import type { Random } from "@tenon/testing/generate";
import type { CheckArguments, CheckedDocuments, CheckNotation } from "./check-notation.ts";
import { generateKnownValue } from "./generate-known-values.ts";
import type { KnownValueNotation } from "./known-value-notation.ts";
import { generatePath, valueIn } from "./value-paths.ts";

const actions = ["NoOp", "Create", "Read", "Update", "DestroyBeforeCreate", "CreateBeforeDestroy", "Destroy", "Replace"];
const reasons = ["resource_config_unknown", "provider_config_unknown", "absent_prereq", "deferred_prereq", "instance_count_unknown"];

/** Picks an element; returns `other` for an empty array, and now and then for any other. */
function pickOr<T>(random: Random, from: readonly T[], other: T): T {
  return from.length === 0 || random.chance(0.08) ? other : random.pick(from);
}

const planCheckNames = [
  "ExpectEmptyPlan",
  "ExpectNonEmptyPlan",
  "ExpectResourceAction",
  "ExpectKnownValue",
  "ExpectUnknownValue",
  "ExpectSensitiveValue",
  "ExpectKnownOutputValue",
  "ExpectKnownOutputValueAtPath",
  "ExpectUnknownOutputValue",
  "ExpectUnknownOutputValueAtPath",
  "ExpectNullOutputValue",
  "ExpectNullOutputValueAtPath",
  "ExpectDeferredChange",
  "ExpectNoDeferredChanges",
];

/** A check of a plan. */
export function generatePlanCheck(random: Random, plan: PlanDocument): CheckNotation {
  const name = random.pick(planCheckNames);
  return { on: "plan", name, arguments: name.includes("Output") ? outputOfPlan(random, plan, name) : resourceOfPlan(random, plan, name) };
}

function outputOfPlan(random: Random, { output_changes: outputs = {} }: PlanDocument, name: string): CheckArguments {
  const output = pickOr(random, Object.keys(outputs), "absent");
  const change = outputs[output];
  const path = name.endsWith("AtPath") ? generatePath(random, [change?.after, change?.after_unknown, change?.before]) : [];
  return { output, path, expected: generateKnownValue(random, valueIn(change?.after, path)) };
}

function resourceOfPlan(random: Random, plan: PlanDocument, name: string): CheckArguments {
  const { resource_changes: changes = [], deferred_changes: deferred = [] } = plan;
  const ofDeferred = name === "ExpectDeferredChange";
  const addresses = ofDeferred ? deferred.map((one) => one.resource_change.address) : changes.map((one) => one.address);
  const address = pickOr(random, addresses, "absent_resource.a");
  const change = changes.find((one) => one.address === address)?.change;
  const marks = { ExpectUnknownValue: change?.after_unknown, ExpectSensitiveValue: change?.after_sensitive }[name];
  const path = generatePath(random, random.chance(0.6) && marks !== undefined ? [marks] : [change?.after, change?.after_unknown]);
  const reason = deferred.find((one) => one.resource_change.address === address)?.reason;
  const planned = actions.find((action) => actionsText[action] === change?.actions.join());
  return {
    address,
    path,
    action: planned !== undefined && random.chance(0.5) ? planned : random.pick(actions),
    reason: reason !== undefined && random.chance(0.6) ? reason : random.pick(reasons),
    expected: generateKnownValue(random, valueIn(change?.after, path)),
  };
}

const actionsText: Readonly<Record<string, string>> = {
  NoOp: "no-op",
  Create: "create",
  Read: "read",
  Update: "update",
  DestroyBeforeCreate: "delete,create",
  CreateBeforeDestroy: "create,delete",
  Destroy: "delete",
};

const stateCheckNames = [
  "ExpectKnownValue",
  "ExpectKnownOutputValue",
  "ExpectKnownOutputValueAtPath",
  "ExpectSensitiveValue",
  "CompareValuePairs",
  "CompareValueCollection",
  "ExpectIdentity",
  "ExpectIdentityValue",
  "ExpectIdentityValueMatchesState",
  "ExpectIdentityValueMatchesStateAtPath",
];

/** A check of a state. */
export function generateStateCheck(random: Random, state: StateDocument): CheckNotation {
  const name = random.pick(stateCheckNames);
  if (name.includes("Output")) return { on: "state", name, arguments: outputOfState(random, state, name) };
  const resources = resourcesOf(state);
  const one = pickOr(random, resources, undefined);
  const other = random.chance(0.5) ? one : pickOr(random, resources, undefined);
  const given: CheckArguments = {
    address: one?.address ?? "absent_resource.a",
    otherAddress: other?.address ?? "absent_resource.a",
    comparer: random.pick(["ValuesSame", "ValuesDiffer"]),
  };
  return { on: "state", name, arguments: { ...given, ...ofResource(random, name, one, other) } };
}

type StateResource = ReturnType<typeof resourcesOf>[number];

function ofResource(random: Random, name: string, one: StateResource | undefined, other: StateResource | undefined): CheckArguments {
  if (name.startsWith("ExpectIdentity")) return ofIdentity(random, name, one);
  if (name === "CompareValueCollection") return ofCollection(random, one, other);
  const marks = name === "ExpectSensitiveValue" && random.chance(0.6) ? one?.sensitive_values : one?.values;
  const path = generatePath(random, [marks]);
  const otherPath = random.chance(0.5) ? path : generatePath(random, [other?.values]);
  return { path, otherPath, expected: generateKnownValue(random, valueIn(one?.values, path)) };
}

function ofIdentity(random: Random, name: string, one: StateResource | undefined): CheckArguments {
  const identity = one?.identity ?? {};
  if (name === "ExpectIdentity") return { values: expectedValues(random, identity) };
  const path = generatePath(random, [identity]);
  const same = Object.entries(one?.values ?? {}).find(([, value]) => value === valueIn(identity, path))?.[0];
  const otherPath = same !== undefined && random.chance(0.6) ? [same] : generatePath(random, [one?.values]);
  return { path, otherPath, expected: generateKnownValue(random, valueIn(identity, path)) };
}

/** A collection of a resource: one of its attributes, or an attribute of the elements of one. */
function ofCollection(random: Random, one: StateResource | undefined, other: StateResource | undefined): CheckArguments {
  const values = Object.entries(one?.values ?? {});
  const [name, value] = pickOr<readonly [string, Json]>(
    random,
    values.filter(([, part]) => Array.isArray(part)),
    values[0] ?? ["absent", null],
  );
  const first = Array.isArray(value) ? (value as readonly Json[])[0] : undefined;
  const inner = typeof first === "object" && first !== null && !Array.isArray(first) ? Object.keys(first) : [];
  const collection = inner.length === 0 ? [[name]] : [[name], [random.pick(inner)]];
  return { collection, otherPath: generatePath(random, [other?.values]) };
}

function outputOfState(random: Random, { values }: StateDocument, name: string): CheckArguments {
  const output = pickOr(random, Object.keys(values?.outputs ?? {}), "absent");
  const value = values?.outputs?.[output]?.value;
  const path = name.endsWith("AtPath") ? generatePath(random, [value]) : [];
  return { output, path, expected: generateKnownValue(random, valueIn(value, path)) };
}

function expectedValues(random: Random, values: Readonly<Record<string, Json>>): Readonly<Record<string, KnownValueNotation>> {
  const names = random.chance(0.85) ? Object.keys(values) : Object.keys(values).slice(1);
  return Object.fromEntries(names.map((name) => [name, generateKnownValue(random, values[name])]));
}

/** A comparison of a value over several states. */
export function generateComparison(random: Random, states: readonly StateDocument[]): CheckNotation {
  const added = states.map((state) => {
    const resource = pickOr(random, resourcesOf(state), undefined);
    return { address: resource?.address ?? "absent_resource.a", path: generatePath(random, [resource?.values]) };
  });
  const [first] = added;
  const isSame = random.chance(0.5);
  const comparer = random.pick(["ValuesSame", "ValuesDiffer"] as const);
  return { on: "state", name: "CompareValue", arguments: { comparer, added: isSame ? added.map(() => first!) : added } };
}

const queryCheckNames = [
  "ExpectIdentity",
  "ExpectNoIdentity",
  "ExpectLength",
  "ExpectLengthAtLeast",
  "ExpectTotalLengthForMatching",
  "ExpectResourceDisplayName",
  "ExpectResourceKnownValues",
];

/** A check of the results of a query. */
export function generateQueryCheck(random: Random, { lists = [], results = [] }: CheckedDocuments): CheckNotation {
  const name = random.pick(queryCheckNames);
  const result = pickOr(random, results, undefined);
  const list = result?.address ?? pickOr(random, lists, "list.absent.a");
  const total = results.filter(({ address }) => address === list).length;
  const identity = result?.identity ?? {};
  const filter = random.chance(0.5)
    ? { identity: Object.fromEntries(Object.entries(identity).map(([key, value]) => [key, generateKnownValue(random, value)])) }
    : { displayName: generateKnownValue(random, result?.display_name) };
  const given: CheckArguments = {
    address: list.replace(/^list\./, ""),
    length: random.chance(0.6) ? total : random.int(4),
    pattern: random.pick(["^list", "absent", `${list.slice(-1)}$`]),
    filter,
    expected: generateKnownValue(random, result?.display_name),
    values: expectedValues(random, name.includes("Identity") ? identity : (result?.resource_object ?? {})),
  };
  return { on: "query", name, arguments: given };
}
