// SPDX-License-Identifier: Apache-2.0
import { indexStep, type Path, type PathStep } from "../path-step.ts";

/**
 * Where in the value a conversion is at work: a path that costs nothing until an error asks for it. Whoever enters a part of
 * the value leaves it again; an error ends the conversion, so nobody has to leave then.
 */
export class Trail {
  readonly #steps: (PathStep | number | string)[] = [];

  /** Enters an attribute by its step, or an element by its position or key. */
  enter(step: PathStep | number | string): void {
    this.#steps.push(step);
  }

  leave(): void {
    this.#steps.pop();
  }

  path(): Path {
    return this.#steps.map((step) => (typeof step === "object" ? step : indexStep(step)));
  }
}
