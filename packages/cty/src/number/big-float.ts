// SPDX-License-Identifier: Apache-2.0
import type { Binary } from "./binary.ts";
import { parseBinary, textPrecision } from "./parse.ts";
import { shortestText } from "./text.ts";

/**
 * A number that no JavaScript number stands for: a binary floating point number with its own precision in bits, which
 * decides how results of arithmetic are rounded and how many digits its text has. Immutable.
 */
export class BigFloat {
  readonly kind = "number" as const;
  /** Bits of mantissa: 512 for text, 64 for integers, 53 for doubles. */
  readonly precision: number;
  #text: string | undefined;
  #binary: Binary | undefined;

  /** Use {@link numberFromText} and its like. One of `text`, which must be canonical, and `binary` may be left out. */
  constructor(precision: number, text: string | undefined, binary: Binary | undefined) {
    this.precision = precision;
    this.#text = text;
    this.#binary = binary;
  }

  /** The exact value. */
  get binary(): Binary {
    return (this.#binary ??= parseBinary(this.#text!)!);
  }

  /** Decimal notation without exponent; `+Inf` and `-Inf`. */
  toString(): string {
    return (this.#text ??= shortestText(this.#binary!, this.precision));
  }

  toJSON(): string {
    return this.toString();
  }
}

Object.defineProperty(BigFloat.prototype, Symbol.for("nodejs.util.inspect.custom"), {
  value(this: BigFloat): string {
    return `BigFloat(${this.toString()})`;
  },
});

/** Text that is, character by character, what {@link BigFloat.toString} would write for the number it stands for. */
const canonicalText: RegExp = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/;
/** Up to so many digits, text is found again after a detour over 512 bits. */
const exactDigits = 150;

const small = new Map<string, BigFloat>();

/** Reads a number as go-cty's ParseNumberVal does, with 512 bits; undefined if the text is none. Canonical text is kept, not parsed. */
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
