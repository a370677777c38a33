// SPDX-License-Identifier: Apache-2.0
import { boolProblem } from "../convert/conversion-primitive.ts";
import { normalizeString } from "../text/normalize.ts";
import { CtyError } from "../error/error.ts";
import { Failure, reported, within, malformed } from "../codec/failure.ts";
import { goQuote } from "../text/go-quote.ts";
import { mapPayload } from "../payload/map-payload.ts";
import { numberFromText } from "../number/big-float.ts";
import { attributeStep, indexStep } from "../value/path-step.ts";
import type { PathStep } from "../model/path.ts";
import { CapsulePayload, UNKNOWN, type Payload } from "../payload/payload.ts";
import { setPayload } from "../equality/set-internals.ts";
import { isExact } from "../type/type.ts";
import type { CapsuleType, ObjectType, TupleType, Type } from "../model/type.ts";
import { listOf, mapOf, objectOf, setOf, tupleOf } from "../construction/value-init.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";
import { readType } from "./type.ts";
import { ValueScanner } from "./value-scanner.ts";

/** Options of a JSON decoder. */
export interface DecodeOptions {
  /** Skip attributes that the type does not have, as in state written with an older schema. Default false: they are an error. */
  readonly ignoreUndefinedAttributes?: boolean;
}

interface Input extends Required<DecodeOptions> {
  readonly scanner: ValueScanner;
}

/**
 * Decodes a value of the type from JSON. Numbers keep their digits. Strings are accepted as numbers and bools, and numbers and bools
 * as strings. Missing attributes become null. Text after the value is ignored.
 *
 * @throws CtyError `MALFORMED` with the path of the part that is not a value of the type; `LIMIT` for more than 1000 nested levels.
 * @see go-cty json.Unmarshal
 */
export function decode<T extends Type>(json: string | Uint8Array, type: T, options: DecodeOptions = {}): Value<T> {
  const text = typeof json === "string" ? json : new TextDecoder("utf-8", { ignoreBOM: true }).decode(json);
  const input = { scanner: new ValueScanner(text), ignoreUndefinedAttributes: options.ignoreUndefinedAttributes ?? false };
  return reported(() => readValue(input, type)) as Value<T>;
}

function readValue(input: Input, type: Type): Value {
  return isExact(type) ? valueOf(type, readPayload(input, type)) : readOpenParts(input, type);
}

/** Reads the payload of a value whose type is known without the text. */
function readPayload(input: Input, type: Type): Payload {
  const { scanner } = input;
  const token = scanner.token();
  if (token === "end" || token === "other") throw scanner.unexpected("a value");
  if (token === "null") {
    scanner.literal("null");
    return null;
  }
  switch (type.kind) {
    case "string":
      if (token === '"') return normalizeString(scanner.string());
      if (token === "number") return scanner.number();
      if (token !== "true" && token !== "false") throw malformed("string is required");
      scanner.literal(token);
      return token;
    case "number": {
      if (token !== '"' && token !== "number") throw malformed("number is required");
      const number = numberFromText(token === '"' ? scanner.string() : scanner.number());
      if (number === undefined) throw malformed("a number is required");
      return number;
    }
    case "bool":
      if (token === "true" || token === "false") {
        scanner.literal(token);
        return token === "true";
      }
      if (token !== '"') throw malformed("bool is required");
      return boolOf(normalizeString(scanner.string()));
    case "list":
      return readElements(input, type.element, indexStep);
    case "set":
      return setPayload(
        type.element,
        readElements(input, type.element, () => indexStep(valueOf(type.element, UNKNOWN))),
      );
    case "map": {
      const entries: [string, Payload][] = [];
      readMembers(input, (key) => entries.push([key, readPayload(input, type.element)]));
      return mapPayload(entries);
    }
    case "tuple":
      return readTuple(input, type, readPayload);
    case "object": {
      const attributes = readAttributes(input, type, readPayload);
      return type.names.map((name) => attributes.get(name) ?? null);
    }
    case "capsule":
      return readCapsule(input, type);
    default:
      throw malformed("a type is required");
  }
}

/** Reads a value of a type with dynamic parts or optional attributes. The text determines its type. */
function readOpenParts(input: Input, type: Type): Value {
  const { scanner } = input;
  if (scanner.token() === "null") {
    scanner.literal("null");
    return valueOf(type, null);
  }
  switch (type.kind) {
    case "list":
    case "set": {
      const step = type.kind === "list" ? indexStep : () => indexStep(valueOf(type.element, UNKNOWN));
      const elements: Value[] = [];
      readArray(input, step, () => elements.push(readValue(input, type.element)));
      if (elements.length === 0) return valueOf(type, []);
      return collected(() => (type.kind === "list" ? listOf(elements) : setOf(elements)));
    }
    case "map": {
      const entries = new Map<string, Value>();
      readMembers(input, (key) => entries.set(key, readValue(input, type.element)));
      return entries.size === 0 ? valueOf(type, new Map()) : collected(() => mapOf(entries));
    }
    case "tuple":
      return tupleOf(readTuple(input, type, readValue));
    case "object": {
      const attributes = readAttributes(input, type, readValue);
      return objectOf(new Map(type.names.map((name) => [name, attributes.get(name) ?? valueOf(type.attributes[name]!, null)])));
    }
    default:
      return readDynamic(input);
  }
}

/** Reads `{"value": …, "type": …}` in any order. If the value comes first, it is skipped and read afterwards. */
function readDynamic(input: Input): Value {
  const { scanner } = input;
  let type: Type | undefined;
  let start: number | undefined;
  if (scanner.peek() !== "{") throw malformed("missing expected {");
  scanner.object((key) => {
    if (key === "type") type = typeIn(scanner);
    else if (key === "value") {
      scanner.peek();
      start = scanner.position;
      scanner.skip();
    } else throw malformed(`invalid key ${goQuote(key)} in dynamically-typed value`);
  });
  if (type === undefined) throw malformed("missing type in dynamically-typed value");
  if (start === undefined) throw malformed("missing value in dynamically-typed value");
  const end = scanner.position;
  scanner.position = start;
  scanner.enter();
  const value = readValue(input, type);
  scanner.leave();
  scanner.position = end;
  return value;
}

function typeIn(scanner: ValueScanner): Type {
  try {
    return readType(scanner);
  } catch (error) {
    if (error instanceof Failure) throw malformed(`failed to decode type for dynamic value: ${error.message}`);
    throw error;
  }
}

function collected(collect: () => Value): Value {
  try {
    return collect();
  } catch (error) {
    if (error instanceof CtyError) throw malformed(error.message, error);
    throw error;
  }
}

function boolOf(text: string): boolean {
  const problem = boolProblem(text);
  if (problem !== undefined) throw malformed(problem);
  return text === "true" || text === "1";
}

function readArray({ scanner }: Input, step: (index: number) => PathStep, read: (index: number) => void): void {
  if (scanner.peek() !== "[") throw malformed("missing expected [");
  scanner.array((index) => {
    try {
      read(index);
    } catch (error) {
      throw within(error, step(index));
    }
  });
}

function readElements(input: Input, type: Type, step: (index: number) => PathStep): Payload[] {
  const elements: Payload[] = [];
  readArray(input, step, () => elements.push(readPayload(input, type)));
  return elements;
}

function readMembers({ scanner }: Input, read: (key: string) => void): void {
  if (scanner.peek() !== "{") throw malformed("missing expected {");
  const stepOf = (key: string): PathStep => indexStep(normalizeString(key));
  scanner.members((key) => {
    const normal = normalizeString(key);
    try {
      read(normal);
    } catch (error) {
      throw within(error, indexStep(normal));
    }
  }, stepOf);
}

function readTuple<Result>(input: Input, type: TupleType, read: (input: Input, type: Type) => Result): Result[] {
  const wanted = type.elements.length;
  const elements: Result[] = [];
  if (input.scanner.peek() !== "[") throw malformed("missing expected [");
  input.scanner.array((index) => {
    if (index >= wanted) throw malformed(`too many tuple elements (need ${wanted})`);
    try {
      elements.push(read(input, type.elements[index]!));
    } catch (error) {
      throw within(error, indexStep(index));
    }
  });
  if (elements.length < wanted) {
    const failure = malformed(`not enough tuple elements (need ${wanted})`);
    failure.lostSteps = 1;
    throw failure;
  }
  return elements;
}

/** Reads the attributes that the text contains. Of several with one name, the last is used, as in go-cty. */
function readAttributes<Result>(input: Input, type: ObjectType, read: (input: Input, type: Type) => Result): Map<string, Result> {
  const { scanner } = input;
  const attributes = new Map<string, Result>();
  if (scanner.peek() !== "{") throw malformed("missing expected {");
  scanner.members((name) => {
    if (!type.slots.has(name)) {
      if (!input.ignoreUndefinedAttributes) throw malformed(`unsupported attribute ${goQuote(name)}`);
      scanner.skip();
      return;
    }
    try {
      attributes.set(name, read(input, type.attributes[name]!));
    } catch (error) {
      throw within(error, attributeStep(name));
    }
  }, attributeStep);
  return attributes;
}

function readCapsule({ scanner }: Input, type: CapsuleType): Payload {
  const { fromJson } = type.ops;
  if (fromJson === undefined) throw new Failure("UNSUPPORTED", `unsupported type ${type.name}`);
  const start = scanner.position;
  scanner.skip();
  return new CapsulePayload(fromJson(scanner.text.slice(start, scanner.position)));
}
