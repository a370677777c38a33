// SPDX-License-Identifier: Apache-2.0
// Which mutations of the rules `npm run mutate -- laws` leaves out, and which of the others no law finds.
//
// A mutation is left out if no provider can commit it as a fault:
// - author: the code is between the SDK and its authors. No response of a provider whose author makes no mistake changes.
// - words: the same calls fail, and only the words of the error, or the order of a list that has no order, change. The protocol requires no words.
// - equal: the protocol allows both responses, and the cores act in the same way on both.
//
// Every other mutation counts, also one whose response the protocol allows, if the cores act in another way on it: they show another plan, for example.

/** A mutation, by its rule and the beginning of the text that it replaces, and why it is left out. */
export interface LeftOut {
  readonly rule: string;
  readonly search: string;
  readonly reason: string;
}

const leftOut = (kind: "author" | "words" | "equal", rule: number, search: string, why: string): LeftOut => ({
  rule: String(rule),
  search,
  reason: `${kind}: ${why}`,
});

/** Mutations that are no faults of a provider. */
export const noFaults: readonly LeftOut[] = [
  leftOut("words", 10, "for (const blocks of [false, true]) {", "diagnostics have no order; they come in another one"),
  leftOut(
    "author",
    10,
    "if (validate !== undefined && !hasFailed(call)) {",
    "`validate` sees a configuration that is invalid already, against its types",
  ),
  leftOut("words", 21, "(pathText(a) < pathText(b)", "the paths that require a replacement have no order; they come in another one"),
  leftOut(
    "equal",
    30,
    "if (!outcome.ok) return unread(request);",
    "the cores ignore the state of a read that fails; terraform-plugin-sdk returns none",
  ),
  leftOut("words", 32, 'if (importState === undefined) return "This resource', "the import fails without this reason in its error"),
  leftOut("words", 32, "outcome.value === undefined || outcome.value === null", "the import fails with another error"),
  leftOut("words", 33, "if (outcome.value === undefined || outcome.value === null) return refuse", "the move fails with another error"),
  leftOut("words", 33, "if (moveState === undefined)", "the move fails with another error"),
  leftOut("words", 35, "if (upgrader === undefined) {", "the upgrade fails with another error"),
  leftOut(
    "author",
    35,
    "if (!from.includes(one))",
    "a definition with a gap in its upgraders is accepted; no definition without one changes",
  ),
  leftOut(
    "equal",
    46,
    "if (data.size === 0) return new Uint8Array(0);",
    "private data is opaque to the cores, so that none may be any bytes",
  ),
  leftOut("author", 46, 'if (name === "" || name.startsWith("."))', "an author may use names in private data that the SDK reserves"),
];

/** Faults of a provider that no law finds with the resources of the tests. They count. */
export const notFound: readonly LeftOut[] = [
  {
    rule: "13",
    search: 'configuration.kind === "deferred" && capabilities',
    reason:
      "a resource that needs no connection may be planned while the configuration of its provider is unknown; a law cannot tell which one needs it",
  },
  {
    rule: "20",
    search: "...(identity === undefined ? {} : { plannedIdentity: identity }),",
    reason: "the plan of a new object need not have an identity, so that a law cannot require what the author's `plan` set",
  },
  {
    rule: "21",
    search: "if (!paths.some((known) => pathEquals(known, path))) paths",
    reason: "a plan may name a path that requires a replacement more than once",
  },
  {
    rule: "23",
    search: "({ config }) => config !== null",
    reason: "a provider may replace an object for each change, also of a value that it chose itself",
  },
  {
    rule: "23",
    search: "&& condition(change)",
    reason: "a provider may replace an object for each change; a law does not know the author's condition",
  },
  {
    rule: "24",
    search: "if (at >= 0) taken.add(at);",
    reason: "a plan may have an unknown value for each computed attribute, also for one that will not change",
  },
  {
    rule: "26",
    search: "if (hasFailed(call)) return { ...unapplied(request)",
    reason:
      "the cores keep the object whose deletion fails, also if the state is null, as terraform-plugin-sdk returns it; only private data is lost",
  },
  {
    rule: "38",
    search: "if (version > current) return refuse",
    reason: "a core refuses an identity of a newer version itself, so that no law requires it of providers",
  },
  {
    rule: "44",
    search: "if (atRoot && entry.name",
    reason: "a generated configuration may omit what the provider can choose, also the id of a nested object",
  },
  {
    rule: "46",
    search: "  if (plain === undefined) {",
    reason: "a provider that does not use its private data may ignore data that it cannot read; a law cannot tell the two apart",
  },
];
