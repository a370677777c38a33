// SPDX-License-Identifier: Apache-2.0
import { reduced, type Binary } from "../binary/binary.ts";
import { parseBinary, textPrecision } from "../binary/parse.ts";
import type { BigFloat as BigFloatPayload } from "../payload/number-payload.ts";
import { shortestText } from "./text.ts";

/** Constructor of {@link BigFloat}. */
export interface BigFloatConstructor {
  /**
   * Prefer {@link numberFromText} and the functions beside it.
   *
   * @param text - canonical text of the number; may be undefined if `binary` is given.
   * @param binary - exact value of the number, of which the mantissa may be even; may be undefined if `text` is given.
   */
  new (precision: number, text: string | undefined, binary: Binary | undefined): BigFloat;
  readonly prototype: BigFloat;
}

const inspect: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

class LazyBigFloat implements BigFloatPayload {
  readonly kind = "number" as const;
  readonly precision: number;
  #text: string | undefined;
  #binary: Binary | undefined;

  constructor(precision: number, text: string | undefined, binary: Binary | undefined) {
    this.precision = precision;
    this.#text = text;
    this.#binary = binary;
  }

  /** The exact value, of which the mantissa may be even. */
  get exact(): Binary {
    return (this.#binary ??= parseBinary(this.#text!)!);
  }

  get binary(): Binary {
    return (this.#binary = reduced(this.exact));
  }

  toString(): string {
    return (this.#text ??= shortestText(this.binary, this.precision));
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect](): string {
    return `BigFloat(${this.toString()})`;
  }
}

/**
 * A number that no JavaScript number represents: a binary floating-point number with its own precision. The precision decides
 * how results of arithmetic are rounded and how many digits the text has. Immutable.
 */
export type BigFloat = BigFloatPayload;
/** Class of {@link BigFloat} numbers. Text is parsed, and written, only when it is needed. */
export const BigFloat: BigFloatConstructor = LazyBigFloat;

/** Returns the exact value of a number, of which the mantissa may be even. */
export function exactOf(x: BigFloat): Binary {
  return x instanceof LazyBigFloat ? x.exact : x.binary;
}

/** Matches text that equals what {@link BigFloat.toString} returns for the number. */
const canonicalText: RegExp = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/;
/** Number of digits up to which a decimal number is the same after conversion to 512 bits and back. */
const exactDigits = 150;

const small = new Map<string, BigFloat>();

/** Parses a number with 512 bits as go-cty's ParseNumberVal does; undefined for other text. Canonical text is parsed only when needed. */
export function numberFromText(text: string): BigFloat | undefined {
  if (text.length <= exactDigits && canonicalText.test(text)) {
    if (text.length > 3) return new BigFloat(textPrecision, text, undefined);
    let known = small.get(text);
    if (known === undefined) small.set(text, (known = new BigFloat(textPrecision, text, undefined)));
    return known;
  }
  const binary = parseBinary(text);
  return binary === undefined ? undefined : new BigFloat(textPrecision, undefined, binary);
}
