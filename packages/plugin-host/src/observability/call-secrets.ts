// SPDX-License-Identifier: Apache-2.0
import { HiddenTexts } from "@tenon/schema/observability";

/** What is secret in one call: in its request, and in what was answered last. It is looked for when there is something to hide it from. */
export class CallSecrets {
  readonly #configured: HiddenTexts;
  readonly #request: object;
  readonly #textsOf: (message: object) => Iterable<string>;
  #answer: object | undefined;
  #hidden: HiddenTexts | undefined;

  constructor(configured: HiddenTexts, request: object, textsOf: (message: object) => Iterable<string>) {
    this.#configured = configured;
    this.#request = request;
    this.#textsOf = textsOf;
  }

  /** An answer has come; of a stream, one of its elements. */
  heard(answer: object): void {
    this.#answer = answer;
    this.#hidden = undefined;
  }

  readonly hide = (text: string): string => this.#texts.hide(text);

  hideIn<T>(value: T): T {
    return this.#texts.hideIn(value);
  }

  get #texts(): HiddenTexts {
    if (this.#hidden !== undefined) return this.#hidden;
    const hidden = new HiddenTexts(this.#configured);
    for (const message of [this.#request, this.#answer]) if (message !== undefined) hidden.addTexts(() => this.#textsOf(message));
    this.#hidden = hidden;
    return hidden;
  }
}
