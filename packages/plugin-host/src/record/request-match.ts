// SPDX-License-Identifier: Apache-2.0
import { CtyError, formatPath, isKnown, isNull, isType, isValue, nullOf, same, type Path, type Value } from "@tenon/cty";
import { applyPath } from "@tenon/cty/paths";
import { encodeType } from "@tenon/cty/json";
import { flatmapText } from "./message-encoder.ts";
import type { MessageDecoder } from "./message-decoder.ts";
import { isBytes, nameOf, tagOf, type Node } from "./node.ts";
import type { RequestDifference } from "./request-difference.ts";
import { replaceAt, type Secret } from "./secrets.ts";
import { shortened, valueDifference, valueText } from "./value-difference.ts";

type Difference = Omit<RequestDifference, "method">;

/**
 * Holds requests of this run against recorded ones.
 *
 * A secret of the recording is bound to what is in its place now, and must be that wherever else it is; and nothing else may be.
 */
export class RequestMatch {
  /** What the secrets are, if the request is the recorded one. */
  readonly bindings: Map<number, unknown>;
  readonly #decoder: MessageDecoder;

  constructor(decoder: MessageDecoder, bindings: ReadonlyMap<number, unknown>) {
    this.#decoder = decoder;
    this.bindings = new Map(bindings);
  }

  /** The first difference, in the order of the recorded request. */
  differ(recorded: Node | undefined, asked: unknown, field = ""): Difference | undefined {
    if (recorded === undefined || asked === undefined) {
      if (recorded === asked) return undefined;
      return this.#difference(field, recorded, asked);
    }
    const tag = tagOf(recorded);
    if (tag !== undefined) return this.#differTagged(recorded, ...tag, asked, field);
    if (isBytes(recorded))
      return isBytes(asked) && Buffer.compare(recorded, asked) === 0 ? undefined : this.#difference(field, recorded, asked);
    if (Array.isArray(recorded)) return this.#differArrays(recorded as readonly Node[], asked, field);
    if (typeof recorded !== "object" || recorded === null) return recorded === asked ? undefined : this.#difference(field, recorded, asked);
    return this.#differRecords(recorded as ReadonlyMap<string, Node>, asked, field);
  }

  #differRecords(recorded: ReadonlyMap<string, Node>, asked: unknown, field: string): Difference | undefined {
    if (typeof asked !== "object" || asked === null || isValue(asked) || Array.isArray(asked))
      return this.#difference(field, recorded, asked);
    const record = asked as Readonly<Record<string, unknown>>;
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

  #differArrays(recorded: readonly Node[], asked: unknown, field: string): Difference | undefined {
    if (!Array.isArray(asked)) return this.#difference(field, recorded, asked);
    for (let index = 0; index < Math.max(recorded.length, asked.length); index++) {
      const difference = this.differ(recorded[index], asked[index], `${field}[${index}]`);
      if (difference) return difference;
    }
    return undefined;
  }

  #differTagged(node: Node, tag: string, content: Node, asked: unknown, field: string): Difference | undefined {
    const different = (): Difference => this.#difference(field, node, asked);
    switch (tag) {
      case "$value": {
        if (!isValue(asked)) return different();
        const { value, secrets } = this.#decoder.value(content);
        return this.#differValues(value, secrets, asked, field);
      }
      // Its parts are recorded, and compared, one by one.
      case "$stream":
        return typeof asked === "object" && asked !== null && Symbol.asyncIterator in asked ? undefined : different();
      case "$secretBytes":
        return isBytes(asked) && this.#bind((content as readonly [number])[0], asked, sameBytes) ? undefined : different();
      case "$secretRecord": {
        const isSame = (a: unknown, b: unknown): boolean => flatmapText(a as object) === flatmapText(b as object);
        return typeof asked === "object" && asked !== null && this.#bind(content as number, asked, isSame) ? undefined : different();
      }
      case "$type":
        return isType(asked) && encodeType(asked) === encodeType(this.#decoder.type(content)) ? undefined : different();
      case "$date":
        return asked instanceof Date && asked.getTime() === content ? undefined : different();
      default:
        return different();
    }
  }

  #differValues(recorded: Value, secrets: readonly Secret[], asked: Value, field: string): Difference | undefined {
    const paths = new Map(secrets.map(({ path }) => [formatPath(path), path]));
    for (const { path, token } of secrets) {
      const part = partAt(asked, path);
      const place = `${field}${formatPath(path)}`;
      const known = part !== undefined && !isNull(part) && isKnown(part);
      if (!known) return { field: place, recorded: "(sensitive value)", asked: part && valueText(part) };
      const isSame = (a: unknown, b: unknown): boolean => isValue(a) && isValue(b) && a.type === b.type && same(a, b);
      if (!this.#bind(token, part, isSame)) return { field: place, recorded: "(sensitive value)", asked: "(another sensitive value)" };
    }
    const open = secrets.length === 0 ? asked : replaceAt(asked, paths, (part) => nullOf(part.type));
    const difference = valueDifference(recorded, open);
    if (difference === undefined) return undefined;
    const { path } = difference;
    return {
      field: `${field}${formatPath(path)}`,
      recorded: difference.recorded && valueText(difference.recorded),
      asked: difference.asked && valueText(difference.asked),
    };
  }

  /** Whether a secret may be what is asked now. */
  #bind(token: number, asked: unknown, isSame: (a: unknown, b: unknown) => boolean): boolean {
    if (this.bindings.has(token)) return isSame(this.bindings.get(token), asked);
    for (const other of this.bindings.values()) if (typeof other === typeof asked && isSame(other, asked)) return false;
    this.bindings.set(token, asked);
    return true;
  }

  #difference(field: string, recorded: Node | undefined, asked: unknown): Difference {
    return {
      field,
      recorded: recorded === undefined ? undefined : this.#recordedText(recorded),
      asked: asked === undefined ? undefined : askedText(asked),
    };
  }

  #recordedText(node: Node): string {
    const [tag, content] = tagOf(node) ?? [];
    if (tag === "$value") {
      const { value, secrets } = this.#decoder.value(content!);
      return secrets.some(({ path }) => path.length === 0) ? "(sensitive value)" : valueText(value);
    }
    if (tag === "$secretBytes" || tag === "$secretRecord") return "(sensitive data)";
    if (tag === "$stream") return "a stream";
    return askedText(this.#decoder.decode(node, new Map()));
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

function askedText(asked: unknown): string {
  if (isValue(asked)) return valueText(asked);
  if (isBytes(asked)) return `${asked.length} bytes, ${shortened(Buffer.from(asked).toString("base64"))}`;
  return shortened(JSON.stringify(asked, (_, part: unknown) => (isValue(part) ? valueText(part) : part)) ?? String(asked));
}
