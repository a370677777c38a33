// SPDX-License-Identifier: Apache-2.0
// The differences in meaning between our checks and those of terraform-plugin-testing 1.16.0. Each has a reason and an example.
import { type Json, type PathStep, resourcesOf } from "@tenon/testing";
import type { CheckedDocuments, CheckNotation } from "./check-notation.ts";
import { type KnownValueNotation, someKnownValue } from "./known-value-notation.ts";
import { valueIn } from "./value-paths.ts";

/** A difference of meaning. */
export interface Difference {
  readonly name: string;
  /** Why our check does not do what Go's does. */
  readonly reason: string;
  /** Whether the verdicts about a check may differ because of it. */
  readonly applies: (check: CheckNotation, documents: CheckedDocuments) => boolean;
  readonly example: { readonly check: CheckNotation; readonly documents: CheckedDocuments; readonly passes: "ours" | "go" };
}

const numberText = (text: string): unknown => (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON(text);
const known = (kind: string, value?: unknown) => ({ kind, ...(value !== undefined && { value }) });
const outputPlan = (change: object): CheckedDocuments => ({ plan: { format_version: "1.2", output_changes: { o: change } } as never });
const resourceState = (values: object, more: object = {}, address = "t.a"): CheckedDocuments => {
  const resource = { address, mode: "managed", type: "t", name: "a", values, ...more };
  const inModule = address.startsWith("module.");
  const root = inModule ? { child_modules: [{ address: "module.m", resources: [resource] }] } : { resources: [resource] };
  return { state: { format_version: "1.0", values: { root_module: root } } as never };
};

/** The change of an output or a resource that a check of a plan is about. */
function changeOf({ on, arguments: given }: CheckNotation, { plan }: CheckedDocuments) {
  if (on !== "plan") return undefined;
  if (given.output !== undefined) return plan?.output_changes?.[given.output];
  return plan?.resource_changes?.find(({ address }) => address === given.address)?.change;
}

/** Whether a mark covers a path: at its end, or above it. */
function marksAlong(marks: Json | undefined, path: readonly PathStep[]): readonly boolean[] {
  return [...path.keys(), path.length].map((length) => valueIn(marks, path.slice(0, length)) === true);
}

/** All differences. */
export const differences: readonly Difference[] = [
  {
    name: "unknown values are not null",
    reason:
      "In a plan, an unknown output or element has no value, or null in the place of one. Go takes it for null; it may get any value.",
    applies: (check, documents) => {
      const change = changeOf(check, documents);
      const isValueCheck = /Known(Output)?Value|NullOutputValue/.test(check.name) && !check.name.includes("Unknown");
      return isValueCheck && marksAlong(change?.after_unknown, check.arguments.path ?? []).includes(true);
    },
    example: {
      check: { on: "plan", name: "ExpectNullOutputValue", arguments: { output: "o" } },
      documents: outputPlan({ actions: ["create"], before: null, after_unknown: true }),
      passes: "go",
    },
  },
  {
    name: "null outputs are those after the change",
    reason: "Go's ExpectNullOutputValue looks at the value before the change, unless the change creates the output.",
    applies: (check, documents) => {
      const { actions = [] } = changeOf(check, documents) ?? {};
      return check.name.startsWith("ExpectNullOutputValue") && actions.join() !== "create";
    },
    example: {
      check: { on: "plan", name: "ExpectNullOutputValue", arguments: { output: "o" } },
      documents: outputPlan({ actions: ["update"], before: "a", after: null, after_unknown: false }),
      passes: "ours",
    },
  },
  {
    name: "parts of a marked value are marked",
    reason:
      "The cores mark an unknown or sensitive collection as a whole. Go then says that there is no path to its parts, which are as unknown or secret.",
    applies: (check, documents) => {
      const { path = [], address } = check.arguments;
      const change = changeOf(check, documents);
      const resource = documents.state && resourcesOf(documents.state).find((one) => one.address === address);
      const marks = check.name.includes("Sensitive")
        ? (change?.after_sensitive ?? resource?.sensitive_values)
        : check.name.includes("Unknown")
          ? change?.after_unknown
          : undefined;
      return marksAlong(marks, path).slice(0, -1).includes(true);
    },
    example: {
      check: { on: "state", name: "ExpectSensitiveValue", arguments: { address: "t.a", path: ["keys", 0] } },
      documents: resourceState({ keys: ["k"] }, { sensitive_values: { keys: true } }),
      passes: "ours",
    },
  },
  {
    name: "resources of child modules are in the state",
    reason: "Go's checks of states look only at the root module, although those of plans find all resources.",
    applies: ({ on, arguments: given }) =>
      on === "state" &&
      [given.address, given.otherAddress, ...(given.added ?? []).map(({ address }) => address)].some((address) =>
        address?.startsWith("module."),
      ),
    example: {
      check: {
        on: "state",
        name: "ExpectKnownValue",
        arguments: { address: "module.m.t.a", path: ["id"], expected: known("StringExact", "1") },
      },
      documents: resourceState({ id: "1" }, {}, "module.m.t.a"),
      passes: "ours",
    },
  },
  {
    name: "elements of sets are matched in any order",
    reason:
      "Go gives each expected element the first actual one that it accepts, so that the order of the expected elements decides where they overlap.",
    applies: ({ arguments: { expected, values = {}, filter } }) => {
      const all = [expected, ...Object.values(values), ...Object.values(filter?.identity ?? {})].filter((one) => one !== undefined);
      return all.some((one) =>
        someKnownValue(one, (inside) => /^Set(Exact|Partial)$/.test(inside.kind) && someKnownValue(inside, acceptsSeveral)),
      );
    },
    example: {
      check: {
        on: "state",
        name: "ExpectKnownValue",
        arguments: { address: "t.a", path: ["tags"], expected: known("SetExact", [known("StringRegexp", "."), known("StringExact", "a")]) },
      },
      documents: resourceState({ tags: ["a", "b"] }),
      passes: "ours",
    },
  },
  {
    name: "an empty collection has no equal element",
    reason: "Go's CompareValueCollection passes for an empty collection, so that it does not see that the elements are missing.",
    applies: (check, { state }) => check.name === "CompareValueCollection" && collectionOf(check, state).length === 0,
    example: {
      check: {
        on: "state",
        name: "CompareValueCollection",
        arguments: { address: "t.a", collection: [["tags"]], otherAddress: "t.a", otherPath: ["id"], comparer: "ValuesSame" },
      },
      documents: resourceState({ id: "1", tags: [] }),
      passes: "go",
    },
  },
  {
    name: "an element is compared with a list as it is",
    reason: "Go puts each element into a list before it compares it with a list: an element that is a list never equals one.",
    applies: (check, { state }) => {
      const { otherAddress, otherPath = [] } = check.arguments;
      const other = state && resourcesOf(state).find(({ address }) => address === otherAddress);
      return check.name === "CompareValueCollection" && Array.isArray(valueIn(other?.values, otherPath));
    },
    example: {
      check: {
        on: "state",
        name: "CompareValueCollection",
        arguments: { address: "t.a", collection: [["groups"]], otherAddress: "t.a", otherPath: ["tags"], comparer: "ValuesSame" },
      },
      documents: resourceState({ groups: [["a"], ["b"]], tags: ["a"] }),
      passes: "ours",
    },
  },
  {
    name: "elements without an attribute are skipped",
    reason: "Go's CompareValueCollection ends at the first element that has no value at the path, although another one equals the value.",
    applies: (check) => check.name === "CompareValueCollection" && (check.arguments.collection ?? []).length > 1,
    example: {
      check: {
        on: "state",
        name: "CompareValueCollection",
        arguments: { address: "t.a", collection: [["pages"], ["text"]], otherAddress: "t.a", otherPath: ["id"], comparer: "ValuesSame" },
      },
      documents: resourceState({ id: "1", pages: [{}, { text: "1" }] }),
      passes: "ours",
    },
  },
  {
    name: "numbers are compared by value",
    reason:
      "Go compares the texts of numbers in comparisons, and reads integers without a fraction. The cores write 1 for 1.0, other programs may not.",
    // Documents of cores never show it.
    applies: () => false,
    example: {
      check: {
        on: "state",
        name: "CompareValuePairs",
        arguments: { address: "t.a", path: ["a"], otherAddress: "t.a", otherPath: ["b"], comparer: "ValuesSame" },
      },
      documents: resourceState({ a: 1, b: numberText("1.0") }),
      passes: "ours",
    },
  },
  {
    name: "numberFunc takes any number",
    reason:
      "We have one predicate of numbers. Go has five, of which those of integers reject a fraction, and those of 32 bits a larger number.",
    applies: ({ arguments: { expected, values = {} } }) =>
      [expected, ...Object.values(values)].some(
        (one) => one !== undefined && someKnownValue(one, ({ kind }) => /^(Int|Float)\d\dFunc$/.test(kind)),
      ),
    example: {
      check: { on: "state", name: "ExpectKnownValue", arguments: { address: "t.a", path: ["size"], expected: known("Int64Func") } },
      documents: resourceState({ size: 0.5 }),
      passes: "ours",
    },
  },
];

/** Whether a known value accepts more than one value. */
function acceptsSeveral({ kind }: KnownValueNotation): boolean {
  return /^(NotNull|StringRegexp)$|Func$|Partial$|SizeExact$/.test(kind) && kind !== "SetPartial";
}

function collectionOf({ arguments: { address, collection = [] } }: CheckNotation, state: CheckedDocuments["state"]): readonly unknown[] {
  const values = state && resourcesOf(state).find((one) => one.address === address)?.values;
  const found = valueIn(values, collection[0] ?? []);
  return typeof found === "object" && found !== null ? Object.values(found) : [];
}
