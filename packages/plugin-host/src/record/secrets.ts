// SPDX-License-Identifier: Apache-2.0
import { attributeStep, formatPath, indexStep, isNull, isKnown, nullOf, type Path, type Value } from "@tenon/cty";
import { transform } from "@tenon/cty/paths";
import { encodeType } from "@tenon/cty/json";
import { encode } from "@tenon/cty/msgpack";
import { isNumberPayload, isUnknownPayload, numberText, type Payload, valueOf } from "@tenon/cty/unstable/payload";
import type { Block } from "@tenon/schema";
import { formsOf, textsOf } from "@tenon/schema/observability";
import { textsOfBytes } from "../secrets/message-texts.ts";
import { secretPaths } from "../secrets/secret-paths.ts";

/** A masked part of a value: its path, and the number that replaces it. */
export interface Secret {
  readonly path: Path;
  readonly token: number;
}

/** The parts of a value that are masked, beside those that its schema marks. */
export interface MaskScope {
  /** Whether the whole value is a secret. */
  readonly everything: boolean;
  /** Whether texts and numbers that are secret without a schema are masked. */
  readonly masksTexts: boolean;
}

/**
 * The secrets of one recording. Each has a number; equal secrets have equal numbers, so that a recording shows whether a secret changed.
 */
export class Secrets {
  readonly #tokens = new Map<string, number>();
  readonly #texts = new Map<string, number>();
  #longestFirst: readonly (readonly [text: string, token: number])[] | undefined;
  readonly #isSecret: ((text: string) => boolean) | undefined;

  /** @param isSecret - whether a text, or the text of a number, is secret although no schema marks it. Default: none is. */
  constructor(isSecret?: (text: string) => boolean) {
    this.#isSecret = isSecret;
  }

  /** Whether a text is secret although no schema marks it. */
  isSecret(text: string): boolean {
    return this.#isSecret?.(text) ?? false;
  }

  /** Whether bytes, as text or as JSON, contain a secret that no schema marks. */
  areSecret(bytes: Uint8Array): boolean {
    if (this.#isSecret === undefined) return false;
    return this.#isSecret(Buffer.from(bytes).toString("utf8")) || textsOfBytes(bytes).some(this.#isSecret);
  }

  /** Replaces the secrets of a value by null. */
  mask(value: Value, block: Block | undefined, scope: MaskScope): { readonly value: Value; readonly secrets: readonly Secret[] } {
    const paths = scope.everything ? [[]] : this.#secretPaths(value, block, scope);
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

  #secretPaths(value: Value, block: Block | undefined, { masksTexts }: MaskScope): readonly Path[] {
    const marked = block === undefined ? [] : secretPaths(block, value);
    if (this.#isSecret === undefined || !masksTexts) return marked;
    const isBelowMarked = (path: Path): boolean =>
      marked.some((secret) => secret.length <= path.length && formatPath(path.slice(0, secret.length)) === formatPath(secret));
    const others = [...pathsOfTexts(value, this.#isSecret)];
    return [...marked, ...others.filter((path) => !isBelowMarked(path))];
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

/** Paths of the texts and numbers of a value that are secret. A set that contains one is secret as a whole. */
function* pathsOfTexts({ type, payload }: Value, isSecret: (text: string) => boolean, path: Path = []): Generator<Path, void> {
  if (payload === null || isUnknownPayload(payload) || typeof payload === "boolean") return;
  if (typeof payload === "string" || isNumberPayload(payload)) {
    if (isSecret(typeof payload === "string" ? payload : numberText(payload))) yield path;
    return;
  }
  switch (type.kind) {
    case "object":
      for (const [slot, name] of type.names.entries()) {
        const part = valueOf(type.attributes[name]!, (payload as readonly Payload[])[slot]!);
        yield* pathsOfTexts(part, isSecret, [...path, attributeStep(name)]);
      }
      return;
    case "map":
      for (const [key, element] of payload as ReadonlyMap<string, Payload>) {
        yield* pathsOfTexts(valueOf(type.element, element), isSecret, [...path, indexStep(key)]);
      }
      return;
    case "set":
      for (const element of payload as readonly Payload[]) {
        if (pathsOfTexts(valueOf(type.element, element), isSecret).next().done === true) continue;
        yield path;
        return;
      }
      return;
    case "list":
    case "tuple":
      for (const [index, element] of (payload as readonly Payload[]).entries()) {
        const elementType = type.kind === "list" ? type.element : type.elements[index]!;
        yield* pathsOfTexts(valueOf(elementType, element), isSecret, [...path, indexStep(index)]);
      }
      return;
    default:
  }
}
