// SPDX-License-Identifier: Apache-2.0
import { attributeStep, formatPath, indexStep, isNull, isKnown, nullOf, type Path, type Value } from "@tenon/cty";
import { transform } from "@tenon/cty/paths";
import { encodeType } from "@tenon/cty/json";
import { encode } from "@tenon/cty/msgpack";
import { isNumberPayload, isUnknownPayload, numberText, type Payload, valueOf } from "@tenon/cty/unstable/payload";
import type { Block, CallName } from "@tenon/schema";
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
  /** The field that has the value; undefined if its places are not secret. */
  readonly field?: MessageField | undefined;
}

/** A field of a message with values or bytes. */
export interface MessageField {
  readonly method: CallName;
  readonly message: "request" | "response";
  /** Name of the field, such as `plannedState`. */
  readonly field: string;
  /** Name of the type of the component; empty for the provider's configuration. */
  readonly typeName: string;
}

/** A part of a value, or bytes, such as a stored state. The path of bytes is empty. */
export interface ValuePlace extends MessageField {
  readonly path: Path;
  /** Whether the part is a text, a number, a boolean or bytes, and has no parts of its own. */
  readonly isLeaf: boolean;
}

/** Secrets that no schema marks. */
export interface UnmarkedSecrets {
  /**
   * Whether a text, or a number by its decimal text, is secret. It is called for every text and number in values, stored states and private data; what
   * it returns true for is masked like what the schema marks. Default: nothing is.
   */
  readonly isSecret?: ((text: string) => boolean) | undefined;
  /**
   * Whether the value in a place is secret. It is called for every known part of a value, and for bytes. Secrets are the same if their values are the
   * same, unless it returns the numbers by which they are distinguished. Default: nothing is.
   */
  readonly isSecretAt?: ((place: ValuePlace) => boolean | number) | undefined;
}

/**
 * The secrets of one recording. Each has a number; equal secrets have equal numbers, so that a recording shows whether a secret changed.
 */
export class Secrets {
  readonly #tokens = new Map<string, number>();
  readonly #texts = new Map<string, number>();
  #longestFirst: readonly (readonly [text: string, token: number])[] | undefined;
  readonly #unmarked: UnmarkedSecrets;

  /** @param unmarked - The secrets that no schema marks. Default: none. */
  constructor(unmarked: UnmarkedSecrets = {}) {
    this.#unmarked = unmarked;
  }

  /** Whether a text is secret although no schema marks it. */
  isSecret(text: string): boolean {
    return this.#unmarked.isSecret?.(text) ?? false;
  }

  /** Whether bytes, as text or as JSON, contain a secret that no schema marks. */
  areSecret(bytes: Uint8Array, field: MessageField): boolean {
    const { isSecret, isSecretAt } = this.#unmarked;
    if (isSecretAt !== undefined && isSecretAt({ ...field, path: [], isLeaf: true }) !== false) return true;
    return isSecret !== undefined && (isSecret(Buffer.from(bytes).toString("utf8")) || textsOfBytes(bytes).some(isSecret));
  }

  /** Replaces the secrets of a value by null. */
  mask(value: Value, block: Block | undefined, scope: MaskScope): { readonly value: Value; readonly secrets: readonly Secret[] } {
    const paths = scope.everything ? [[]] : this.#secretPaths(value, block, scope);
    const secrets: Secret[] = [];
    if (paths.length === 0) return { value, secrets };
    const byPath = new Map(paths.map((path) => [formatPath(path), path]));
    const masked = replaceAt(value, byPath, (part, path) => {
      if (isNull(part) || !isKnown(part)) return part;
      secrets.push({
        path,
        token: this.#tokenOf(part, scope.field && this.#numberAt({ ...scope.field, path, isLeaf: isLeaf(part.payload) })),
      });
      return nullOf(part.type);
    });
    return { value: masked, secrets };
  }

  #secretPaths(value: Value, block: Block | undefined, { masksTexts, field }: MaskScope): readonly Path[] {
    const marked = block === undefined ? [] : secretPaths(block, value);
    const { isSecret, isSecretAt } = this.#unmarked;
    const isUnmarked = (payload: Payload, path: Path): boolean => {
      const place = field && { ...field, path, isLeaf: isLeaf(payload) };
      if (isSecretAt !== undefined && place !== undefined && isSecretAt(place) !== false) return true;
      if (isSecret === undefined || !masksTexts) return false;
      return typeof payload === "string" ? isSecret(payload) : isNumberPayload(payload) && isSecret(numberText(payload));
    };
    if (isSecret === undefined && isSecretAt === undefined) return marked;
    const isBelowMarked = (path: Path): boolean =>
      marked.some((secret) => secret.length <= path.length && formatPath(path.slice(0, secret.length)) === formatPath(secret));
    const others = [...pathsOfSecrets(value, isUnmarked)];
    return [...marked, ...others.filter((path) => !isBelowMarked(path))];
  }

  /** The number of the secret in a place, if the number distinguishes it. */
  #numberAt(place: ValuePlace): number | undefined {
    const number = this.#unmarked.isSecretAt?.(place);
    return typeof number === "number" ? number : undefined;
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

  #tokenOf(value: Value, number: number | undefined): number {
    const content = (): string => `${encodeType(value.type)} ${Buffer.from(encode(value, value.type)).toString("base64")}`;
    const token = this.#token(number === undefined ? content() : `number ${number}`);
    this.#addTexts(textsOf(value.payload), token);
    return token;
  }

  #token(key: string): number {
    let token = this.#tokens.get(key);
    if (token === undefined) this.#tokens.set(key, (token = this.#tokens.size + 1));
    return token;
  }
}

/** Replaces the parts of a value at the given paths, whose keys are their texts. No path leads into a set. */
export function replaceAt(value: Value, byPath: ReadonlyMap<string, Path>, replace: (part: Value, path: Path) => Value): Value {
  return transform(value, {
    enter(path, part) {
      const masked = byPath.get(formatPath(path));
      return masked === undefined ? part : replace(part, masked);
    },
  });
}

/** Whether a known value has no parts. */
function isLeaf(payload: Payload): boolean {
  return typeof payload === "string" || typeof payload === "boolean" || isNumberPayload(payload);
}

/** Paths of the parts of a value that are secret. A set that contains one is secret as a whole. */
function* pathsOfSecrets(
  { type, payload }: Value,
  isSecret: (payload: Payload, path: Path) => boolean,
  path: Path = [],
): Generator<Path, void> {
  if (payload === null || isUnknownPayload(payload)) return;
  if (isSecret(payload, path)) {
    yield path;
    return;
  }
  switch (type.kind) {
    case "object":
      for (const [slot, name] of type.names.entries()) {
        const part = valueOf(type.attributes[name]!, (payload as readonly Payload[])[slot]!);
        yield* pathsOfSecrets(part, isSecret, [...path, attributeStep(name)]);
      }
      return;
    case "map":
      for (const [key, element] of payload as ReadonlyMap<string, Payload>) {
        yield* pathsOfSecrets(valueOf(type.element, element), isSecret, [...path, indexStep(key)]);
      }
      return;
    case "set":
      for (const element of payload as readonly Payload[]) {
        const item = valueOf(type.element, element);
        if (pathsOfSecrets(item, isSecret, [...path, indexStep(item)]).next().done === true) continue;
        yield path;
        return;
      }
      return;
    case "list":
    case "tuple":
      for (const [index, element] of (payload as readonly Payload[]).entries()) {
        const elementType = type.kind === "list" ? type.element : type.elements[index]!;
        yield* pathsOfSecrets(valueOf(elementType, element), isSecret, [...path, indexStep(index)]);
      }
      return;
    default:
  }
}
