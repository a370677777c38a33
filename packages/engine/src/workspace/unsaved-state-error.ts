// SPDX-License-Identifier: Apache-2.0
import { EngineError, type EngineErrorCode } from "../error.ts";
import type { State } from "../state/state.ts";

const brand = Symbol.for("@tenon/engine/UnsavedStateError");

/** An error of the store during an apply. The stored state may lack the last changes. */
export class UnsavedStateError extends EngineError {
  /** The state with all changes. `writeStateFile` converts it to a state file. */
  readonly state: State;

  constructor(code: EngineErrorCode, message: string, state: State, cause: unknown) {
    super(code, message, { cause });
    this.state = state;
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): value is UnsavedStateError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
