// SPDX-License-Identifier: Apache-2.0
import { isRecord } from "../conversion/record.ts";
import { validator } from "../validators/validator.ts";
import { textType, type TextType } from "./text-type.ts";

/** JSON text. Texts that differ only in white space, member order or number notation are equivalent. */
export const jsonText: TextType = textType({
  validators: [validator("must be JSON", (text: string) => parsed(text) !== undefined)],
  equivalent: (a, b) => {
    const [one, other] = [parsed(a), parsed(b)];
    return one !== undefined && other !== undefined && isSame(one.json, other.json);
  },
});

function parsed(text: string): { readonly json: unknown } | undefined {
  // Keep the text of numbers: different numbers may have the same nearest double.
  const keep = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === "number" && !Number.isSafeInteger(value) && context?.source !== undefined
      ? { [number]: exact(context.source) }
      : value;
  try {
    return { json: JSON.parse(text, keep) as unknown };
  } catch {
    return undefined;
  }
}

const number = Symbol("number");

/** Returns a canonical text of a number: its significant digits and the exponent of the last one. */
function exact(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((element, index) => isSame(element, b[index]));
  if (!isRecord(a) || !isRecord(b)) return numberText(a) === undefined ? a === b : numberText(a) === numberText(b);
  if (numberText(a) !== undefined || numberText(b) !== undefined) return numberText(a) === numberText(b);
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]));
}

function numberText(value: unknown): string | undefined {
  if (typeof value === "number") return exact(String(value));
  return isRecord(value) ? (value as { readonly [number]?: string })[number] : undefined;
}
