// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { PathMarks } from "@tenon/cty/paths";
import type { ResourceInstanceObject } from "../address/resource.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import type { ApplyAction, EventListener } from "../events/events.ts";
import { objectIdentifier, objectIdentifierOrName } from "../events/object-identifier.ts";

/** Time between two events about a step that is under way, in milliseconds. */
const heartbeat = 10_000;

/** Emits that a step of an apply starts, is still under way, and has ended. */
export class StepProgress {
  readonly #emit: EventListener;
  readonly #address: ResourceInstanceObject;
  readonly #action: ApplyAction;
  readonly #change: ResourceChange;
  #start = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(emit: EventListener, address: ResourceInstanceObject, action: ApplyAction, change: ResourceChange) {
    this.#emit = emit;
    this.#address = address;
    this.#action = action;
    this.#change = change;
  }

  /** Emits that the step starts. A second call does nothing. */
  readonly start = (): void => {
    if (this.#timer !== undefined) return;
    const [address, action] = [this.#address, this.#action];
    const { before, beforeMarks, action: planned } = this.#change;
    const identifier = action === "update" || action === "delete" ? objectIdentifierOrName(before, beforeMarks) : undefined;
    const identified = identifier === undefined ? {} : { identifier };
    this.#start = performance.now();
    this.#timer = setInterval(
      () => this.#emit({ type: "applyProgressed", address, action, milliseconds: performance.now() - this.#start, ...identified }),
      heartbeat,
    );
    this.#timer.unref();
    this.#emit({ type: "applyStarted", address, action, planned, ...identified });
  };

  /** Emits that the step has ended, if it was started and has not ended yet. */
  end(status: "applied" | "failed", value: Value | undefined, marks: readonly PathMarks[] = []): void {
    if (this.#timer === undefined || this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#timer);
    const identifier = status === "applied" ? objectIdentifier(value, marks) : undefined;
    this.#emit({
      type: "applyEnded",
      address: this.#address,
      action: this.#action,
      planned: this.#change.action,
      status,
      value,
      milliseconds: performance.now() - this.#start,
      ...(identifier && { identifier }),
    });
  }

  #isEnded = false;
}
