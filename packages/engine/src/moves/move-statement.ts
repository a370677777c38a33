// SPDX-License-Identifier: Apache-2.0
import type { SourceRange } from "@tenon/hcl";
import type { MoveEndpoint } from "../address/endpoint.ts";
import type { InstanceKey } from "../address/instance-key.ts";
import {
  childModule,
  compareModuleInstances,
  formatModulePath,
  modulePathOf,
  rootModule,
  type ModuleInstance,
  type ModulePath,
} from "../address/module.ts";
import { compareResources, type ResourceInstance } from "../address/resource.ts";
import type { Repetition } from "../configuration/block-content.ts";
import { allModules, type Configuration } from "../configuration/configuration.ts";
import { resourceBlock, type Module } from "../configuration/module.ts";
import type { State, StateResource } from "../state/state.ts";
import type { Movable } from "./movable.ts";
import { selectsModule, selectsResource, type MovePattern } from "./move-pattern.ts";

/** A statement that objects have new addresses. */
export interface MoveStatement {
  readonly from: MovePattern;
  /** Of the same kind as `from`. */
  readonly to: MovePattern;
  /** The `moved` block; for an implied statement, the argument or block that implies it. */
  readonly range: SourceRange;
  /** Whether the statement is implied, because `count` was added to a block or removed from it. */
  readonly implied: boolean;
}

/** The statements of the `moved` blocks of all modules. @see OpenTofu refactoring.FindMoveStatements */
export function moveStatementsOf(root: Configuration): readonly MoveStatement[] {
  const statements: MoveStatement[] = [];
  for (const { path, module } of allModules(root)) {
    for (const { from, to, range } of module.moved) {
      if (from === undefined || to === undefined) continue;
      const subjects = unifiedSubjects(from, to);
      if (subjects === undefined) continue;
      const [source, destination] = subjects;
      statements.push({
        from: { module: path, subject: source },
        to: { module: path, subject: destination },
        range,
        implied: false,
      });
    }
  }
  return statements;
}

/**
 * The two ends of a move as objects of one kind: whole resources or module calls if neither end has a key, otherwise instances. Undefined
 * if one is a module and the other a resource.
 *
 * @see OpenTofu addrs.UnifyMoveEndpoints
 */
function unifiedSubjects({ subject: from }: MoveEndpoint, { subject: to }: MoveEndpoint): readonly [Movable, Movable] | undefined {
  if (from.kind === "module" && to.kind === "module") {
    const isWhole = [from, to].every(({ module }) => module.at(-1)?.key === undefined);
    const kind = isWhole ? "moduleCall" : "moduleInstance";
    return [
      { kind, module: from.module },
      { kind, module: to.module },
    ];
  }
  if (from.kind !== "resource" || to.kind !== "resource") return undefined;
  const isWhole = from.instance.key === undefined && to.instance.key === undefined;
  const subject = ({ instance }: typeof from): Movable => ({ kind: isWhole ? "resource" : "resourceInstance", ...instance });
  return [subject(from), subject(to)];
}

/**
 * Statements that keep the first instance when `count` is added to a resource or a module call, or removed. Objects that an explicit
 * statement mentions have no implied statement.
 *
 * @param state The state before any object was moved.
 * @see OpenTofu refactoring.ImpliedMoveStatements
 */
export function impliedMoveStatements(root: Configuration, state: State, explicit: readonly MoveStatement[]): readonly MoveStatement[] {
  const recorded = recordedModules(state);
  const statements: MoveStatement[] = [];
  for (const { path, module } of allModules(root)) {
    for (const [name, call] of module.calls) {
      const to = impliedKey(call);
      if (to === undefined) continue;
      for (const { address } of recorded.get(formatModulePath([...path, name])) ?? []) {
        const from = address.at(-1)!.key;
        if ((from !== undefined && from !== 0) || from === to.key || explicit.some((statement) => mentionsModule(statement, address)))
          continue;
        const subject = (key: InstanceKey): Movable => ({
          kind: "moduleInstance",
          module: childModule(address.slice(0, -1), name, key),
        });
        statements.push(impliedStatement(subject(from), subject(to.key), call.count?.range ?? call.range));
      }
    }
    for (const { resources } of recorded.get(formatModulePath(path)) ?? []) {
      for (const resource of resources) {
        const statement = impliedByResource(module, resource, explicit);
        if (statement !== undefined) statements.push(statement);
      }
    }
  }
  return statements;
}

function impliedByResource(
  module: Module,
  { address, instances }: StateResource,
  explicit: readonly MoveStatement[],
): MoveStatement | undefined {
  const block = resourceBlock(module, address.resource);
  const to = block === undefined ? undefined : impliedKey(block);
  if (block === undefined || to === undefined) return undefined;
  const from = to.key === undefined ? 0 : undefined;
  if (!instances.has(from)) return undefined;
  const isMentioned = explicit.some((statement) => selectsResource(statement.from, address) || selectsResource(statement.to, address));
  if (isMentioned) return undefined;
  const instance = (key: InstanceKey): ResourceInstance => (key === undefined ? address : { ...address, key });
  const subject = (key: InstanceKey): Movable => ({ kind: "resourceInstance", ...instance(key) });
  return impliedStatement(subject(from), subject(to.key), block.count?.range ?? block.range);
}

function impliedStatement(from: Movable, to: Movable, range: SourceRange): MoveStatement {
  return { from: { module: rootModule, subject: from }, to: { module: rootModule, subject: to }, range, implied: true };
}

function mentionsModule({ from, to }: MoveStatement, module: ModuleInstance): boolean {
  return selectsModule(from, module) || selectsModule(to, module);
}

/** The key of the instance that is kept when `count` is added or removed; undefined for blocks with `for_each`. */
function impliedKey({ count, forEach }: Repetition): { readonly key: InstanceKey } | undefined {
  if (count !== undefined) return { key: 0 };
  return forEach === undefined ? { key: undefined } : undefined;
}

interface RecordedModule {
  readonly address: ModuleInstance;
  readonly resources: readonly StateResource[];
}

/** The module instances that have resources in the state, in order, by the path of their module. */
function recordedModules({ resources }: State): ReadonlyMap<string, readonly RecordedModule[]> {
  const byPath = new Map<string, { readonly address: ModuleInstance; readonly resources: StateResource[] }[]>();
  const sorted = [...resources.values()].sort(
    (a, b) => compareModuleInstances(a.address.module, b.address.module) || compareResources(a.address.resource, b.address.resource),
  );
  for (const resource of sorted) {
    const { module } = resource.address;
    const path: ModulePath = modulePathOf(module);
    const text = formatModulePath(path);
    let modules = byPath.get(text);
    if (modules === undefined) byPath.set(text, (modules = []));
    const last = modules.at(-1);
    if (last !== undefined && compareModuleInstances(last.address, module) === 0) last.resources.push(resource);
    else modules.push({ address: module, resources: [resource] });
  }
  return byPath;
}
