// SPDX-License-Identifier: Apache-2.0
import { judge, sortOf, type Strictness } from "./judge.ts";
import {
  kindOf,
  specialForm,
  type OracleResult,
  type Case,
  type Json,
  type PayloadNotation,
  type TypeNotation,
  type ValueNotation,
} from "./notation.ts";
import type { Oracle } from "./oracle.ts";

/** A case for which our answer and go-cty's differ, and go-cty's answer. */
export interface Failing {
  readonly input: Case;
  readonly answer: OracleResult;
}

/** Maximum number of rounds of shrinking. */
const rounds = 60;
/** Number of smaller cases to try in a round. */
const breadth = 60;

/** The smallest case found that still fails in the same way. */
export async function minimise(oracle: Oracle, failing: Failing, strictness: Strictness = "words"): Promise<Failing> {
  let best = failing;
  const wanted = signatureOf(best, strictness);
  for (let round = 0; round < rounds; round++) {
    const size = sizeOf(best.input);
    const smaller = [...shrunkCases(best.input)].filter((candidate) => sizeOf(candidate) < size).slice(0, breadth * 4);
    let next: Failing | undefined;
    for (let at = 0; at < smaller.length && next === undefined; at += breadth) {
      const part = smaller.slice(at, at + breadth);
      const answers = await oracle.ask(part);
      const failures = part
        .map((input, index) => ({ input, answer: answers[index]! }))
        .filter((candidate) => signatureOf(candidate, strictness) === wanted);
      next = failures.sort((a, b) => sizeOf(a.input) - sizeOf(b.input))[0];
    }
    if (next === undefined) return best;
    best = next;
  }
  return best;
}

function sizeOf(input: Case): number {
  return JSON.stringify(input.args).length;
}

/** Sort of failure of a case; undefined for a case that does not fail. */
function signatureOf({ input, answer }: Failing, strictness: Strictness): string | undefined {
  const verdict = judge(input, answer, strictness);
  return verdict.kind === "differed" ? sortOf(input, answer, verdict) : undefined;
}

/** Variants of the case with one argument smaller. */
function* shrunkCases({ op, args }: Case): Generator<Case> {
  for (const [index, arg] of args.entries()) {
    for (const shrunk of shrunkArgument(arg)) yield { op, args: args.map((other, position) => (position === index ? shrunk : other)) };
  }
  if (op.startsWith("fn.")) for (const index of args.keys()) yield { op, args: args.toSpliced(index, 1) };
}

function* shrunkArgument(arg: Json): Generator<Json> {
  if (isValue(arg)) yield* shrunkValues(arg);
  else if (typeof arg === "string") yield* /^([0-9a-f]{2})+$/.test(arg) ? shrunkText(arg, 2) : shrunkText(arg, 1);
  else if (Array.isArray(arg)) yield* shrunkArray(arg as readonly Json[]);
  else if (typeof arg === "object" && arg !== null)
    for (const key of Object.keys(arg)) yield without(arg as Readonly<Record<string, Json>>, key);
}

function isValue(arg: Json): arg is ValueNotation {
  return typeof arg === "object" && arg !== null && "t" in arg && "v" in arg;
}

/** Shorter variants of a text: first by halves, then by smaller pieces, in multiples of a step. */
function* shrunkText(text: string, unit: number): Generator<string> {
  const units = text.length / unit;
  for (let span = Math.ceil(units / 2); span > 0; span = span === 1 ? 0 : Math.ceil(span / 2)) {
    for (let at = 0; at < units; at += span) yield (text.slice(0, at * unit) + text.slice((at + span) * unit)).toWellFormed();
  }
}

/** Smaller variants of an array (a type, a path, or a list of them): without an element, with a smaller one, or with a primitive type instead. */
function* shrunkArray(array: readonly Json[]): Generator<Json> {
  if (isType(array)) yield* shrunkTypes(array);
  for (const index of array.keys()) yield array.toSpliced(index, 1);
  for (const [index, element] of array.entries()) for (const shrunk of shrunkArgument(element)) yield array.with(index, shrunk);
}

function isType(array: readonly Json[]): boolean {
  return ["list", "set", "map", "object", "tuple"].includes(kindOf(array)) && typeof array[1] === "object"
    ? !isValue(array[1]!)
    : array.length === 2 && typeof array[1] === "string" && kindOf(array) !== "attr";
}

function* shrunkTypes(type: TypeNotation): Generator<TypeNotation> {
  if (!Array.isArray(type)) return;
  yield* ["string", "number", "bool"];
  const [kind, inner, optional] = type as [string, Json, Json?];
  if (kind === "object") {
    const attributes = inner as Readonly<Record<string, TypeNotation>>;
    const rebuilt = (changed: Json): Json =>
      optional === undefined
        ? [kind, changed]
        : [kind, changed, (optional as readonly string[]).filter((name) => Object.hasOwn(changed as object, name))];
    for (const name of Object.keys(attributes)) yield rebuilt(without(attributes, name));
    for (const [name, attribute] of Object.entries(attributes))
      for (const shrunk of shrunkTypes(attribute)) yield rebuilt(withEntry(attributes, name, shrunk));
  } else if (kind === "tuple") {
    const elements = inner as readonly TypeNotation[];
    for (const index of elements.keys()) yield [kind, elements.toSpliced(index, 1)];
    for (const [index, element] of elements.entries())
      for (const shrunk of shrunkTypes(element)) yield [kind, elements.with(index, shrunk)];
  } else {
    yield inner;
    for (const shrunk of shrunkTypes(inner)) yield [kind, shrunk];
  }
}

/** Variants of a value with a smaller type and payload. */
function* shrunkValues({ t, v }: ValueNotation): Generator<ValueNotation> {
  const form = specialForm(v);
  const special = v as Readonly<Record<string, Json>>;
  if (form === "marked") {
    yield { t, v: special["v"]! };
    for (const inner of shrunkValues({ t, v: special["v"]! })) yield { t: inner.t, v: { ...special, v: inner.v } };
    return;
  }
  if (form === "null" || form === "unknown") {
    if (special["r"] !== undefined) {
      yield { t, v: { $: "unknown" } };
      for (const key of Object.keys(special["r"] as object))
        yield { t, v: { $: "unknown", r: without(special["r"] as Readonly<Record<string, Json>>, key) } };
    }
    for (const shrunk of shrunkTypes(t)) yield { t: shrunk, v };
    return;
  }
  if (form === undefined) yield* shrunkKnown(t, v);
}

function* shrunkKnown(t: TypeNotation, v: PayloadNotation): Generator<ValueNotation> {
  const parts = v as readonly Json[];
  switch (kindOf(t)) {
    case "string":
      for (const text of shrunkText(v as string, 1)) yield { t, v: text };
      return;
    case "number":
      for (const n of ["0", "1", "0.1"]) for (const p of [64, 512]) yield { t, v: { n, p } };
      return;
    case "list":
    case "set":
    case "map": {
      const element = (t as readonly Json[])[1]!;
      const keyed = kindOf(t) === "map";
      for (const index of parts.keys()) yield { t, v: parts.toSpliced(index, 1) };
      for (const part of parts) yield { t: element, v: keyed ? (part as readonly Json[])[1]! : part };
      for (const [index, part] of parts.entries()) {
        const inner = { t: element, v: keyed ? (part as readonly Json[])[1]! : part };
        for (const shrunk of shrunkValues(inner)) {
          const changed = keyed ? [(part as readonly Json[])[0]!, shrunk.v] : shrunk.v;
          if (JSON.stringify(shrunk.t) === JSON.stringify(element)) yield { t, v: parts.with(index, changed) };
          else if (parts.length === 1) yield { t: [kindOf(t), shrunk.t], v: [changed] };
        }
      }
      return;
    }
    case "tuple": {
      const types = (t as readonly Json[])[1] as readonly TypeNotation[];
      for (const index of parts.keys()) yield { t: types[index]!, v: parts[index]! };
      for (const index of parts.keys()) yield { t: ["tuple", types.toSpliced(index, 1)], v: parts.toSpliced(index, 1) };
      for (const [index, part] of parts.entries()) {
        for (const shrunk of shrunkValues({ t: types[index]!, v: part }))
          yield { t: ["tuple", types.with(index, shrunk.t)], v: parts.with(index, shrunk.v) };
      }
      return;
    }
    case "object": {
      const types = (t as readonly Json[])[1] as Readonly<Record<string, TypeNotation>>;
      for (const [index, part] of (parts as readonly (readonly [string, Json])[]).entries()) {
        const [name, attribute] = part;
        yield { t: types[name]!, v: attribute };
        yield { t: ["object", without(types, name)], v: parts.toSpliced(index, 1) };
        for (const shrunk of shrunkValues({ t: types[name]!, v: attribute }))
          yield { t: ["object", withEntry(types, name, shrunk.t)], v: parts.with(index, [name, shrunk.v]) };
      }
      return;
    }
    default:
  }
}

function without(record: Readonly<Record<string, Json>>, key: string): Readonly<Record<string, Json>> {
  return fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function withEntry(record: Readonly<Record<string, Json>>, key: string, value: Json): Readonly<Record<string, Json>> {
  return fromEntries(Object.entries(record).map(([name, old]) => [name, name === key ? value : old]));
}

/** A record that can have an entry called `__proto__`. */
function fromEntries(entries: readonly (readonly [string, Json])[]): Readonly<Record<string, Json>> {
  const record = Object.create(null) as Record<string, Json>;
  for (const [name, value] of entries) record[name] = value;
  return record;
}
