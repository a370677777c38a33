// SPDX-License-Identifier: Apache-2.0
import { applyMoves } from "../moves/apply-moves.ts";
import { impliedMoveStatements, moveStatementsOf } from "../moves/move-statement.ts";
import type { MovedInput, PlanInput } from "./plan-input.ts";

/** Applies the moves of a configuration to the state of an input. */
export function afterMoves<Input extends PlanInput>(given: Input): Input & MovedInput {
  const { configuration, importedObject } = given;
  // An import moves nothing.
  const explicit = importedObject === undefined ? moveStatementsOf(configuration) : [];
  const implied = importedObject === undefined ? impliedMoveStatements(configuration, given.state, explicit) : [];
  const statements = [...explicit, ...implied];
  const moves = applyMoves(statements, given.state);
  return { ...given, state: moves.state, statements, moves };
}
