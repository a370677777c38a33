// SPDX-License-Identifier: Apache-2.0
import { indexStep } from "../value/path-step.ts";
import type { Path, PathStep } from "../model/path.ts";

/**
 * The current position of a conversion in the value. Steps are converted to a path only for an error. Each `enter` needs a `leave`,
 * except when an error ends the conversion.
 */
export class Trail {
  readonly #steps: (PathStep | number | string)[] = [];

  /** Enters an attribute by its step, or an element by its position or key. */
  enter(step: PathStep | number | string): void {
    this.#steps.push(step);
  }

  /** Leaves the attribute or element that was entered last. */
  leave(): void {
    this.#steps.pop();
  }

  /** Returns the current position as a path. */
  path(): Path {
    return this.#steps.map((step) => (typeof step === "object" ? step : indexStep(step)));
  }
}
