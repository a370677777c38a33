// SPDX-License-Identifier: Apache-2.0
import type { Type, Value } from "@tenon/cty";
import { isNumberPayload, isUnknownPayload, numberText, type Payload } from "@tenon/cty/unstable/payload";
import { hasEntries, bodyOf, type EntryShape, type ObjectShape } from "../schema/shape.ts";

/** Shorter texts are left: they would be found in half the words of a message. */
const shortest = 4;
const mask = "(sensitive value)";

/** The values of sensitive and write-only attributes that a call has met, to keep them out of log lines and messages. */
export class Secrets {
  readonly #met: (readonly [ObjectShape, Value])[] = [];
  readonly #parent: Secrets | undefined;
  #texts: readonly string[] | undefined;

  /** @param parent what must stay hidden in every call: the provider's own configuration. */
  constructor(parent?: Secrets) {
    this.#parent = parent;
  }

  /** Notes a value; it is looked through when there is something to hide it from. */
  add(shape: ObjectShape, value: Value): void {
    this.#met.push([shape, value]);
    this.#texts = undefined;
  }

  /** The text without any of the values. */
  hide(text: string): string {
    let hidden = text;
    for (const secret of this.#secrets()) hidden = hidden.replaceAll(secret, mask);
    return hidden;
  }

  /** The same for whatever a log line carries, at any depth. */
  hideIn<T>(value: T): T {
    return this.#secrets().length === 0 ? value : (this.#hideDeep(value, 0) as T);
  }

  #hideDeep(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.hide(value);
    if (typeof value === "number" || typeof value === "bigint") return this.#hasSecret(String(value)) ? mask : value;
    if (typeof value !== "object" || value === null) return value;
    // What is not looked at is not shown either.
    if (depth > 8) return "…";
    if (value instanceof Error) return this.hide(value.message);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `${value.byteLength} bytes`;
    if (value instanceof Map || value instanceof Set) return this.#hideDeep([...value], depth);
    if ("toJSON" in value && typeof value.toJSON === "function") return this.#hideDeep((value.toJSON as () => unknown)(), depth + 1);
    if (Array.isArray(value)) return value.map((element) => this.#hideDeep(element, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [this.hide(name), this.#hideDeep(member, depth + 1)]));
  }

  #hasSecret(text: string): boolean {
    return this.#secrets().some((secret) => text.includes(secret));
  }

  /** Longest first, so that a secret inside another does not leave half of it. */
  #secrets(): readonly string[] {
    this.#texts ??= longestFirst(this.#met.flatMap(([shape, value]) => [...textsIn(shape, value.type, value.payload, false)]));
    return this.#parent === undefined ? this.#texts : [...this.#parent.#secrets(), ...this.#texts].toSorted((a, b) => b.length - a.length);
  }
}

/** Each text, also as it stands in JSON and in a URL. */
function longestFirst(texts: readonly string[]): readonly string[] {
  const forms = texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())]);
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length);
}

function* textsIn(shape: ObjectShape, type: Type, payload: Payload, sensitive: boolean): Generator<string> {
  if (payload === null || isUnknownPayload(payload) || type.kind !== "object") return;
  for (const entry of shape.entries)
    yield* textsOf(entry, type.attributes[entry.name]!, (payload as readonly Payload[])[entry.slot]!, sensitive);
}

function* textsOf(entry: EntryShape, type: Type, payload: Payload, inherited: boolean): Generator<string> {
  const sensitive = inherited || entry.sensitive || entry.writeOnly;
  if (!hasEntries(entry)) {
    if (sensitive) yield* allTexts(payload);
    return;
  }
  const body = bodyOf(entry);
  if (Array.isArray(payload) && (entry.nesting === "list" || entry.nesting === "set")) {
    for (const element of payload as readonly Payload[]) yield* textsIn(body, body.type, element, sensitive);
  } else if (payload instanceof Map) {
    for (const element of payload.values()) yield* textsIn(body, body.type, element, sensitive);
  } else yield* textsIn(body, type, payload, sensitive);
}

function* allTexts(payload: Payload): Generator<string> {
  if (payload === null || isUnknownPayload(payload) || typeof payload === "boolean") return;
  if (typeof payload === "string" || isNumberPayload(payload)) {
    const text = typeof payload === "string" ? payload : numberText(payload);
    if (text.length >= shortest) yield text;
  } else if (Array.isArray(payload)) {
    for (const element of payload as readonly Payload[]) yield* allTexts(element);
  } else if (payload instanceof Map) {
    for (const element of payload.values()) yield* allTexts(element);
  }
}
