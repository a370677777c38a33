// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";

/**
 * Makes a name distinct from the names in use, with a suffix: the first digits of a digest of the subject. The digits depend only on the
 * subject; there are as many of them as make the name unique, at least five.
 *
 * @param subject - Identifies the named thing, such as a type or a field.
 * @param isFree - Whether no other subject has the name.
 * @param maxLength - Maximum length of the result; a longer name is truncated before the suffix.
 */
export function withDigest(name: string, subject: string, isFree: (candidate: string) => boolean, maxLength: number = Infinity): string {
  const digest = createHash("sha256").update(subject).digest("hex");
  for (let length = 5; ; length += 1) {
    const suffix = `X${digest.slice(0, length)}`;
    const candidate = name.slice(0, maxLength - suffix.length) + suffix;
    if (length >= digest.length || isFree(candidate)) return candidate;
  }
}

/** Converts snake case to Pascal case. Every character except ASCII letters and digits separates words. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}
