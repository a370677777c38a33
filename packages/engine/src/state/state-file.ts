// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { opentofuVersion } from "../opentofu-version.ts";
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

/** Creates the file of a state that was never stored. */
export function createStateFile(state: State = emptyState, lineage: string = randomUUID()): StateFile {
  return { terraformVersion: opentofuVersion, serial: 0, lineage, state };
}
