// SPDX-License-Identifier: Apache-2.0
import { formsOf } from "@tenon/schema/observability";

/**
 * Texts and numbers that one program marks as secret. No schema marks them, so that recordings learn them from here.
 *
 * A text is secret if it is one of them, or has one of at least four characters in it: as it is, or in its JSON, URL or base64 encoding.
 */
export class SecretTexts {
  readonly #texts = new Set<string>();
  readonly #forms = new Set<string>();

  /** Adds the texts and numbers of a value, at any depth. Of a text that is a JSON array or object, its parts are added, too. */
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
    // The empty text is no secret: providers return it where nothing is set.
    if (text === "" || this.#texts.has(text)) return;
    this.#texts.add(text);
    for (const form of formsOf([text])) this.#forms.add(form);
  }
}

/** The value of a JSON text; undefined of any other text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
