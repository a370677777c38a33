// SPDX-License-Identifier: Apache-2.0
import { Failure, malformed, orMalformed, reported, within } from "../codec/failure.ts";
import { composed } from "../construction/value-init.ts";
import { boolProblem } from "../convert/conversion-primitive.ts";
import { setPayload } from "../equality/set-internals.ts";
import { CtyError } from "../error/error.ts";
import { maxDepth } from "../error/limits.ts";
import type { ObjectType, TupleType, Type } from "../model/type.ts";
import type { PathStep } from "../model/path.ts";
import type { Value } from "../model/value.ts";
import { numberFromText } from "../number/big-float.ts";
import { mapPayload } from "../payload/map-payload.ts";
import { CapsulePayload, UNKNOWN, type Payload } from "../payload/payload.ts";
import { goQuote } from "../text/go-quote.ts";
import { normalizeString } from "../text/normalize.ts";
import { isExact, partType } from "../type/type.ts";
import { attributeStep, indexStep } from "../value/path-step.ts";
import { valueOf } from "../value/value.ts";
import type { DecodeOptions } from "./decode.ts";
import { isRawJson, type Tree } from "./tree.ts";
import { decodeType } from "./type.ts";

/** The members of a tree's record. */
type Members = Readonly<Record<string, Tree>>;

/** Options and state of one call. */
interface Input {
  readonly ignoreUndefinedAttributes: boolean;
  depth: number;
}

/**
 * Decodes a value of the type from the result of {@link parseTree} or `JSON.parse`, for documents that contain values. The result equals
 * that of {@link decode} for the JSON text of the tree. Prefer {@link parseTree}: `JSON.parse` rounds numbers.
 *
 * @throws CtyError `MALFORMED` with the path of the part that is not a value of the type; `LIMIT` for more than 1000 nested levels.
 *
 * @example
 * goString(fromTree(parseTree("[1, 0.10000000000000000001]"), list(number)))
 * // => cty.ListVal([]cty.Value{cty.NumberIntVal(1), cty.MustParseNumberVal("0.10000000000000000001")})
 */
export function fromTree<T extends Type>(tree: Tree, type: T, options: DecodeOptions = {}): Value<T> {
  const input: Input = { ignoreUndefinedAttributes: options.ignoreUndefinedAttributes ?? false, depth: 0 };
  return reported(() => readValue(input, tree, type)) as Value<T>;
}

function readValue(input: Input, tree: Tree, type: Type): Value {
  return isExact(type) ? valueOf(type, readPayload(input, tree, type)) : readOpenParts(input, tree, type);
}

/** Reads the payload of a value whose type is known without the tree. */
function readPayload(input: Input, tree: Tree, type: Type): Payload {
  if (tree === null) return null;
  switch (type.kind) {
    case "string":
      if (typeof tree === "string") return normalizeString(tree);
      if (typeof tree === "boolean") return String(tree);
      return numberTextOf(tree) ?? fail("string is required");
    case "number":
      return readNumber(tree);
    case "bool":
      return readBool(tree);
    case "list":
      return readSequence(input, tree, type, readPayload, indexStep);
    case "set": {
      const stepOf = (): PathStep => indexStep(valueOf(type.element, UNKNOWN));
      return setPayload(type.element, readSequence(input, tree, type, readPayload, stepOf));
    }
    case "tuple":
      return readTuple(input, tree, type, readPayload);
    case "map":
      return mapPayload(readMap(input, tree, type.element, readPayload));
    case "object":
      return readObject(input, tree, type, readPayload, () => null);
    case "capsule":
      if (type.ops.fromJson === undefined) throw new Failure("UNSUPPORTED", `unsupported type ${type.name}`);
      return new CapsulePayload(type.ops.fromJson(JSON.stringify(tree)));
    default:
      throw malformed("a type is required");
  }
}

/** Reads a value of a type with dynamic parts or optional attributes: the tree decides the result's type. */
function readOpenParts(input: Input, tree: Tree, type: Type): Value {
  if (tree === null) return valueOf(type, null);
  switch (type.kind) {
    case "list":
    case "set": {
      const stepOf = type.kind === "list" ? indexStep : (): PathStep => indexStep(valueOf(type.element, UNKNOWN));
      const elements = readSequence(input, tree, type, readValue, stepOf);
      return elements.length === 0 ? valueOf(type, []) : orMalformed(() => composed(type.kind, elements));
    }
    case "map": {
      const entries = new Map(readMap(input, tree, type.element, readValue));
      return entries.size === 0 ? valueOf(type, new Map()) : orMalformed(() => composed("map", [...entries.values()], [...entries.keys()]));
    }
    case "tuple":
      return composed("tuple", readTuple(input, tree, type, readValue));
    case "object":
      return composed(
        "object",
        readObject(input, tree, type, readValue, (attribute) => valueOf(attribute, null)),
        type.names,
      );
    default:
      return readDynamic(input, tree);
  }
}

function readDynamic(input: Input, tree: Tree): Value {
  const members = membersOf(tree);
  for (const key of Object.keys(members)) {
    if (key !== "type" && key !== "value") throw malformed(`invalid key ${goQuote(key)} in dynamically-typed value`);
  }
  if (!Object.hasOwn(members, "type")) throw malformed("missing type in dynamically-typed value");
  if (!Object.hasOwn(members, "value")) throw malformed("missing value in dynamically-typed value");
  enter(input);
  const value = readValue(input, members["value"]!, typeOf(members["type"]!));
  input.depth--;
  return value;
}

function typeOf(tree: Tree): Type {
  try {
    return decodeType(JSON.stringify(tree));
  } catch (error) {
    if (error instanceof CtyError) throw malformed(`failed to decode type for dynamic value: ${error.message}`);
    throw error;
  }
}

function fail(message: string): never {
  throw malformed(message);
}

/** Returns the text of a number of the tree; undefined if it is something else. */
function numberTextOf(tree: Tree): string | undefined {
  if (typeof tree === "number") return Object.is(tree, -0) ? "-0" : String(tree);
  return isRawJson(tree) ? tree.rawJSON : undefined;
}

function readNumber(tree: Tree): Payload {
  const text = typeof tree === "string" ? tree : (numberTextOf(tree) ?? fail("number is required"));
  return numberFromText(text) ?? fail("a number is required");
}

function readBool(tree: Tree): boolean {
  if (typeof tree === "boolean") return tree;
  if (typeof tree !== "string") throw malformed("bool is required");
  const text = normalizeString(tree);
  const problem = boolProblem(text);
  return problem === undefined ? text === "true" || text === "1" : fail(problem);
}

function enter(input: Input): void {
  if (++input.depth > maxDepth) throw new Failure("LIMIT", `nested more than ${maxDepth} levels deep`);
}

/** Reads one part of a tree as a part of its type. */
type Read<Part> = (input: Input, tree: Tree, type: Type) => Part;

function readSequence<Part>(input: Input, tree: Tree, type: Type, read: Read<Part>, stepOf: (index: number) => PathStep): Part[] {
  if (!Array.isArray(tree)) throw malformed("missing expected [");
  enter(input);
  const parts: Part[] = [];
  try {
    for (const part of tree as readonly Tree[]) parts.push(read(input, part, partType(type, parts.length)));
  } catch (error) {
    throw within(error, stepOf(parts.length));
  }
  input.depth--;
  return parts;
}

function readTuple<Part>(input: Input, tree: Tree, type: TupleType, read: Read<Part>): Part[] {
  const wanted = type.elements.length;
  if (Array.isArray(tree) && tree.length > wanted) throw malformed(`too many tuple elements (need ${wanted})`);
  const parts = readSequence(input, tree, type, read, indexStep);
  if (parts.length === wanted) return parts;
  const failure = malformed(`not enough tuple elements (need ${wanted})`);
  // As in go-cty, the path ends one step further out.
  failure.lostSteps = 1;
  throw failure;
}

function membersOf(tree: Tree): Members {
  if (typeof tree !== "object" || tree === null || Array.isArray(tree) || isRawJson(tree)) throw malformed("missing expected {");
  return tree as Members;
}

function readMap<Part>(input: Input, tree: Tree, type: Type, read: Read<Part>): [string, Part][] {
  const members = membersOf(tree);
  enter(input);
  const entries: [string, Part][] = [];
  for (const name of Object.keys(members)) {
    const key = normalizeString(name);
    try {
      entries.push([key, read(input, members[name]!, type)]);
    } catch (error) {
      throw within(error, indexStep(key));
    }
  }
  input.depth--;
  return entries;
}

/** Reads the attributes in the order of their names. `absent` returns the replacement for a missing attribute. */
function readObject<Part>(input: Input, tree: Tree, type: ObjectType, read: Read<Part>, absent: (type: Type) => Part): Part[] {
  const members = membersOf(tree);
  enter(input);
  let found = 0;
  const parts = type.names.map((name) => {
    const attribute = type.attributes[name]!;
    if (!Object.hasOwn(members, name)) return absent(attribute);
    found++;
    try {
      return read(input, members[name]!, attribute);
    } catch (error) {
      throw within(error, attributeStep(name));
    }
  });
  if (!input.ignoreUndefinedAttributes && found < Object.keys(members).length) {
    const unsupported = Object.keys(members).find((name) => !type.slots.has(name))!;
    throw malformed(`unsupported attribute ${goQuote(unsupported)}`);
  }
  input.depth--;
  return parts;
}
