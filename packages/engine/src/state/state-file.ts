// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { emptyState, type State } from "./state.ts";

/** The content of a state file: a state and its identity. */
export interface StateFile {
  /** The version of OpenTofu or Terraform that wrote the file. */
  readonly terraformVersion: string;
  /** Increases by one with each change of the state. */
  readonly serial: number;
  /** An opaque identifier that all versions of one state have in common. */
  readonly lineage: string;
  readonly state: State;
}

/** The version of OpenTofu that the engine follows, and writes to state files. */
export const writtenVersion = "1.12.6";

/** Creates the file of a state that was never stored. */
export function createStateFile(state: State = emptyState, lineage: string = randomUUID()): StateFile {
  return { terraformVersion: writtenVersion, serial: 0, lineage, state };
}
