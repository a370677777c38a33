// SPDX-License-Identifier: Apache-2.0
import { conformingTo, type EncodeOptions } from "../codec/encode-options.ts";
import { Failure, reported, unsupported, within } from "../codec/failure.ts";
import { CtyError } from "../error/error.ts";
import type { ObjectType, Type } from "../model/type.ts";
import type { Value } from "../model/value.ts";
import { isInfiniteNumber, numberText } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import { isMarkedPayload, isUnknownPayload, type CapsulePayload, type Payload } from "../payload/payload.ts";
import { dynamic, partType, withoutOptionalAttributes } from "../type/type.ts";
import { attributeStep, indexStep } from "../value/path-step.ts";
import { valueOf } from "../value/value.ts";
import { numberTree, parseTree, type Tree } from "./tree.ts";
import { encodeType } from "./type.ts";

/**
 * Returns a value as the data that `JSON.parse` returns for its JSON text. Use it to write the value as part of a larger document, or
 * indented, with `JSON.stringify`. It takes about half the time of {@link encode} and `JSON.parse`.
 *
 * `JSON.stringify` writes keys that are array indexes before the other keys, and does not escape `<`, `>` and `&` as Go does.
 *
 * @throws CtyError `UNSUPPORTED` for marks, unknown values and infinity, `CONFORMANCE` for a value of another type, with their path.
 *
 * @example
 * JSON.stringify(toTree(of(list(number), [1, 2n ** 64n]), list(number)))
 * // => [1,18446744073709551616]
 */
export function toTree(value: Value, type: Type, options?: EncodeOptions): Tree {
  const given = conformingTo(type, value, options);
  return reported(() => tree(withoutOptionalAttributes(type), given.type, given.payload));
}

function tree(target: Type, actual: Type, payload: Payload): Tree {
  if (typeof payload === "string" || typeof payload === "boolean" || payload === null) {
    if (target !== dynamic || actual === dynamic) return typeof payload === "string" ? payload.toWellFormed() : payload;
  } else if (isMarkedPayload(payload)) throw unsupported("value has marks, so it cannot be serialized as JSON");
  else if (isUnknownPayload(payload)) throw unsupported("value is not known");
  if (target === dynamic && actual !== dynamic) return dynamicTree(actual, payload);
  switch (target.kind) {
    case "number":
      if (isInfiniteNumber(payload as NumberPayload)) throw unsupported("cannot serialize infinity as JSON");
      return numberTree(numberText(payload as NumberPayload));
    case "list":
    case "set":
    case "tuple":
      return sequenceTree(target, actual, payload as readonly Payload[]);
    case "map":
      return mapTree(target.element, partType(actual, 0), payload as ReadonlyMap<string, Payload>);
    case "object":
      return objectTree(target, actual as ObjectType, payload as readonly Payload[]);
    case "capsule":
      if (target.ops.toJson === undefined) throw unsupported(`cannot JSON-serialize ${target.name}`);
      return parseTree(target.ops.toJson((payload as CapsulePayload).native));
    default:
      throw unsupported("cannot JSON-serialize dynamic");
  }
}

/** Returns a value together with its type, for a target of dynamic type. */
function dynamicTree(type: Type, payload: Payload): Tree {
  const typeTree = treeOfType(type);
  try {
    return { value: tree(type, type, payload), type: typeTree };
  } catch (error) {
    throw error instanceof Failure ? error.prefix("failed to serialize value") : error;
  }
}

function treeOfType(type: Type): Tree {
  try {
    return JSON.parse(encodeType(type)) as Tree;
  } catch (error) {
    if (error instanceof CtyError) throw unsupported(`failed to serialize type: ${error.message}`, error);
    throw error;
  }
}

function sequenceTree(target: Type, actual: Type, elements: readonly Payload[]): Tree {
  const result: Tree[] = [];
  try {
    for (const [index, element] of elements.entries()) result.push(tree(partType(target, index), partType(actual, index), element));
  } catch (error) {
    const index = result.length;
    throw within(error, indexStep(target.kind === "set" ? valueOf(partType(actual, index), elements[index]!) : index));
  }
  return result;
}

function mapTree(target: Type, actual: Type, elements: ReadonlyMap<string, Payload>): Tree {
  const result: Record<string, Tree> = {};
  for (const [key, element] of elements) {
    try {
      setMember(result, key.toWellFormed(), tree(target, actual, element));
    } catch (error) {
      throw within(error, indexStep(key));
    }
  }
  return result;
}

function objectTree(target: ObjectType, actual: ObjectType, slots: readonly Payload[]): Tree {
  const result: Record<string, Tree> = {};
  let slot = 0;
  try {
    for (; slot < slots.length; slot++) {
      const name = target.names[slot]!;
      setMember(result, name, tree(target.attributes[name]!, actual.attributes[name]!, slots[slot]!));
    }
  } catch (error) {
    throw within(error, attributeStep(target.names[slot]!));
  }
  return result;
}

/** Sets a member of a record. An assignment to `__proto__` would set the prototype instead. */
function setMember(record: Record<string, Tree>, name: string, member: Tree): void {
  if (name !== "__proto__") record[name] = member;
  else Object.defineProperty(record, name, { value: member, configurable: true, enumerable: true, writable: true });
}
