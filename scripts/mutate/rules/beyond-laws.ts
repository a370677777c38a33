// SPDX-License-Identifier: Apache-2.0
// Which mutations of the rules `npm run mutate -- laws` leaves out, and which of the others no law finds.
//
// A mutation is a fault that a provider can commit if, because of it, a core gets a response to some request that the protocol does not allow, or that
// contradicts another response of the provider. The others are of three kinds:
// - words: only the words or the order of messages change;
// - author: only what the SDK tells an author, or gives to a handler, changes;
// - allowed: a provider may respond in this way, or no core uses the response.

/** A mutation, by its rule and the beginning of the text that it replaces, and why it is left out. */
export interface LeftOut {
  readonly rule: string;
  readonly search: string;
  readonly reason: string;
}

const leftOut = (kind: "words" | "author" | "allowed", rule: number, search: string, why: string): LeftOut => ({
  rule: String(rule),
  search,
  reason: `${kind}: ${why}`,
});

/** Mutations that are no faults of a provider. */
export const noFaults: readonly LeftOut[] = [
  leftOut("words", 10, "for (const blocks of [false, true]) {", "diagnostics come in another order"),
  leftOut("author", 10, "if (validate !== undefined && !hasFailed(call)) {", "`validate` sees a configuration that is invalid already"),
  leftOut(
    "allowed",
    20,
    "...(identity === undefined ? {} : { plannedIdentity: identity }),",
    "the plan of a new object need not have an identity",
  ),
  leftOut("words", 21, "(pathText(a) < pathText(b)", "the paths that require a replacement come in another order"),
  leftOut("allowed", 23, "({ config }) => config !== null", "a change may always require a replacement"),
  leftOut("allowed", 23, "&& condition(change)", "a change may always require a replacement"),
  leftOut(
    "allowed",
    26,
    "if (hasFailed(call)) return { ...unapplied(request)",
    "a core keeps the object whose deletion fails, whatever the response has",
  ),
  leftOut("allowed", 30, "if (!outcome.ok) return unread(request);", "a core ignores the state of a read that fails"),
  leftOut("words", 32, 'if (importState === undefined) return "This resource', "the import is refused with another text"),
  leftOut("words", 32, "outcome.value === undefined || outcome.value === null", "the import is refused with another text"),
  leftOut("words", 33, "if (outcome.value === undefined || outcome.value === null) return refuse", "the move is refused with another text"),
  leftOut("words", 33, "if (moveState === undefined)", "the move is refused with another text"),
  leftOut(
    "allowed",
    34,
    "if (member === undefined || member === null) return emptyEntry(entry);",
    "a state without the blocks of the schema has null for them, as in terraform-plugin-framework",
  ),
  leftOut("words", 35, "if (upgrader === undefined) {", "the upgrade is refused with another text"),
  leftOut("author", 35, "if (!from.includes(one))", "a provider with a gap in its upgraders starts"),
  leftOut("allowed", 38, "if (version > current) return refuse", "a core refuses an identity of a newer version itself"),
  leftOut("allowed", 44, "if (atRoot && entry.name", "a generated configuration may leave out what the provider can choose"),
  leftOut("allowed", 44, 'return entry.optional && part.payload === "";', "a generated configuration may set an empty text"),
  leftOut("allowed", 46, "if (data.size === 0) return new Uint8Array(0);", "private data may be empty in any encoding"),
  leftOut("author", 46, 'if (name === "" || name.startsWith("."))', "an author uses a reserved name in private data"),
];

/** Faults of a provider that no law finds with the resources of the tests. */
export const notFound: readonly LeftOut[] = [
  {
    rule: "11",
    search: "if (isWhollyKnown(value)) runValidators(entry",
    reason: "the generated unknown values are whole arguments, not elements of a list or map without nested attributes",
  },
  {
    rule: "13",
    search: 'configuration.kind === "deferred" && capabilities',
    reason: "a provider is checked with a known configuration; no law configures it with an unknown one",
  },
  {
    rule: "23",
    search: "(!isNew && isUnknown(planned) && !isUnknown(config)",
    reason:
      "it takes an update in which an argument that was set before is unknown, in a plan without a replacement: no case of this run has it",
  },
  {
    rule: "24",
    search: "if (at >= 0) taken.add(at);",
    reason: "it takes an update of something else beside two elements with the same key: no case of this run has it",
  },
  {
    rule: "46",
    search: "  if (plain === undefined) {",
    reason: "a provider that does not use its private data may ignore data that it cannot read; a law cannot tell the two apart",
  },
];
