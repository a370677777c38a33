// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints, goQuote } from "@tenon/cty/unstable/payload";
import type { Diagnostic, SourceRange } from "@tenon/hcl";
import { modulePathOf } from "../address/module.ts";
import { compareResourceInstances, formatAbsoluteResource, type ResourceInstance } from "../address/resource.ts";
import { targetContainsInstance, type TargetSubject } from "../address/target.ts";
import { descendant, type Configuration } from "../configuration/configuration.ts";
import { resourceBlock } from "../configuration/module.ts";
import { reportError, type Report } from "../configuration/report.ts";
import type { DeclaredInstances } from "../expansion/declared-instances.ts";
import type { BlockedMove, MoveResults } from "./apply-moves.ts";
import { formatMovable, movableKey, type Movable } from "./movable.ts";
import { formatMovePattern, movableIn } from "./move-pattern.ts";
import type { MoveStatement } from "./move-statement.ts";
import { orderStatements } from "./statement-order.ts";

const nouns: Readonly<Record<Movable["kind"], { readonly noun: string; readonly short: string }>> = {
  moduleInstance: { noun: "module instance", short: "instance" },
  moduleCall: { noun: "module call", short: "call" },
  resourceInstance: { noun: "resource instance", short: "instance" },
  resource: { noun: "resource", short: "resource" },
};

/** The other end of an earlier statement. */
interface SeenEnd {
  readonly other: Movable;
  readonly range: SourceRange;
}

/**
 * Checks move statements against the configuration and against each other.
 *
 * @param declared The instances that the plan has found. They are known only after the statements were applied.
 * @see OpenTofu refactoring.ValidateMoves
 */
export function validateMoves(
  statements: readonly MoveStatement[],
  root: Configuration,
  declared: DeclaredInstances,
): readonly Diagnostic[] {
  const report: Report = [];
  const sources = new Map<string, SeenEnd>();
  const destinations = new Map<string, SeenEnd>();
  for (const statement of statements) {
    for (const module of declared.moduleInstances(statement.from.module)) {
      const [from, to] = [movableIn(statement.from, module), movableIn(statement.to, module)];
      if (movableKey(from) === movableKey(to)) {
        const detail = `This statement declares a move from ${formatMovable(from)} to the same address, which is the same as not declaring this move at all.`;
        reportError(report, "Redundant move statement", detail, statement.range);
        continue;
      }
      if (isDeclared(from, declared)) reportStillDeclared(from, to, statement, root, report);
      checkOneDestination(from, to, statement, sources, report);
      checkOneSource(from, to, statement, destinations, report);
    }
  }
  // A cycle says little about its cause, so it is reported only if no other error explains the problem.
  if (report.length === 0) for (const cycle of orderStatements(statements).cycles) report.push(cycleError(cycle));
  return report;
}

function reportStillDeclared(from: Movable, to: Movable, { range }: MoveStatement, root: Configuration, report: Report): void {
  const { noun, short } = nouns[from.kind];
  const declaration = declarationRange(from, root);
  const place = declaration === undefined ? "" : ` at ${startText(declaration)}`;
  const detail = `This statement declares a move from ${formatMovable(from)}, but that ${noun} is still declared${place}.\n\nChange your configuration so that this ${short} will be declared as ${formatMovable(to)} instead.`;
  reportError(report, "Moved object still exists", detail, range);
}

function checkOneDestination(from: Movable, to: Movable, { range }: MoveStatement, sources: Map<string, SeenEnd>, report: Report): void {
  const seen = sources.get(movableKey(from));
  if (seen === undefined) {
    sources.set(movableKey(from), { other: to, range });
    return;
  }
  if (movableKey(seen.other) === movableKey(to)) return;
  const { noun, short } = nouns[from.kind];
  const detail = `A statement at ${startText(seen.range)} declared that ${formatMovable(from)} moved to ${formatMovable(seen.other)}, but this statement instead declares that it moved to ${formatMovable(to)}.\n\nEach ${noun} can move to only one destination ${short}.`;
  reportError(report, "Ambiguous move statements", detail, range);
}

function checkOneSource(from: Movable, to: Movable, { range }: MoveStatement, destinations: Map<string, SeenEnd>, report: Report): void {
  const seen = destinations.get(movableKey(to));
  if (seen === undefined) {
    destinations.set(movableKey(to), { other: from, range });
    return;
  }
  if (movableKey(seen.other) === movableKey(from)) return;
  const { noun, short } = nouns[from.kind];
  const detail = `A statement at ${startText(seen.range)} declared that ${formatMovable(seen.other)} moved to ${formatMovable(to)}, but this statement instead declares that ${formatMovable(from)} moved there.\n\nEach ${noun} can have moved from only one source ${short}.`;
  reportError(report, "Ambiguous move statements", detail, range);
}

function cycleError(cycle: readonly MoveStatement[]): Diagnostic {
  const lines = cycle.map(({ from, to, range }) => `\n  - ${startText(range)}: ${formatMovePattern(from)} → ${formatMovePattern(to)}`);
  return {
    severity: "error",
    summary: "Cyclic dependency in move statements",
    detail: `The following chained move statements form a cycle, and so there is no final location to move objects to:${lines.sort(compareCodePoints).join("")}\n\nA chain of move statements must end with an address that doesn't appear in any other statements, and which typically also refers to an object still declared in the configuration.`,
  };
}

function isDeclared(movable: Movable, declared: DeclaredInstances): boolean {
  switch (movable.kind) {
    case "moduleInstance":
      return declared.hasModuleInstance(movable.module);
    case "moduleCall":
      return declared.hasModuleCall(movable.module.slice(0, -1), movable.module.at(-1)!.name);
    case "resource":
      return declared.hasResource(movable);
    default:
      return declared.hasResourceInstance(movable);
  }
}

/** The range that declares an object: for an instance, the argument that determines the instances. */
function declarationRange(movable: Movable, root: Configuration): SourceRange | undefined {
  const isModule = movable.kind === "moduleInstance" || movable.kind === "moduleCall";
  const path = modulePathOf(isModule ? movable.module.slice(0, -1) : movable.module);
  const module = descendant(root, path)?.module;
  if (module === undefined) return undefined;
  const block = isModule ? module.calls.get(movable.module.at(-1)!.name) : resourceBlock(module, movable.resource);
  if (block === undefined) return undefined;
  const isInstance = movable.kind === "moduleInstance" || movable.kind === "resourceInstance";
  return (isInstance ? (block.forEach?.range ?? block.count?.range) : undefined) ?? block.range;
}

function startText({ filename, start }: SourceRange): string {
  return `${filename}:${start.line},${start.column}`;
}

/** The warning about objects that could not be moved. It is reported only if the plan has no errors. @see OpenTofu tofu, blockedMovesWarningDiag */
export function blockedMovesWarning(blocked: readonly BlockedMove[]): Diagnostic | undefined {
  if (blocked.length === 0) return undefined;
  const lines = blocked.map(({ actual, wanted }) => `\n  - ${formatMovable(actual)} could not move to ${formatMovable(wanted)}`);
  return {
    severity: "warning",
    summary: "Unresolved resource instance address changes",
    detail: `OpenTofu tried to adjust resource instance addresses in the prior state based on change information recorded in the configuration, but some adjustments did not succeed due to existing objects already at the intended addresses:${lines.join("")}\n\nOpenTofu has planned to destroy these objects. If OpenTofu's proposed changes aren't appropriate, you must first resolve the conflicts using the "tofu state" subcommands and then create a new plan.`,
  };
}

const changedAddresses =
  "Resource instances in your current state have moved to new addresses in the latest configuration. OpenTofu must include those resource instances while planning in order to ensure a correct result, but your";

/**
 * The error about moved instances that a plan with targets or excludes leaves out. Undefined if there are none.
 *
 * @see OpenTofu tofu, prePlanVerifyTargetedMoves
 */
export function movesOutsideTargets(
  { moved }: Pick<MoveResults, "moved">,
  targets: readonly TargetSubject[],
  excludes: readonly TargetSubject[],
): Diagnostic | undefined {
  const isTargeted = targets.length > 0;
  const isCovered = (instance: ResourceInstance): boolean =>
    (isTargeted ? targets : excludes).some((subject) => targetContainsInstance(subject, instance)) === isTargeted;
  const outside = [...moved.values()].flatMap(({ from, to }) => [from, to]).filter((instance) => !isCovered(instance));
  if (outside.length === 0) return undefined;
  const option = isTargeted ? "-target" : "-exclude";
  const resources = new Set([...outside].sort(compareResourceInstances).map(formatAbsoluteResource));
  const lines = Array.from(resources, (resource) => `\n  ${option}=${goQuote(resource)}`).join("");
  const detail = isTargeted
    ? `${changedAddresses} -target=... options do not fully cover all of those resource instances.\n\nTo create a valid plan, either remove your -target=... options altogether or add the following additional target options:${lines}\n\nNote that adding these options may include further additional resource instances in your plan, in order to respect object dependencies.`
    : `${changedAddresses} -exclude=... options exclude some of those resource instances.\n\nTo create a valid plan, either remove your -exclude=... options altogether or just specifically remove the following options:${lines}\n\nNote that removing these options may include further additional resource instances in your plan, in order to respect object dependencies.`;
  return { severity: "error", summary: "Moved resource instances excluded by targeting", detail };
}
