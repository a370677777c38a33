// SPDX-License-Identifier: Apache-2.0
import { formatResource } from "../address/resource.ts";
import { stronglyConnectedComponents } from "../strongly-connected.ts";
import type { MoveStatement } from "./move-statement.ts";
import { canChainFrom, isModuleReindex, isNestedWithin, moduleNamesOf, type MovePattern } from "./move-pattern.ts";

/** The order of move statements. A statement depends on those that move to its source, and on some that move modules around it. */
export interface StatementOrder {
  /** Each statement after those that it depends on. Absent if there are cycles. */
  readonly sorted?: readonly MoveStatement[];
  /** Statements that depend on each other. */
  readonly cycles: readonly (readonly MoveStatement[])[];
}

/** Finds the order of statements. @see OpenTofu refactoring, buildMoveStatementGraph */
export function orderStatements(statements: readonly MoveStatement[]): StatementOrder {
  const dependencies = dependenciesOf(statements);
  const components = stronglyConnectedComponents(statements, (statement) => dependencies.get(statement)!);
  const cycles = components.filter(({ length }) => length > 1);
  return cycles.length > 0 ? { cycles } : { sorted: components.flat(), cycles };
}

/** The statements that each statement depends on. */
function dependenciesOf(statements: readonly MoveStatement[]): ReadonlyMap<MoveStatement, readonly MoveStatement[]> {
  const byPlace = new Map<string, MoveStatement[]>();
  for (const statement of statements) {
    for (const place of new Set([placeOf(statement.from), placeOf(statement.to)])) {
      const known = byPlace.get(place);
      if (known === undefined) byPlace.set(place, [statement]);
      else known.push(statement);
    }
  }
  const dependencies = new Map(statements.map((statement) => [statement, new Set<MoveStatement>()]));
  for (const statement of statements) {
    // Related statements have an end at the same place, or one end is inside of the other.
    for (const place of new Set([...placesAround(statement.from), ...placesAround(statement.to)])) {
      for (const other of byPlace.get(place) ?? []) {
        if (other === statement) continue;
        if (dependsOn(statement, other)) dependencies.get(statement)!.add(other);
        if (dependsOn(other, statement)) dependencies.get(other)!.add(statement);
      }
    }
  }
  return new Map(Array.from(dependencies, ([statement, found]) => [statement, [...found]]));
}

/** The address of a pattern's object without keys. */
function placeOf(pattern: MovePattern): string {
  const module = moduleNamesOf(pattern).join(".");
  return "resource" in pattern.subject ? `${module}:${formatResource(pattern.subject.resource)}` : module;
}

/** The place of a pattern's object, and those of the modules that it is in. */
function placesAround(pattern: MovePattern): readonly string[] {
  const names = moduleNamesOf(pattern);
  return [placeOf(pattern), ...names.map((_, index) => names.slice(0, index + 1).join("."))];
}

/** Whether `other` must be executed before `statement`. @see OpenTofu refactoring, statementDependsOn */
function dependsOn(statement: MoveStatement, other: MoveStatement): boolean {
  if (canChainFrom(statement.from, other.to)) return true;
  const isNested =
    isNestedWithin(statement.from, other.to) ||
    isNestedWithin(statement.to, other.to) ||
    isNestedWithin(other.from, statement.from) ||
    isNestedWithin(other.to, statement.from);
  if (!isNested) return false;
  // A statement that only changes keys of a module matches statements within that module by both its ends. The inner statement depends on
  // the outer one then, and not the other way around.
  return statement.to.module.length >= other.to.module.length || !isModuleReindex(statement.from, statement.to);
}
