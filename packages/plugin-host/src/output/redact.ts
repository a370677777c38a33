// SPDX-License-Identifier: Apache-2.0

/** Names of environment variables whose values are secrets. */
const secretName = /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|(^|_)(API|ACCESS|PRIVATE|SIGNING|ENCRYPTION)_?KEY|(^|_)AUTH($|_)/i;

/** Shorter values are words that stand anywhere. */
const shortestSecret = 6;

/** The values a provider got in its environment that must not come back in an error. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const values = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && value.length >= shortestSecret && secretName.test(name) ? [value] : [],
  );
  // Longest first: one may hold another.
  return [...new Set(values)].sort((left, right) => right.length - left.length);
}

/** What moves a terminal's cursor, colours it, or names its window (ECMA-48): CSI, OSC and the two-character ones. */
const escapeSequence = new RegExp(String.raw`\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[0-~])`, "g");

/** All but the tabulator and the line feed. */
const controlCharacter = new RegExp(String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f]`, "g");

/** Output as it may stand in an error: no secrets, no private keys, nothing that moves a terminal's cursor. */
export function presentable(output: string, secrets: readonly string[]): string {
  let text = output;
  for (const secret of secrets) text = text.replaceAll(secret, "(redacted)");
  return harmless(text.replaceAll(/-----BEGIN ([A-Z ]*PRIVATE KEY)-----.*?(-----END \1-----|$)/gs, "(redacted private key)")).trimEnd();
}

/** Text that a terminal may be shown: nothing in it moves a cursor. */
export function harmless(text: string): string {
  return text.replaceAll(escapeSequence, "").replaceAll("\r\n", "\n").replaceAll(controlCharacter, "\u{FFFD}");
}
