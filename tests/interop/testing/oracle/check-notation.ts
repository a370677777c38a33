// SPDX-License-Identifier: Apache-2.0
import * as ours from "@tenon/testing";
import { type KnownValueNotation, ourKnownValue } from "./known-value-notation.ts";

type Path = readonly ours.PathStep[];

/** The arguments of checks, in the notation of testing-oracle. */
export interface CheckArguments {
  readonly address?: ours.ResourceAddress;
  readonly path?: Path;
  readonly output?: string;
  readonly action?: string;
  readonly reason?: string;
  readonly expected?: KnownValueNotation;
  readonly values?: Readonly<Record<string, KnownValueNotation>>;
  readonly length?: number;
  readonly pattern?: string;
  readonly filter?: { readonly identity?: Readonly<Record<string, KnownValueNotation>>; readonly displayName?: KnownValueNotation };
  readonly collection?: readonly Path[];
  readonly otherAddress?: ours.ResourceAddress;
  readonly otherPath?: Path;
  readonly comparer?: "ValuesSame" | "ValuesDiffer";
  readonly added?: readonly { readonly address: ours.ResourceAddress; readonly path: Path }[];
}

/** A check in the notation of testing-oracle. */
export interface CheckNotation {
  readonly on: "plan" | "state" | "query";
  readonly name: string;
  readonly arguments: CheckArguments;
}

/** What the checks of a case look at. Results are in the form of the log of `terraform query -json`. */
export interface CheckedDocuments {
  readonly plan?: ours.PlanDocument;
  readonly state?: ours.StateDocument;
  readonly states?: readonly ours.StateDocument[];
  readonly lists?: readonly string[];
  readonly results?: readonly QueryResultNotation[];
}

/** A result of a query, as a core logs it. */
export interface QueryResultNotation {
  readonly address: string;
  readonly display_name: string;
  readonly identity: ours.JsonObject;
  readonly resource_object?: ours.JsonObject;
}

type Given = Required<CheckArguments>;
type AnyCheck = Partial<ours.PlanCheck & ours.StateCheck & ours.QueryCheck>;

const comparerOf = ({ comparer }: Given): ours.ValueComparer => (comparer === "ValuesSame" ? ours.valuesSame() : ours.valuesDiffer());
const expectedOf = ({ expected }: Given): ours.KnownValue => ourKnownValue(expected);
const valuesOf = ({ values }: Given): Readonly<Record<string, ours.KnownValue>> => convertAll(values);
// Go's checks of queries take addresses without `list.`.
const listOf = ({ address }: Given): string => `list.${address}`;

/** Our function for each of Go's, by the document and the name. */
const functions: Readonly<Record<string, (given: Given) => AnyCheck>> = {
  "plan ExpectEmptyPlan": () => ours.expectEmptyPlan(),
  "plan ExpectNonEmptyPlan": () => ours.expectNonEmptyPlan(),
  "plan ExpectResourceAction": ({ address, action }) => ours.expectResourceAction(address, action as ours.ResourceAction),
  "plan ExpectKnownValue": (given) => ours.expectKnownValue(given.address, given.path, expectedOf(given)),
  "plan ExpectUnknownValue": ({ address, path }) => ours.expectUnknownValue(address, path),
  "plan ExpectSensitiveValue": ({ address, path }) => ours.expectSensitiveValue(address, path),
  "plan ExpectKnownOutputValue": (given) => ours.expectKnownOutputValue(given.output, expectedOf(given)),
  "plan ExpectKnownOutputValueAtPath": (given) => ours.expectKnownOutputValueAtPath(given.output, given.path, expectedOf(given)),
  "plan ExpectUnknownOutputValue": ({ output }) => ours.expectUnknownOutputValue(output),
  "plan ExpectUnknownOutputValueAtPath": ({ output, path }) => ours.expectUnknownOutputValueAtPath(output, path),
  "plan ExpectNullOutputValue": ({ output }) => ours.expectNullOutputValue(output),
  "plan ExpectNullOutputValueAtPath": ({ output, path }) => ours.expectNullOutputValueAtPath(output, path),
  "plan ExpectDeferredChange": ({ address, reason }) => ours.expectDeferredChange(address, reason as ours.DeferredReason),
  "plan ExpectNoDeferredChanges": () => ours.expectNoDeferredChanges(),
  "state ExpectKnownValue": (given) => ours.expectKnownValue(given.address, given.path, expectedOf(given)),
  "state ExpectKnownOutputValue": (given) => ours.expectKnownOutputValue(given.output, expectedOf(given)),
  "state ExpectKnownOutputValueAtPath": (given) => ours.expectKnownOutputValueAtPath(given.output, given.path, expectedOf(given)),
  "state ExpectSensitiveValue": ({ address, path }) => ours.expectSensitiveValue(address, path),
  "state CompareValuePairs": (given) =>
    ours.compareValuePairs(given.address, given.path, given.otherAddress, given.otherPath, comparerOf(given)),
  "state CompareValueCollection": (given) =>
    ours.compareValueCollection(given.address, given.collection.flat(), given.otherAddress, given.otherPath, comparerOf(given)),
  "state ExpectIdentity": (given) => ours.expectIdentity(given.address, valuesOf(given)),
  "state ExpectIdentityValue": (given) => ours.expectIdentityValue(given.address, given.path, expectedOf(given)),
  "state ExpectIdentityValueMatchesState": ({ address, path }) => ours.expectIdentityValueMatchesState(address, path),
  "state ExpectIdentityValueMatchesStateAtPath": ({ address, path, otherPath }) =>
    ours.expectIdentityValueMatchesStateAtPath(address, path, otherPath),
  "query ExpectIdentity": (given) => ours.expectIdentity(listOf(given), valuesOf(given)),
  "query ExpectNoIdentity": (given) => ours.expectNoIdentity(listOf(given), valuesOf(given)),
  "query ExpectLength": (given) => ours.expectLength(listOf(given), given.length),
  "query ExpectLengthAtLeast": (given) => ours.expectLengthAtLeast(listOf(given), given.length),
  "query ExpectTotalLengthForMatching": ({ pattern, length }) => ours.expectTotalLengthForMatching(new RegExp(pattern), length),
  "query ExpectResourceDisplayName": (given) => ours.expectResourceDisplayName(listOf(given), filterOf(given), expectedOf(given)),
  "query ExpectResourceKnownValues": (given) => ours.expectResourceKnownValues(listOf(given), filterOf(given), valuesOf(given)),
};

/** All checks as `plan ExpectEmptyPlan`; CompareValue, which adds a value for each of several states, is one of them. */
export const checkNames: readonly string[] = [...Object.keys(functions), "state CompareValue"];

/** Returns why our check fails; undefined if it passes. */
export function ourOutcome({ on, name, arguments: given }: CheckNotation, documents: CheckedDocuments): string | undefined {
  if (name === "CompareValue") return compareValues(given as Given, documents.states ?? []);
  const create = functions[`${on} ${name}`];
  if (create === undefined) throw new TypeError(`no check ${on} ${name}`);
  const check = create(given as Given);
  if (on === "plan") return check.checkPlan!(documents.plan!);
  if (on === "state") return check.checkState!(documents.state!);
  return check.checkQuery!((documents.results ?? []).map(ourResult), documents.lists ?? []);
}

function compareValues(given: Given, states: readonly ours.StateDocument[]): string | undefined {
  const comparison = ours.compareValue(comparerOf(given));
  const checks = given.added.map(({ address, path }) => comparison.addStateValue(address, path));
  for (const [index, state] of states.entries()) {
    const outcome = checks[index]!.checkState(state);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

function ourResult({ address, display_name: displayName, identity, resource_object: resource }: QueryResultNotation): ours.QueryResult {
  return { address, displayName, identity, ...(resource && { resource }) };
}

function filterOf({ filter }: Given): ours.QueryFilter {
  return filter.displayName === undefined
    ? ours.byIdentity(convertAll(filter.identity ?? {}))
    : ours.byDisplayName(ourKnownValue(filter.displayName));
}

function convertAll(values: Readonly<Record<string, KnownValueNotation>>): Readonly<Record<string, ours.KnownValue>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, ourKnownValue(value)]));
}
