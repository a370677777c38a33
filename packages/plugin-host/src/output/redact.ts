// SPDX-License-Identifier: Apache-2.0
import { withoutControlCharacters } from "../terminal-text.ts";

/** Names of environment variables whose values are secrets. */
const secretName = /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|(^|_)(API|ACCESS|PRIVATE|SIGNING|ENCRYPTION)_?KEY|(^|_)AUTH($|_)/i;

/** Minimum length of a masked value: shorter values occur in ordinary words. */
const shortestSecret = 6;

/** The secret values in an environment, longest first. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const values = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && value.length >= shortestSecret && secretName.test(name) ? [value] : [],
  );
  // Longest first, because one may contain another.
  return [...new Set(values)].sort((left, right) => right.length - left.length);
}

/** Returns an output for an error message, without secrets, private keys and control characters. */
export function presentable(output: string, secrets: readonly string[]): string {
  let text = output;
  for (const secret of secrets) text = text.replaceAll(secret, "(redacted)");
  return withoutControlCharacters(
    text.replaceAll(/-----BEGIN ([A-Z ]*PRIVATE KEY)-----.*?(-----END \1-----|$)/gs, "(redacted private key)"),
  ).trimEnd();
}
