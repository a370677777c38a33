// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "../text/normalize.ts";
import { CtyError, misuse, nullRefused } from "../error/error.ts";
import { get } from "../value/get.ts";
import { goQuote } from "../text/go-quote.ts";
import { hasElement, hasIndex, index } from "../operators/indexing.ts";
import type { Path, PathStep } from "../model/path.ts";
import { isMarkedPayload, isUnknownPayload, markedPayload, UNKNOWN, unmarkedPayload } from "../payload/payload.ts";
import { isCollectionType, number, string } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { isNull } from "../equality/value-ops.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";

/**
 * The value at a path.
 *
 * @throws CtyError `MISUSE` or `NULL` if the value has no such path. The error's `path` ends with the step that failed.
 * @see go-cty Path.Apply
 */
export function applyPath(path: Path, value: Value): Value {
  let current = value;
  for (const [position, step] of path.entries()) {
    try {
      current = applyStep(step, current);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      throw new CtyError(error.code, `at step ${position}: ${error.message}`, path.slice(0, position + 1), { cause: error });
    }
  }
  return current;
}

function applyStep(step: PathStep, value: Value): Value {
  return step.kind === "attribute" ? applyAttribute(step.name, value) : applyIndex(step.key, value);
}

function applyAttribute(name: string, value: Value): Value {
  if (isNull(value)) throw nullRefused("cannot access attributes on a null value");
  const { type } = value;
  if (type.kind !== "object") throw misuse("not an object type");
  if (!type.slots.has(normalizeString(name))) throw misuse(`object has no attribute ${goQuote(name)}`);
  return get<Type>(value, name);
}

function applyIndex(key: Value, value: Value): Value {
  if (isNull(value)) throw nullRefused("cannot index a null value");
  const { type } = value;
  if (type.kind === "set") return applyElement(key, value, type.element);
  if (key.type === number) {
    if (type.kind !== "list" && type.kind !== "tuple") throw misuse("not a list type");
  } else if (key.type !== string) {
    throw misuse("key value not number or string");
  } else if (type.kind !== "map") {
    throw misuse("not a map type");
  }
  const has = unmarkedPayload(hasIndex(value, key).payload);
  if (isUnknownPayload(has)) {
    if (!isCollectionType(type)) throw misuse("the position in a tuple must be known");
    return valueOf(type.element, UNKNOWN);
  }
  if (has !== true) throw misuse("value does not have given index key");
  return index(value, key);
}

/** The element of a set that equals the key. */
function applyElement(key: Value, value: Value, elementType: Type): Value {
  const { payload } = hasElement(value, key);
  const marks = isMarkedPayload(payload) ? payload.marks : new Set();
  const present = unmarkedPayload(payload);
  if (isUnknownPayload(present)) return valueOf(elementType, markedPayload(UNKNOWN, marks));
  if (present !== true) throw misuse("set does not contain the requested element");
  return valueOf(key.type, markedPayload(key.payload, marks));
}
