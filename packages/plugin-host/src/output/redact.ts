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

/** Output as it may stand in an error: no secrets, no private keys, nothing that moves a terminal's cursor. */
export function presentable(output: string, secrets: readonly string[]): string {
  let text = output;
  for (const secret of secrets) text = text.replaceAll(secret, "(redacted)");
  return (
    text
      .replaceAll(/-----BEGIN ([A-Z ]*PRIVATE KEY)-----.*?(-----END \1-----|$)/gs, "(redacted private key)")
      // Escape sequences of terminals: colours, cursor, titles.
      .replaceAll(/\u001b(\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(\u0007|\u001b\\)|[@-_])/g, "")
      .replaceAll("\r\n", "\n")
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\ufffd")
      .trimEnd()
  );
}
