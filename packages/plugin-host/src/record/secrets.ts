// SPDX-License-Identifier: Apache-2.0
import { formatPath, isNull, isKnown, nullOf, type Path, type Value } from "@tenon/cty";
import { transform } from "@tenon/cty/paths";
import { encodeType } from "@tenon/cty/json";
import { encode } from "@tenon/cty/msgpack";
import type { Block } from "@tenon/schema";
import { formsOf, textsOf } from "@tenon/schema/observability";
import { secretPaths } from "../secrets/secret-paths.ts";

/** A part of a value that is kept out of a recording: where it was, and the number that stands for it. */
export interface Secret {
  readonly path: Path;
  readonly token: number;
}

/**
 * The secrets of one recording. Each gets a number, the same for equal ones: a recording tells whether a secret changed, and not
 * what it is.
 */
export class Secrets {
  readonly #tokens = new Map<string, number>();
  readonly #texts = new Map<string, number>();
  #longestFirst: readonly (readonly [text: string, token: number])[] | undefined;

  /** A value without its secrets, null in their place; `everything` is one. */
  mask(value: Value, block: Block | undefined, everything: boolean): { readonly value: Value; readonly secrets: readonly Secret[] } {
    const paths = everything ? [[]] : block === undefined ? [] : secretPaths(block, value);
    const secrets: Secret[] = [];
    if (paths.length === 0) return { value, secrets };
    const wanted = new Map(paths.map((path) => [formatPath(path), path]));
    const masked = replaceAt(value, wanted, (part, path) => {
      if (isNull(part) || !isKnown(part)) return part;
      secrets.push({ path, token: this.#tokenOf(part) });
      return nullOf(part.type);
    });
    return { value: masked, secrets };
  }

  /** The number of bytes or other data, by its text; `quotable` are the texts in it that a message might quote. */
  tokenOfText(text: string, quotable: Iterable<string>): number {
    const token = this.#token(`text ${text}`);
    this.#keepOut(quotable, token);
    return token;
  }

  /** A message for people without secrets that are known by now. */
  redact(text: string): string {
    // Longest first, so that a secret inside another does not leave half of it.
    this.#longestFirst ??= [...this.#texts].sort(([a], [b]) => b.length - a.length);
    let result = text;
    for (const [secret, token] of this.#longestFirst)
      if (result.includes(secret)) result = result.replaceAll(secret, `(sensitive value ${token})`);
    return result;
  }

  #keepOut(texts: Iterable<string>, token: number): void {
    for (const form of formsOf(texts)) {
      if (this.#texts.has(form)) continue;
      this.#texts.set(form, token);
      this.#longestFirst = undefined;
    }
  }

  #tokenOf(value: Value): number {
    const token = this.#token(`${encodeType(value.type)} ${Buffer.from(encode(value, value.type)).toString("base64")}`);
    this.#keepOut(textsOf(value.payload), token);
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

/** A value with the parts at the paths replaced, which are given by their texts. No path leads into a set. */
export function replaceAt(value: Value, wanted: ReadonlyMap<string, Path>, replace: (part: Value, path: Path) => Value): Value {
  return transform(value, {
    enter(path, part) {
      const own = wanted.get(formatPath(path));
      return own === undefined ? part : replace(part, own);
    },
  });
}
