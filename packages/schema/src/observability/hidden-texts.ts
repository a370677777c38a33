// SPDX-License-Identifier: Apache-2.0
import { isNumberPayload, isUnknownPayload, numberText, type Payload } from "@tenon/cty/unstable/payload";

/** Shorter texts are left: they would be found in half the words of a message. */
const shortest = 4;
const mask = "(sensitive value)";

/**
 * Texts that must be in no message and no log line: as they are, as they stand in JSON and in a URL, and as numbers. Only those of four
 * characters and more can be told from the words around them.
 */
export class HiddenTexts {
  readonly #sources: (() => Iterable<string>)[] = [];
  readonly #parent: HiddenTexts | undefined;
  #texts: readonly string[] | undefined;

  /** @param parent What stays hidden here, too. */
  constructor(parent?: HiddenTexts) {
    this.#parent = parent;
  }

  /** Adds texts. They are asked for when there is something to hide them from. */
  addTexts(texts: () => Iterable<string>): void {
    this.#sources.push(texts);
    this.#texts = undefined;
  }

  /** The text without any of them. */
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
    this.#texts ??= longestFirst(this.#sources.flatMap((source) => [...formsOf(source())]));
    return this.#parent === undefined ? this.#texts : longestFirst([...this.#parent.#secrets(), ...this.#texts]);
  }
}

function longestFirst(texts: readonly string[]): readonly string[] {
  return texts.toSorted((a, b) => b.length - a.length);
}

/** Each text that is long enough to be looked for, also as it stands in JSON and in a URL. */
export function formsOf(texts: Iterable<string>): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const text of texts) {
    if (text.length < shortest) continue;
    forms.add(text);
    forms.add(JSON.stringify(text).slice(1, -1));
    forms.add(encodeURIComponent(text.toWellFormed()));
  }
  return forms;
}

/** Every string and number in a value, at any depth, as text. */
export function* textsOf(payload: Payload): Generator<string, void> {
  if (payload === null || isUnknownPayload(payload) || typeof payload === "boolean") return;
  if (typeof payload === "string") yield payload;
  else if (isNumberPayload(payload)) yield numberText(payload);
  else if (Array.isArray(payload)) {
    for (const element of payload as readonly Payload[]) yield* textsOf(element);
  } else if (payload instanceof Map) {
    for (const element of payload.values()) yield* textsOf(element);
  }
}
