// SPDX-License-Identifier: Apache-2.0
import { misuse, nullRefused } from "../error/error.ts";
import { isMarkedPayload, isUnknownPayload, markedPayload, type Payload } from "../payload/payload.ts";
import { dynamic } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { friendlyName } from "../type/type-names.ts";
import type { Value } from "../model/value.ts";

/** The operands of an operation, checked and without their marks. */
export interface Operands {
  /** Present if all operands are known. Reading it throws if one is null. */
  readonly payloads: readonly Payload[] | undefined;
  readonly unknown: boolean;
  readonly unmarked: readonly Payload[];
  /** Puts the operands' marks on the result. */
  readonly marked: (result: Payload) => Payload;
}

/**
 * Checks that all operands have the required type. Values of unknown type count as unknown.
 *
 * @throws CtyError `MISUSE` for another type; `payloads` throws `NULL` for null.
 * @see go-cty mustTypeCheck
 */
export function operands(required: Type, ...values: readonly Value[]): Operands {
  let unknown = false;
  let markedAny = false;
  for (const [index, { type, payload }] of values.entries()) {
    if (type === dynamic) unknown = true;
    else if (type !== required) {
      throw misuse(`type mismatch: want ${friendlyName(required)} but value ${index} is ${friendlyName(type)}`);
    }
    if (isMarkedPayload(payload)) markedAny = true;
  }
  const unmarked = values.map(({ payload }) => (isMarkedPayload(payload) ? payload.payload : payload));
  unknown ||= unmarked.some(isUnknownPayload);
  return {
    get payloads() {
      if (unknown) return undefined;
      if (unmarked.includes(null)) throw nullRefused("value is null");
      return unmarked;
    },
    unknown,
    unmarked,
    marked: markedAny ? marker(values) : (result) => result,
  };
}

function marker(values: readonly Value[]): (result: Payload) => Payload {
  return (result) => {
    let marked = result;
    for (const { payload } of values) if (isMarkedPayload(payload)) marked = markedPayload(marked, payload.marks);
    return marked;
  };
}
