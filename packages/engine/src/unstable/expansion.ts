// SPDX-License-Identifier: Apache-2.0
/**
 * Instances of repeated blocks and changes of addresses, for tools that test or show them apart from a plan. Unstable: it may change in any
 * version.
 *
 * @module
 */
export { DeclaredInstances } from "../expansion/declared-instances.ts";
export type { ForEachRules } from "../configuration/for-each.ts";
export {
  countOf,
  countValueOf,
  enabledOf,
  forEachOf,
  forEachValueOf,
  instancesOf,
  type Expansion,
  type RepeatedInstance,
  type RepetitionData,
} from "../expansion/repetition.ts";
export { applyMoves, type BlockedMove, type MovedInstance, type MoveResults } from "../moves/apply-moves.ts";
export { formatMovable, type Movable } from "../moves/movable.ts";
export type { MovePattern } from "../moves/move-pattern.ts";
export { impliedMoveStatements, moveStatementsOf, type MoveStatement } from "../moves/move-statement.ts";
export { blockedMovesWarning, movesOutsideTargets, validateMoves } from "../moves/validate-moves.ts";
