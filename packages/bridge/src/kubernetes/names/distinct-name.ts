// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";

/**
 * Adds a suffix to a name that another has already: a digest of what is named, so that the suffix does not depend on the other names. It is
 * as long as it takes to be different from all names.
 *
 * @param maxLength - Longest name that is allowed; the beginning of a longer one is kept.
 */
export function withDigest(name: string, subject: string, isFree: (candidate: string) => boolean, maxLength: number = Infinity): string {
  const digest = createHash("sha256").update(subject).digest("hex");
  for (let length = 5; ; length += 1) {
    const suffix = `X${digest.slice(0, length)}`;
    const candidate = name.slice(0, maxLength - suffix.length) + suffix;
    if (length >= digest.length || isFree(candidate)) return candidate;
  }
}

/** Converts snake case to Pascal case; every character that is no letter or digit separates words. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}
