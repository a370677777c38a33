// SPDX-License-Identifier: Apache-2.0
import { HiddenTexts } from "@tenon/schema/observability";

/** Secrets of one call: those in its request, and those in its last response or event. They are collected when a text is masked. */
export class CallSecrets {
  readonly #configured: HiddenTexts;
  readonly #request: object;
  readonly #textsOf: (message: object) => Iterable<string>;
  #response: object | undefined;
  #hidden: HiddenTexts | undefined;

  constructor(configured: HiddenTexts, request: object, textsOf: (message: object) => Iterable<string>) {
    this.#configured = configured;
    this.#request = request;
    this.#textsOf = textsOf;
  }

  /** Adds a response, or an element of a stream. */
  addResponse(response: object): void {
    this.#response = response;
    this.#hidden = undefined;
  }

  readonly hide = (text: string): string => this.#texts.hide(text);

  hideIn<T>(value: T): T {
    return this.#texts.hideIn(value);
  }

  get #texts(): HiddenTexts {
    if (this.#hidden !== undefined) return this.#hidden;
    const hidden = new HiddenTexts(this.#configured);
    for (const message of [this.#request, this.#response]) if (message !== undefined) hidden.addTexts(() => this.#textsOf(message));
    this.#hidden = hidden;
    return hidden;
  }
}
