// SPDX-License-Identifier: Apache-2.0
import { type Value } from "@tenon/cty";
import { decode as decodeJson, decodeType } from "@tenon/cty/json";
import { mapPayload, normalizeString, numberFromText, setPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import type { JsonValue } from "../definition/call-context.ts";
import type { EntryShape, ObjectShape, PrimitiveShape, Shape } from "../shape/shape.ts";
import { emptyEntry, objectValue } from "./encode.ts";
import { Trail, type ConversionProblem } from "./problem.ts";
import { isRecord, put, take } from "./record.ts";

/** A number in JSON text that is not exactly representable as a double, in its original notation. */
class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Parses JSON text without a loss of precision in numbers.
 *
 * @throws SyntaxError for malformed JSON.
 */
export function parseExactly(bytes: Uint8Array): unknown {
  const revive = (_name: string, value: unknown, context?: { readonly source?: string }): unknown => {
    if (typeof value !== "number" || Number.isSafeInteger(value) || context?.source === undefined) return value;
    return new ExactNumber(context.source);
  };
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), revive);
}

/** Converts a result of {@link parseExactly} for authors: numbers that are not exactly representable as doubles become decimal text. */
export function plainJson(parsed: unknown): JsonValue {
  if (parsed instanceof ExactNumber) {
    const double = Number(parsed.text);
    return String(double) === parsed.text ? double : parsed.text;
  }
  if (Array.isArray(parsed)) return parsed.map(plainJson);
  if (!isRecord(parsed)) return parsed as JsonValue;
  const record: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(parsed)) put(record, name, plainJson(member));
  return record as JsonValue;
}

/**
 * Decodes recorded state leniently, because an older version may have written it: unknown attributes are ignored, missing attributes
 * are null, numbers and strings are converted into each other, and `true` may be "true" or "1".
 *
 * @see rules 34 and 37 in test/rules
 */
export function fromRecordedJson(
  shape: ObjectShape,
  parsed: unknown,
): { readonly value: Value; readonly problems: readonly ConversionProblem[] } {
  const trail = new Trail();
  const value = readObject(shape, parsed, trail);
  return { value, problems: trail.problems };
}

function readPart(shape: Shape, parsed: unknown, trail: Trail): Value {
  if (parsed === null || parsed === undefined) return valueOf(shape.type, null);
  switch (shape.kind) {
    case "object":
      return readObject(shape, parsed, trail);
    case "list":
    case "set": {
      if (!Array.isArray(parsed)) return wrong(shape, "is not an array", trail);
      const elements = parsed.map((element, index) => inside(index, trail, () => readPart(shape.element, element, trail).payload));
      return valueOf(shape.type, shape.kind === "set" ? setPayload(shape.element.type, elements) : elements);
    }
    case "map": {
      if (!isRecord(parsed)) return wrong(shape, "is not an object", trail);
      const elements = Object.entries(parsed).map(([key, element]): readonly [string, Payload] => [
        normalizeString(key),
        inside(key, trail, () => readPart(shape.element, element, trail).payload),
      ]);
      return valueOf(shape.type, mapPayload(elements));
    }
    default:
      return readPrimitive(shape, parsed, trail);
  }
}

function inside<T>(step: number | string | EntryShape["step"], trail: Trail, read: () => T): T {
  trail.enter(step);
  const result = read();
  trail.leave();
  return result;
}

function wrong(shape: Shape, what: string, trail: Trail): Value {
  trail.add(what);
  return valueOf(shape.type, null);
}

function readObject(shape: ObjectShape, parsed: unknown, trail: Trail): Value {
  if (!isRecord(parsed) || parsed instanceof ExactNumber) return wrong(shape, "is not an object", trail);
  const parts = shape.entries.map((entry) => {
    const member = entry.writeOnly ? undefined : take(parsed, entry.name);
    if (member === undefined || member === null) return emptyEntry(entry);
    return inside(entry.step, trail, () => readPart(entry.shape, member, trail));
  });
  return objectValue(shape, parts);
}

function readPrimitive(shape: PrimitiveShape, parsed: unknown, trail: Trail): Value {
  const { kind, type } = shape;
  if (kind === "dynamic") return readDynamic(shape, parsed, trail);
  const text = textOfPrimitive(parsed);
  if (text === undefined) return wrong(shape, `is not a ${kind === "bool" || kind === "string" ? kind : "number"}`, trail);
  if (kind === "string") return valueOf(type, normalizeString(text));
  if (kind === "bool") {
    if (text === "true" || text === "1") return valueOf(type, true);
    return text === "false" || text === "0" ? valueOf(type, false) : wrong(shape, "is neither true nor false", trail);
  }
  if (typeof parsed === "number") return valueOf(type, parsed + 0);
  return valueOf(type, numberFromText(text) ?? wrong(shape, "is not a number", trail).payload);
}

function textOfPrimitive(parsed: unknown): string | undefined {
  if (parsed instanceof ExactNumber) return parsed.text;
  return typeof parsed === "string" || typeof parsed === "number" || typeof parsed === "boolean" ? String(parsed) : undefined;
}

/** Decodes the value of a dynamic attribute, which is recorded together with its type. */
function readDynamic(shape: Shape, parsed: unknown, trail: Trail): Value {
  if (!isRecord(parsed) || !("type" in parsed) || !("value" in parsed)) return wrong(shape, "has no type and value", trail);
  try {
    const type = decodeType(JSON.stringify(parsed["type"]));
    return decodeJson(textOf(parsed["value"]), type);
  } catch (error) {
    return wrong(shape, `cannot be read: ${error instanceof Error ? error.message : String(error)}`, trail);
  }
}

/** Converts parsed JSON back to text, with every number in its original notation. */
function textOf(parsed: unknown): string {
  if (parsed instanceof ExactNumber) return parsed.text;
  if (Array.isArray(parsed)) return `[${parsed.map(textOf).join()}]`;
  if (!isRecord(parsed)) return JSON.stringify(parsed);
  return `{${Object.entries(parsed)
    .map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`)
    .join()}}`;
}
