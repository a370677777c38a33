// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";

/** Converts the first letter to upper case. */
export function upperFirst(text: string): string {
  return text === "" ? text : text[0]!.toUpperCase() + text.slice(1);
}

/** Converts the first letter to lower case. */
export function lowerFirst(text: string): string {
  return text === "" ? text : text[0]!.toLowerCase() + text.slice(1);
}

/** Whether a name is an identifier in TypeScript, Python, Go and C#. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** Words for digits, because an identifier cannot begin with a digit. */
const digitWords = ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"] as const;

/** Replaces a digit at the beginning by its word: `3x` becomes `ThreeX`. */
export function withoutLeadingDigit(name: string): string {
  return /^[0-9]/.test(name) ? digitWords[Number(name[0])]! + upperFirst(name.slice(1)) : name;
}

/** Removes characters that identifiers cannot contain, and converts the letter after them to upper case. */
export function withoutForeignCharacters(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]+([A-Za-z0-9])?/g, (_, next: string | undefined) => (next ?? "").toUpperCase());
}

/**
 * Makes a name unique by a suffix: the first digits of a digest of the subject, so that the suffix does not depend on the other names. It uses as
 * many digits as the name needs to be free.
 *
 * @param subject The thing that the name is for.
 */
export function withDigest(name: string, subject: string, isFree: (candidate: string) => boolean): string {
  const digest = createHash("sha256").update(subject).digest("hex");
  for (let length = 4; ; length += 1) {
    const candidate = `${name}X${digest.slice(0, length)}`;
    if (length >= digest.length || isFree(candidate)) return candidate;
  }
}
