// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { PathMarks } from "@tenon/cty/paths";
import type { ResourceInstanceObject } from "../address/resource.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import type { ApplyAction, EventListener } from "../events/events.ts";
import { objectIdentifier, objectIdentifierOrName } from "../events/object-identifier.ts";

/** The time between two `applyProgressed` events of a step, in milliseconds. */
const progressIntervalMs = 10_000;

/** Emits the events of one step of an apply: when it starts, every ten seconds while it is under way, and when it ends. */
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

  /** Emits the event of the start. A second call does nothing. */
  readonly start = (): void => {
    if (this.#timer !== undefined) return;
    const [address, action] = [this.#address, this.#action];
    const { before, beforeMarks, action: planned } = this.#change;
    const identifier = action === "update" || action === "delete" ? objectIdentifierOrName(before, beforeMarks) : undefined;
    const identified = identifier === undefined ? {} : { identifier };
    this.#start = performance.now();
    this.#timer = setInterval(
      () => this.#emit({ type: "applyProgressed", address, action, milliseconds: performance.now() - this.#start, ...identified }),
      progressIntervalMs,
    );
    this.#timer.unref();
    this.#emit({ type: "applyStarted", address, action, planned, ...identified });
  };

  /** Emits the event of the end, if the step was started and has not ended yet. */
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
