// SPDX-License-Identifier: Apache-2.0
import { isNumberPayload, isUnknownPayload, numberText, type Payload } from "@tenon/cty/unstable/payload";
import type { SecretMask } from "./in-flight-secrets.ts";

/** Minimum length of a secret that is masked: shorter secrets occur in ordinary words. */
const shortest = 4;
/** Minimum length in bytes of a secret that is also masked inside a longer base64 text. */
const shortestInBase64 = 6;
const mask = "(sensitive value)";

/**
 * Masks secrets in messages and log lines. A secret of four or more characters is found as plain text, in its JSON, URL and base64
 * encodings, and as a number.
 */
export class HiddenTexts implements SecretMask {
  readonly #sources: (() => Iterable<string>)[] = [];
  readonly #parent: HiddenTexts | undefined;
  #texts: readonly string[] | undefined;

  /** @param parent Further secrets to mask. */
  constructor(parent?: HiddenTexts) {
    this.#parent = parent;
  }

  /** Adds secrets. `texts` is called when the next text is masked. */
  addTexts(texts: () => Iterable<string>): void {
    this.#sources.push(texts);
    this.#texts = undefined;
  }

  /** Returns the text with every secret masked. */
  hide(text: string): string {
    let hidden = text;
    for (const secret of this.#secrets()) hidden = hidden.replaceAll(secret, mask);
    return hidden;
  }

  /** Returns the value of a log field with every secret in it masked, at any depth. */
  hideIn<T>(value: T): T {
    return this.#secrets().length === 0 ? value : (this.#hideDeep(value, 0) as T);
  }

  #hideDeep(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.hide(value);
    if (typeof value === "number" || typeof value === "bigint") return this.#hasSecret(String(value)) ? mask : value;
    if (typeof value !== "object" || value === null) return value;
    // Deeper values are not searched for secrets, and therefore omitted.
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

  /** Returns all secrets, longest first: where one secret contains another, the longer one is masked. */
  #secrets(): readonly string[] {
    this.#texts ??= longestFirst(this.#sources.flatMap((source) => [...formsOf(source())]));
    return this.#parent === undefined ? this.#texts : longestFirst([...this.#parent.#secrets(), ...this.#texts]);
  }
}

function longestFirst(texts: readonly string[]): readonly string[] {
  return texts.toSorted((a, b) => b.length - a.length);
}

/** Returns the forms of each secret to search for: the text itself, and its JSON, URL and base64 encodings. Short texts are skipped. */
export function formsOf(texts: Iterable<string>): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const text of texts) {
    if (text.length < shortest) continue;
    forms.add(text);
    forms.add(JSON.stringify(text).slice(1, -1));
    forms.add(encodeURIComponent(text.toWellFormed()));
    addBase64(forms, Buffer.from(text));
  }
  return forms;
}

/** Adds the base64 encodings of a secret in both alphabets: of the secret alone, and of the secret at any place in longer bytes. */
function addBase64(forms: Set<string>, bytes: Buffer): void {
  for (const encoding of ["base64", "base64url"] as const) {
    const alone = bytes.toString(encoding).replace(/=+$/, "");
    forms.add(alone);
    if (bytes.length < shortestInBase64) continue;
    for (const before of [0, 1, 2]) {
      // The first and last characters depend on the neighbouring bytes, and are left out.
      const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString(encoding);
      const bits = (before + bytes.length) * 8;
      forms.add(encoded.slice(before === 0 ? 0 : before + 1, Math.floor(bits / 6)));
    }
  }
}

/** Yields every string and number in a value, at any depth, as text. */
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
