// SPDX-License-Identifier: Apache-2.0
import { formsOf } from "@tenon/schema/observability";

/** A place in the values of a component. */
export interface SecretPlace {
  /** Name of the component's type; empty for the provider's configuration. */
  readonly typeName: string;
  /** The attributes and the keys of maps that lead to the place, without the indexes of elements. */
  readonly names: readonly string[];
}

/**
 * Values that a program marks as secret. Recordings mask them, although no schema marks them.
 *
 * Texts and numbers are recognized wherever they are: a text is secret if it equals one of them, or contains one with at least four characters, as
 * plain text, or in JSON, URL or base64 encoding. Booleans are recognized by their place: a value is secret if the program has marked a value in the
 * same place of the same type.
 */
export class ProgramSecrets {
  readonly #texts = new Set<string>();
  readonly #forms = new Set<string>();
  /** Encoded places by type. */
  readonly #places = new Map<string, Set<string>>();

  /**
   * Adds a secret. If a text is a JSON array or object, the texts and numbers in it are added, too.
   *
   * @param place - The place that the program has marked; undefined if no attribute has the value.
   */
  add(value: string | number | boolean, place: SecretPlace | undefined): void {
    this.#addPart(value);
    if (place === undefined) return;
    const places = this.#places.get(place.typeName) ?? new Set();
    this.#places.set(place.typeName, places.add(encoded(place.names)));
  }

  /** Whether a text, or the text of a number, is or contains a secret. */
  hasText(text: string): boolean {
    return this.#texts.has(text) || this.#forms.values().some((form) => text.includes(form));
  }

  /** Whether a place, or one that contains it, is secret. */
  hasPlace({ typeName, names }: SecretPlace): boolean {
    const places = this.#places.get(typeName);
    return places !== undefined && names.some((_, index) => places.has(encoded(names.slice(0, index + 1))));
  }

  /** Whether a type has secret places. */
  hasPlaces(typeName: string): boolean {
    return this.#places.has(typeName);
  }

  #addPart(value: unknown): void {
    if (typeof value === "number") this.#addText(String(value));
    else if (typeof value === "string") {
      this.#addText(value);
      if (/^\s*[[{]/.test(value)) this.#addPart(parsed(value));
    } else if (typeof value === "object" && value !== null) for (const part of Object.values(value)) this.#addPart(part);
  }

  #addText(text: string): void {
    // The empty text is not a secret, because providers return it for unset values.
    if (text === "" || this.#texts.has(text)) return;
    this.#texts.add(text);
    for (const form of formsOf([text])) this.#forms.add(form);
  }
}

function encoded(names: readonly string[]): string {
  return JSON.stringify(names);
}

/** The value of a JSON text; undefined for other texts. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
