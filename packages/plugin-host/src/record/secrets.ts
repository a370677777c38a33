// SPDX-License-Identifier: Apache-2.0
import { formatPath, isNull, isKnown, nullOf, type Path, type Value } from "@tenon/cty";
import { transform } from "@tenon/cty/paths";
import { encodeType } from "@tenon/cty/json";
import { encode } from "@tenon/cty/msgpack";
import { attributePaths, type Attribute, type Block } from "@tenon/schema";

/** A part of a value that is kept out of a recording: where it was, and the number that stands for it. */
export interface Secret {
  readonly path: Path;
  readonly token: number;
}

/** Texts shorter than this are not looked for in messages: they are in every other word. */
const shortestText = 4;

/**
 * The secrets of one recording. Each gets a number, the same for equal ones: a recording tells whether a secret changed, and not
 * what it is.
 */
export class Secrets {
  readonly #tokens = new Map<string, number>();
  readonly #texts = new Map<string, number>();

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

  /** The number of bytes or other data, by its text. */
  tokenOfText(text: string): number {
    return this.#token(`text ${text}`);
  }

  /** A message for people without secrets that are known by now. */
  redact(text: string): string {
    let result = text;
    for (const [secret, token] of this.#texts)
      if (result.includes(secret)) result = result.replaceAll(secret, `(sensitive value ${token})`);
    return result;
  }

  #tokenOf(value: Value): number {
    const token = this.#token(`${encodeType(value.type)} ${Buffer.from(encode(value, value.type)).toString("base64")}`);
    if (typeof value.payload === "string" && value.payload.length >= shortestText) this.#texts.set(value.payload, token);
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

/** What must not be told, by the schema. */
export function isSecret(attribute: Attribute): boolean {
  return attribute.sensitive || attribute.writeOnly;
}

/** Where a value's secrets are. A set with a secret in it is one as a whole, since its elements are found by what they hold. */
function secretPaths(block: Block, value: Value): readonly Path[] {
  return attributePaths(block, value, isSecret).map((path) => {
    const intoSet = path.findIndex((step) => step.kind === "index" && !["string", "number"].includes(step.key.type.kind));
    return intoSet === -1 ? path : path.slice(0, intoSet);
  });
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
