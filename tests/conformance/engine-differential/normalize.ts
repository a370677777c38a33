// SPDX-License-Identifier: Apache-2.0
// What is not compared, because it is random or depends on the time.
import type { Json } from "./outcome.ts";

/** Names of the normalisations, with their reasons. */
export const normalizations = {
  "plan-time": "the time of a plan is the time at which it was made",
  "random-ids":
    "ids that a provider makes are random, and so are the keys of deposed objects and their order, the order of messages with such ids, the hashes of ids, and their encodings as base64",
  "state-identity": "each side has a lineage and a serial of its own",
  "relevant-attribute-order": "tofu lists the relevant attributes in random order",
  "cycle-order": "tofu names the members of a cycle in random order, and the objects that could not move",
  suggestions: "tofu searches the names of functions, variables, local values and resource types in random order for one to suggest",
  folders: "each side has a working folder of its own",
  "empty-resources": "after a failed creation tofu keeps the resource without instances in the state until the next apply",
  "event-order": "the messages about independent objects come in any order, so those about each object are compared by themselves",
  "elapsed-times": "how long an operation took, and the messages about operations that take long",
  "check-order": "tofu writes the results of checks in random order",
} as const;

/** The suggestion of a name in the JSON of a diagnostic, where names have no order. */
const suggestion =
  /(?<=There is no function named \\"[^"]*"\.|(?:An input variable|A local value) with the name \\"[^"]*" has not been declared\.|does not support resource type \\"[^"]*"\.) Did you mean \\"[^"]*"\?/g;
/** The working folder of a side. */
const folder = /[^\s'"]*\/tenon-case-\w+\/[ab]\b/g;
/** A UUID, also one in which a generated call of `replace` has put o for a. */
const uuid = /[\da-fo]{8}(?:-[\da-fo]{4}){3}-[\da-fo]{12}/g;

/** A text without random ids, their hashes by `md5`, and their encodings. */
function withoutRandomIds(text: string): string {
  return text
    .replaceAll(uuid, "uuid")
    .replaceAll(/\b[\da-f]{32}\b/g, "md5")
    .replaceAll(/\b[A-Za-z\d+/]{48,}={0,2}/g, (encoded) => {
      const decoded = Buffer.from(encoded, "base64").toString();
      return decoded.search(uuid) < 0 ? encoded : decoded.replaceAll(uuid, "uuid");
    });
}

/** A text without random ids. */
export function normalizedText(text: string): string {
  return withoutRandomIds(text)
    .replaceAll(/(?<=deposed object |deposed: |deposed key )[\da-f]{8}/g, "deposed")
    .replaceAll(suggestion, ' Did you mean "name"?')
    .replaceAll(folder, "folder")
    .replaceAll(/(?<="summary":"Cycle: )(?:[^"\\]|\\.)*/g, (names) => names.split(", ").toSorted().join(", "))
    .replaceAll(/(?:\\n {2}- (?:(?!\\n).)+ could not move to (?:(?!\\n).)+)+/g, (moves) => moves.split("\\n").toSorted().join("\\n"));
}

/** The text of a state without random ids. The deposed objects of an instance are sorted by their texts, because their keys are random. */
export function normalizedStateText(text: string): string {
  const parts = normalizedText(text)
    .split(/^(?=# |Outputs:)/m)
    .map((part) => part.trimEnd());
  const headers = parts.map(headerOf);
  const position = (part: string): number => headers.indexOf(headerOf(part));
  return parts.sort((a, b) => position(a) - position(b) || (a < b ? -1 : 1)).join("\n\n");
}

/** The first line of a part of a text. */
function headerOf(part: string): string {
  return part.split("\n", 1)[0]!;
}

/** A plan without its time and without random ids. */
export function normalizedPlan({ timestamp: _timestamp, relevant_attributes: relevant, ...plan }: Json): unknown {
  const sorted = (relevant as readonly Json[] | undefined)?.map((one) => JSON.stringify(one)).toSorted();
  return withoutIds(withoutEmptyModules({ ...plan, relevant_attributes: sorted }));
}

/** A state file without what identifies it. */
export function normalizedState(text: string): unknown {
  const { lineage: _lineage, serial: _serial, check_results: checks, ...state } = JSON.parse(text) as Json;
  const byName = (checks as readonly Json[] | null)?.map((check) => [
    check["config_addr"],
    { ...check, objects: (check["objects"] as readonly Json[] | null)?.toSorted(byAddress) ?? null },
  ]);
  const resources = (state["resources"] as readonly Json[]).filter(({ instances }) => (instances as readonly Json[]).length > 0);
  return withoutIds({ ...state, resources, check_results: byName === undefined ? null : Object.fromEntries(byName) });
}

/** State JSON without random ids. */
export function normalizedStateJson({ checks, ...state }: Json): unknown {
  const nameOf = (check: Json): string => String((check["address"] as Json)["to_display"]);
  const byName = (checks as readonly Json[] | undefined)?.map((check) => [nameOf(check), check]) ?? [];
  return withoutIds(withoutEmptyModules({ ...state, checks: Object.fromEntries(byName) }));
}

/** The messages of a UI log by what they are about, each as text: those about an object in their order, planned changes and drift sorted. */
export function normalizedLog(messages: readonly Json[]): ReadonlyMap<string, readonly string[]> {
  const bySubject = new Map<string, LogLine[]>();
  for (const { "@timestamp": _, ...message } of messages) {
    const type = String(message["type"]);
    if (type.startsWith("state_lock_") || (type.endsWith("_progress") && type !== "provision_progress")) continue;
    const hook = message["hook"] as Json | undefined;
    const subject = hook === undefined ? type : String((hook["resource"] as Json)["addr"]);
    const text = JSON.stringify(message, (key, value: unknown) => (key === "elapsed_seconds" ? 0 : value));
    const line: LogLine = { type, id: String(hook?.["id_value"]), text: normalizedText(text).replaceAll(/ after \d+s/g, " after 0s") };
    const lines = bySubject.get(subject);
    if (lines === undefined) bySubject.set(subject, [line]);
    else lines.push(line);
  }
  return new Map(
    Array.from(bySubject, ([subject, lines]) => {
      const texts = destructionsTogether(byObject(lines)).map(({ text }) => text);
      return [subject, subject === "planned_change" || subject === "resource_drift" ? texts.sort() : texts];
    }),
  );
}

interface LogLine {
  readonly type: string;
  /** The id of the object before it is normalised. */
  readonly id: string;
  readonly text: string;
}

/** The lines about one instance. Its current and its deposed objects can be destroyed at the same time, so the starts come before the ends. */
function destructionsTogether(lines: readonly LogLine[]): readonly LogLine[] {
  const isDestruction = ({ type, text }: LogLine): boolean => type.startsWith("apply_") && text.includes('"action":"delete"');
  const destructions = lines.filter(isDestruction);
  if (destructions.filter(({ type }) => type === "apply_start").length < 2) return lines;
  const order = ["apply_start", "apply_errored", "apply_complete"];
  const sorted = destructions.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type) || (a.text < b.text ? -1 : 1));
  const at = lines.findIndex(isDestruction);
  return [...lines.slice(0, at), ...sorted, ...lines.slice(at).filter((line) => !isDestruction(line))];
}

/**
 * The lines about one instance. Its current and its deposed objects are independent, so the refreshes of each come by themselves, in the
 * order of their texts.
 */
function byObject(lines: readonly LogLine[]): readonly LogLine[] {
  const isRefresh = ({ type }: LogLine): boolean => type.startsWith("refresh_");
  const starts = lines.filter(({ type }) => type === "refresh_start");
  if (starts.length < 2) return lines;
  const textOf = (group: readonly LogLine[]): string => group.map(({ text }) => text).join("\n");
  const byText = (a: LogLine, b: LogLine): number => (a.text < b.text ? -1 : 1);
  // Objects with the same id cannot be told apart.
  const groups = [...Map.groupBy(lines.filter(isRefresh), ({ id }) => id).values()]
    .map((group) => (group.filter((line) => starts.includes(line)).length > 1 ? group.toSorted(byText) : group))
    .sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  return [...groups.flat(), ...lines.filter((line) => !isRefresh(line))];
}

function byAddress(a: Json, b: Json): number {
  return String(a["object_addr"]) < String(b["object_addr"]) ? -1 : 1;
}

/** The document without modules that have nothing but resources without instances. */
function withoutEmptyModules(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) => {
    if (key !== "child_modules" || !Array.isArray(part)) return part;
    const filled = (part as readonly Json[]).filter((module) => module["resources"] !== undefined || module["child_modules"] !== undefined);
    return filled.length === 0 ? undefined : filled;
  });
}

function withoutIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) => {
    if (key === "deposed" || key === "deposed_key") return "deposed";
    if (Array.isArray(part)) return key === "failure_messages" || key === "problems" ? sorted(part) : withSortedDeposed(part);
    return typeof part === "string" ? withoutRandomIds(part).replaceAll(folder, "folder") : part;
  });
}

/** A list with the deposed objects of each instance, which follow each other, in the order of their contents. */
function withSortedDeposed(list: readonly unknown[]): readonly unknown[] {
  const groups: { readonly instance: string | undefined; readonly members: unknown[] }[] = [];
  for (const one of list) {
    const instance = deposedInstanceOf(one);
    const last = groups.at(-1);
    if (instance !== undefined && last?.instance === instance) last.members.push(one);
    else groups.push({ instance, members: [one] });
  }
  return groups.flatMap(({ members }) => sorted(members));
}

/** The parts of a document in the order of their texts. */
function sorted(parts: readonly unknown[]): readonly unknown[] {
  return parts.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function deposedInstanceOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { deposed, deposed_key: deposedKey, index_key: key, address } = value as Json;
  return deposed === undefined && deposedKey === undefined ? undefined : JSON.stringify([key, address]);
}
