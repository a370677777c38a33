// SPDX-License-Identifier: Apache-2.0
import { formsOf } from "@tenon/schema/observability";

/**
 * Texts and numbers that a program marks as secret. Recordings mask them, although no schema marks them.
 *
 * A text is secret if it equals one of them, or contains one with at least four characters: as plain text, or in JSON, URL or base64 encoding.
 */
export class SecretTexts {
  readonly #texts = new Set<string>();
  readonly #forms = new Set<string>();

  /** Adds the texts and numbers in a value, at any depth. If a text is a JSON array or object, its parts are added, too. */
  add(value: unknown): void {
    if (typeof value === "number") this.#add(String(value));
    else if (typeof value === "string") {
      this.#add(value);
      if (/^\s*[[{]/.test(value)) this.add(parsed(value));
    } else if (typeof value === "object" && value !== null) for (const part of Object.values(value)) this.add(part);
  }

  /** Whether a text, or the text of a number, is or contains a secret. */
  has(text: string): boolean {
    return this.#texts.has(text) || this.#forms.values().some((form) => text.includes(form));
  }

  #add(text: string): void {
    // The empty text is not a secret, because providers return it for unset values.
    if (text === "" || this.#texts.has(text)) return;
    this.#texts.add(text);
    for (const form of formsOf([text])) this.#forms.add(form);
  }
}

/** The value of a JSON text; undefined for other texts. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
