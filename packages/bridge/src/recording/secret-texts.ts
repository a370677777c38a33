// SPDX-License-Identifier: Apache-2.0

/** Shortest text that is hidden: shorter ones occur in names. */
const minLength = 4;

const texts = new Set<string>();
let isCollecting = false;

/** Begins to collect the secrets of programs in this process, for logs that are read by people. */
export function collectSecretTexts(): void {
  isCollecting = true;
}

/** Remembers the texts of a value that a program marks as secret, while they are collected. */
export function addSecretTexts(json: unknown): void {
  if (!isCollecting) return;
  if (typeof json === "string") {
    if (json.length >= minLength) texts.add(json);
  } else if (typeof json === "object" && json !== null) for (const part of Object.values(json)) addSecretTexts(part);
}

/** Overwrites the collected texts in a copy of an encoded message. Their lengths stay, so that the message can be decoded. */
export function withoutSecretTexts(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  for (const text of texts) {
    const secret = Buffer.from(text);
    for (let at = copy.indexOf(secret); at >= 0; at = copy.indexOf(secret, at + secret.length)) copy.fill("*", at, at + secret.length);
  }
  return new Uint8Array(copy);
}
