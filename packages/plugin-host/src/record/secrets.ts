// SPDX-License-Identifier: Apache-2.0
import { formatPath, isNull, isKnown, nullOf, type Path, type Value } from "@tenon/cty";
import { transform } from "@tenon/cty/paths";
import { encodeType } from "@tenon/cty/json";
import { encode } from "@tenon/cty/msgpack";
import type { Block } from "@tenon/schema";
import { formsOf, textsOf } from "@tenon/schema/observability";
import { secretPaths } from "../secrets/secret-paths.ts";

/** A masked part of a value: its path, and the number that replaces it. */
export interface Secret {
  readonly path: Path;
  readonly token: number;
}

/**
 * The secrets of one recording. Each has a number; equal secrets have equal numbers, so that a recording shows whether a secret changed.
 */
export class Secrets {
  readonly #tokens = new Map<string, number>();
  readonly #texts = new Map<string, number>();
  #longestFirst: readonly (readonly [text: string, token: number])[] | undefined;

  /** Replaces the secrets of a value by null. With `everything`, the whole value is a secret. */
  mask(value: Value, block: Block | undefined, everything: boolean): { readonly value: Value; readonly secrets: readonly Secret[] } {
    const paths = everything ? [[]] : block === undefined ? [] : secretPaths(block, value);
    const secrets: Secret[] = [];
    if (paths.length === 0) return { value, secrets };
    const byPath = new Map(paths.map((path) => [formatPath(path), path]));
    const masked = replaceAt(value, byPath, (part, path) => {
      if (isNull(part) || !isKnown(part)) return part;
      secrets.push({ path, token: this.#tokenOf(part) });
      return nullOf(part.type);
    });
    return { value: masked, secrets };
  }

  /** Returns the number of secret bytes or other data. `quotable` are the texts in it that a message might quote. */
  tokenOfText(text: string, quotable: Iterable<string>): number {
    const token = this.#token(`text ${text}`);
    this.#addTexts(quotable, token);
    return token;
  }

  /** Masks the known secrets in a message. */
  redact(text: string): string {
    // Longest first, because one secret may contain another.
    this.#longestFirst ??= [...this.#texts].sort(([a], [b]) => b.length - a.length);
    let result = text;
    for (const [secret, token] of this.#longestFirst)
      if (result.includes(secret)) result = result.replaceAll(secret, `(sensitive value ${token})`);
    return result;
  }

  #addTexts(texts: Iterable<string>, token: number): void {
    for (const form of formsOf(texts)) {
      if (this.#texts.has(form)) continue;
      this.#texts.set(form, token);
      this.#longestFirst = undefined;
    }
  }

  #tokenOf(value: Value): number {
    const token = this.#token(`${encodeType(value.type)} ${Buffer.from(encode(value, value.type)).toString("base64")}`);
    this.#addTexts(textsOf(value.payload), token);
    return token;
  }

  #token(key: string): number {
    const known = this.#tokens.get(key);
    if (known !== undefined) return known;
    const token = this.#tokens.size + 1;
    this.#tokens.set(key, token);
    return token;
  }
}

/** Replaces the parts of a value at the given paths, whose keys are their texts. No path leads into a set. */
export function replaceAt(value: Value, byPath: ReadonlyMap<string, Path>, replace: (part: Value, path: Path) => Value): Value {
  return transform(value, {
    enter(path, part) {
      const own = byPath.get(formatPath(path));
      return own === undefined ? part : replace(part, own);
    },
  });
}
