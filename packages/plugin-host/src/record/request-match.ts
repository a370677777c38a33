// SPDX-License-Identifier: Apache-2.0
import { CtyError, formatPath, isKnown, isNull, isType, isValue, nullOf, same, type Path, type Value } from "@tenon/cty";
import { applyPath } from "@tenon/cty/paths";
import { encodeType } from "@tenon/cty/json";
import { flatmapText } from "./message-encoder.ts";
import type { MessageDecoder } from "./message-decoder.ts";
import { isBytes, nameOf, tagOf, type Node } from "./node.ts";
import type { RequestDifference } from "../request-difference.ts";
import { replaceAt, type Secret } from "./secrets.ts";
import { shortened, valueDifference, shortGoString } from "./value-difference.ts";

type Difference = Omit<RequestDifference, "method">;

/**
 * Compares requests of this run with recorded ones.
 *
 * A masked secret is bound to the first value in its place, and must have the same value everywhere else. Different secrets must have
 * different values.
 */
export class RequestMatch {
  /** The values of the secrets; valid if the requests are equal. */
  readonly bindings: Map<number, unknown>;
  readonly #decoder: MessageDecoder;

  constructor(decoder: MessageDecoder, bindings: ReadonlyMap<number, unknown>) {
    this.#decoder = decoder;
    this.bindings = new Map(bindings);
  }

  /** The first difference, in the order of the recorded request. */
  differ(recorded: Node | undefined, requested: unknown, field = ""): Difference | undefined {
    if (recorded === undefined || requested === undefined) {
      if (recorded === requested) return undefined;
      return this.#difference(field, recorded, requested);
    }
    const tag = tagOf(recorded);
    if (tag !== undefined) return this.#differTagged(recorded, ...tag, requested, field);
    if (isBytes(recorded))
      return isBytes(requested) && Buffer.compare(recorded, requested) === 0 ? undefined : this.#difference(field, recorded, requested);
    if (Array.isArray(recorded)) return this.#differArrays(recorded as readonly Node[], requested, field);
    if (typeof recorded !== "object" || recorded === null)
      return recorded === requested ? undefined : this.#difference(field, recorded, requested);
    return this.#differRecords(recorded as ReadonlyMap<string, Node>, requested, field);
  }

  #differRecords(recorded: ReadonlyMap<string, Node>, requested: unknown, field: string): Difference | undefined {
    if (typeof requested !== "object" || requested === null || isValue(requested) || Array.isArray(requested))
      return this.#difference(field, recorded, requested);
    const record = requested as Readonly<Record<string, unknown>>;
    const names = new Set([...recorded.keys()].map(nameOf));
    for (const [key, part] of recorded) {
      const name = nameOf(key);
      const difference = this.differ(part, Object.hasOwn(record, name) ? record[name] : undefined, below(field, name));
      if (difference) return difference;
    }
    for (const [name, part] of Object.entries(record)) {
      if (part !== undefined && !names.has(name)) return this.#difference(below(field, name), undefined, part);
    }
    return undefined;
  }

  #differArrays(recorded: readonly Node[], requested: unknown, field: string): Difference | undefined {
    if (!Array.isArray(requested)) return this.#difference(field, recorded, requested);
    for (let index = 0; index < Math.max(recorded.length, requested.length); index++) {
      const difference = this.differ(recorded[index], requested[index], `${field}[${index}]`);
      if (difference) return difference;
    }
    return undefined;
  }

  #differTagged(node: Node, tag: string, content: Node, requested: unknown, field: string): Difference | undefined {
    const different = (): Difference => this.#difference(field, node, requested);
    switch (tag) {
      case "$value": {
        if (!isValue(requested)) return different();
        const { value, secrets } = this.#decoder.value(content);
        return this.#differValues(value, secrets, requested, field);
      }
      // The elements of a stream are compared one by one.
      case "$stream":
        return typeof requested === "object" && requested !== null && Symbol.asyncIterator in requested ? undefined : different();
      case "$secretBytes":
        return isBytes(requested) && this.#bind((content as readonly [number])[0], requested, sameBytes) ? undefined : different();
      case "$secretRecord": {
        const isSame = (a: unknown, b: unknown): boolean => flatmapText(a as object) === flatmapText(b as object);
        return typeof requested === "object" && requested !== null && this.#bind(content as number, requested, isSame)
          ? undefined
          : different();
      }
      case "$type":
        return isType(requested) && encodeType(requested) === encodeType(this.#decoder.type(content)) ? undefined : different();
      case "$date":
        return requested instanceof Date && requested.getTime() === content ? undefined : different();
      default:
        return different();
    }
  }

  #differValues(recorded: Value, secrets: readonly Secret[], requested: Value, field: string): Difference | undefined {
    const paths = new Map(secrets.map(({ path }) => [formatPath(path), path]));
    for (const { path, token } of secrets) {
      const part = partAt(requested, path);
      const place = `${field}${formatPath(path)}`;
      const hasValue = part !== undefined && !isNull(part) && isKnown(part);
      if (!hasValue) return { field: place, recorded: "(sensitive value)", requested: part && shortGoString(part) };
      const isSame = (a: unknown, b: unknown): boolean => isValue(a) && isValue(b) && a.type === b.type && same(a, b);
      if (!this.#bind(token, part, isSame)) return { field: place, recorded: "(sensitive value)", requested: "(another sensitive value)" };
    }
    const open = secrets.length === 0 ? requested : replaceAt(requested, paths, (part) => nullOf(part.type));
    const difference = valueDifference(recorded, open);
    if (difference === undefined) return undefined;
    const { path } = difference;
    return {
      field: `${field}${formatPath(path)}`,
      recorded: difference.recorded && shortGoString(difference.recorded),
      requested: difference.requested && shortGoString(difference.requested),
    };
  }

  /** Binds a secret to a value. @returns whether the secret can have this value */
  #bind(token: number, requested: unknown, isSame: (a: unknown, b: unknown) => boolean): boolean {
    if (this.bindings.has(token)) return isSame(this.bindings.get(token), requested);
    for (const other of this.bindings.values()) if (typeof other === typeof requested && isSame(other, requested)) return false;
    this.bindings.set(token, requested);
    return true;
  }

  #difference(field: string, recorded: Node | undefined, requested: unknown): Difference {
    return {
      field,
      recorded: recorded === undefined ? undefined : this.#recordedText(recorded),
      requested: requested === undefined ? undefined : requestedText(requested),
    };
  }

  #recordedText(node: Node): string {
    const [tag, content] = tagOf(node) ?? [];
    if (tag === "$value") {
      const { value, secrets } = this.#decoder.value(content!);
      return secrets.some(({ path }) => path.length === 0) ? "(sensitive value)" : shortGoString(value);
    }
    if (tag === "$secretBytes" || tag === "$secretRecord") return "(sensitive data)";
    if (tag === "$stream") return "a stream";
    return requestedText(this.#decoder.decode(node, new Map()));
  }
}

function below(field: string, name: string): string {
  return field === "" ? name : `${field}.${name}`;
}

function partAt(value: Value, path: Path): Value | undefined {
  try {
    return applyPath(path, value);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

function sameBytes(a: unknown, b: unknown): boolean {
  return isBytes(a) && isBytes(b) && Buffer.compare(a, b) === 0;
}

function requestedText(requested: unknown): string {
  if (isValue(requested)) return shortGoString(requested);
  if (isBytes(requested)) return `${requested.length} bytes, ${shortened(Buffer.from(requested).toString("base64"))}`;
  return shortened(JSON.stringify(requested, (_, part: unknown) => (isValue(part) ? shortGoString(part) : part)) ?? String(requested));
}
