// SPDX-License-Identifier: Apache-2.0
import type { InstanceKey } from "../address/instance-key.ts";
import { isSameModuleInstance, type ModuleInstance, type ModulePath } from "../address/module.ts";
import { isSameResource, type AbsoluteResource } from "../address/resource.ts";
import { formatMovable, isModuleMovable, type Movable } from "./movable.ts";

/** One side of a move statement: objects in all instances of the module that contains the statement. */
export interface MovePattern {
  /** The module that contains the statement. */
  readonly module: ModulePath;
  /** The object, relative to an instance of that module. */
  readonly subject: Movable;
}

/** Stands for all keys. */
const anyKey: unique symbol = Symbol("any key");

interface PatternStep {
  readonly name: string;
  readonly key?: InstanceKey | typeof anyKey;
}

/** The pattern with `[*]` for all keys: `module.a[*].test.b[*]`. */
export function formatMovePattern({ module, subject }: MovePattern): string {
  const prefix = module.map((name) => `module.${name}[*].`).join("");
  const isWhole = subject.kind === "moduleCall" || subject.kind === "resource";
  return `${prefix}${formatMovable(subject)}${isWhole ? "[*]" : ""}`;
}

/** The object that a pattern selects in one instance of its module. */
export function movableIn({ subject }: MovePattern, module: ModuleInstance): Movable {
  return { ...subject, module: [...module, ...subject.module] };
}

/** The module steps of a pattern, including those of a moved module. */
function stepsOf({ module, subject }: MovePattern): readonly PatternStep[] {
  const steps: PatternStep[] = module.map((name) => ({ name, key: anyKey }));
  steps.push(...subject.module);
  if (subject.kind === "moduleCall") steps.push({ name: steps.pop()!.name, key: anyKey });
  return steps;
}

/** The names of the modules around the object of a pattern, including a moved module. */
export function moduleNamesOf({ module, subject }: MovePattern): readonly string[] {
  return [...module, ...subject.module.map(({ name }) => name)];
}

/** Whether the first steps of `steps` can be `prefix`. */
function canStartWith(steps: readonly PatternStep[], prefix: readonly PatternStep[]): boolean {
  if (steps.length < prefix.length) return false;
  return prefix.every(({ name, key }, index) => {
    const other = steps[index]!;
    return name === other.name && (key === anyKey || other.key === anyKey || key === other.key);
  });
}

/** Whether the pattern selects the module instance, or a resource directly in it. @see OpenTofu addrs, MoveEndpointInModule.SelectsModule */
export function selectsModule(pattern: MovePattern, module: ModuleInstance): boolean {
  const steps = stepsOf(pattern);
  return steps.length === module.length && canStartWith(module, steps);
}

/** Whether the pattern selects the resource, or one of its instances. @see OpenTofu addrs, MoveEndpointInModule.SelectsResource */
export function selectsResource(pattern: MovePattern, { module, resource }: AbsoluteResource): boolean {
  const { subject } = pattern;
  return "resource" in subject && selectsModule(pattern, module) && isSameResource(subject.resource, resource);
}

/**
 * Whether an object that was moved to `to` can be moved on from `from`.
 *
 * @see OpenTofu addrs, MoveEndpointInModule.CanChainFrom
 */
export function canChainFrom(from: MovePattern, to: MovePattern): boolean {
  const [steps, earlier] = [stepsOf(from), stepsOf(to)];
  if (steps.length !== earlier.length || !canStartWith(steps, earlier)) return false;
  if (isModuleMovable(to.subject)) return isModuleMovable(from.subject);
  return from.subject.kind === to.subject.kind && isSameMovedResource(from.subject, to.subject);
}

/** Whether the object of a pattern can be in an object of another one. @see OpenTofu addrs, MoveEndpointInModule.NestedWithin */
export function isNestedWithin(inner: MovePattern, outer: MovePattern): boolean {
  const [steps, outerSteps] = [stepsOf(inner), stepsOf(outer)];
  if (!canStartWith(steps, outerSteps)) return false;
  switch (outer.subject.kind) {
    case "moduleCall":
      return inner.subject.kind !== "moduleCall" || steps.length > outerSteps.length;
    case "moduleInstance":
      return !isModuleMovable(inner.subject) || steps.length > outerSteps.length;
    case "resource":
      return (
        steps.length === outerSteps.length &&
        inner.subject.kind === "resourceInstance" &&
        isSameResource(inner.subject.resource, outer.subject.resource)
      );
    default:
      return false;
  }
}

function isSameMovedResource(a: Movable, b: Movable): boolean {
  if (a.kind === "resource") return b.kind === "resource" && isSameResource(a.resource, b.resource);
  return a.kind === "resourceInstance" && b.kind === "resourceInstance" && isSameResource(a.resource, b.resource) && a.key === b.key;
}

/** Whether a statement only changes keys of module instances. @see OpenTofu addrs, MoveEndpointInModule.IsModuleReIndex */
export function isModuleReindex({ subject: from }: MovePattern, { subject: to }: MovePattern): boolean {
  if (!isModuleMovable(from) || !isModuleMovable(to) || (from.kind === "moduleCall" && to.kind === "moduleCall")) return false;
  return from.module.length === to.module.length && from.module.every(({ name }, index) => name === to.module[index]!.name);
}

/** Splits a module instance into an instance of the pattern's module and the steps below it. Undefined outside of that module. */
function splitAtModule(
  { module }: MovePattern,
  instance: ModuleInstance,
): { readonly prefix: ModuleInstance; readonly relative: ModuleInstance } | undefined {
  if (module.length > instance.length || module.some((name, index) => name !== instance[index]!.name)) return undefined;
  return { prefix: instance.slice(0, module.length), relative: instance.slice(module.length) };
}

/** The destination to which a statement about modules moves a module instance; undefined if it does not move it. @see OpenTofu addrs, ModuleInstance.MoveDestination */
export function moduleDestination(instance: ModuleInstance, from: MovePattern, to: MovePattern): ModuleInstance | undefined {
  if (instance.length === 0 || !isModuleMovable(from.subject)) return undefined;
  const split = splitAtModule(from, instance);
  if (split === undefined) return undefined;
  const { prefix, relative } = split;
  const { module } = from.subject;
  if (module.length > relative.length) return undefined;
  const matched = relative.slice(0, module.length);
  if (from.subject.kind === "moduleInstance") {
    if (!isSameModuleInstance(module, matched)) return undefined;
    return [...prefix, ...to.subject.module, ...relative.slice(module.length)];
  }
  const { name, key } = matched.at(-1)!;
  if (name !== module.at(-1)!.name || !isSameModuleInstance(module.slice(0, -1), matched.slice(0, -1))) return undefined;
  const call = to.subject.module.at(-1)!.name;
  const step = key === undefined ? { name: call } : { name: call, key };
  return [...prefix, ...to.subject.module.slice(0, -1), step, ...relative.slice(module.length)];
}

/** The module instance to which a statement moves the resources of `instance`; undefined if the pattern does not select `instance`. */
export function resourceModuleDestination(instance: ModuleInstance, from: MovePattern, to: MovePattern): ModuleInstance | undefined {
  const split = splitAtModule(from, instance);
  if (split === undefined || !isSameModuleInstance(split.relative, from.subject.module)) return undefined;
  return [...split.prefix, ...to.subject.module];
}
