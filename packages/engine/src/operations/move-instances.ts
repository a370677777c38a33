// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import {
  compareModuleInstances,
  formatAbsoluteResource,
  formatModuleInstance,
  formatResourceInstance,
  type AbsoluteResource,
  type ModuleInstance,
  type ResourceInstance,
} from "../address/index.ts";
import { parseTarget, type TargetSubject } from "../address/target.ts";
import { StateDraft } from "../state/state-draft.ts";
import type { StateInstance, State } from "../state/state.ts";
import { stateError } from "../state/state-diagnostic.ts";
import type { StateChange } from "./state-change.ts";

/** The result of {@link moveInstances}. */
export interface MovedInstances extends StateChange {
  /** The addresses of the moved modules, resources and instances, before and after. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
}

const invalidSource = "Invalid source address";
const invalidTarget = "Invalid target address";

/**
 * Moves a module, a resource or an instance to another address of a state.
 *
 * @see OpenTofu state_mv.go
 */
export function moveInstances(state: State, from: string, to: string): MovedInstances {
  const [source, destination] = [parseTarget(from), parseTarget(to)];
  const diagnostics = [...source.diagnostics, ...destination.diagnostics];
  const failed = (...errors: readonly Diagnostic[]): MovedInstances => ({ state, diagnostics: errors, moved: [] });
  if (source.address === undefined || destination.address === undefined) return failed(...diagnostics);
  const subject = source.address.subject;
  const target = destination.address.subject;
  const sources = sourcesOf(state, subject);
  if (sources.length === 0) {
    return failed(stateError(invalidSource, `Cannot move ${textOf(subject)}: does not match anything in the current state.`));
  }
  const draft = new StateDraft(state);
  const moved: { readonly from: string; readonly to: string }[] = [];
  for (const one of sources) {
    const errors = moveOne(draft, one, subject, target, moved);
    if (errors.length > 0) return failed(...errors);
    removeDependencies(draft, one);
  }
  draft.prune();
  return { state: draft.snapshot(), diagnostics: [], moved };
}

/** The objects of the state to move for an address: a module and each module below it, a whole resource, or an instance. */
function sourcesOf(state: State, subject: TargetSubject): readonly TargetSubject[] {
  if (subject.kind === "module") {
    const modules = new Map<string, ModuleInstance>();
    for (const { address } of state.resources.values()) {
      if (startsWith(address.module, subject.module)) modules.set(formatModuleInstance(address.module), address.module);
    }
    return [...modules.values()].sort(compareModuleInstances).map((module) => ({ kind: "module", module }));
  }
  if (subject.kind === "instance") return [subject];
  const found = state.resources.get(formatAbsoluteResource(subject.resource));
  if (found === undefined) return [];
  return found.instances.has(undefined) ? [{ kind: "instance", instance: subject.resource }] : [subject];
}

function startsWith(module: ModuleInstance, prefix: ModuleInstance): boolean {
  return formatModuleInstance(module.slice(0, prefix.length)) === formatModuleInstance(prefix) && module.length >= prefix.length;
}

function moveOne(
  draft: StateDraft,
  from: TargetSubject,
  search: TargetSubject,
  target: TargetSubject,
  moved: { readonly from: string; readonly to: string }[],
): readonly Diagnostic[] {
  const state = draft.snapshot();
  if (from.kind === "module") {
    if (target.kind !== "module" || search.kind !== "module") {
      return [stateError(invalidTarget, `Cannot move ${textOf(from)} to ${textOf(target)}: the target must also be a module.`)];
    }
    const to = [...target.module, ...from.module.slice(search.module.length)];
    const resources = [...state.resources.values()];
    if (resources.some(({ address }) => formatModuleInstance(address.module) === formatModuleInstance(to))) {
      return [stateError("Destination module already exists", existingModule)];
    }
    for (const resource of resources) {
      if (formatModuleInstance(resource.address.module) !== formatModuleInstance(from.module)) continue;
      moveResource(draft, resource.address, { module: to, resource: resource.address.resource });
    }
    moved.push({ from: formatModuleInstance(from.module), to: formatModuleInstance(to) });
    return [];
  }
  if (from.kind === "resource") {
    if (target.kind !== "resource") {
      const detail = `Cannot move ${textOf(from)} to ${textOf(target)}: the source is a whole resource (not a resource instance) so the target must also be a whole resource.`;
      return [stateError(invalidTarget, detail)];
    }
    const errors = [...invalidMoves(from.resource, target.resource)];
    const to = formatAbsoluteResource(target.resource);
    if (state.resources.has(to)) {
      errors.push(stateError(invalidTarget, `Cannot move to ${to}: there is already a resource at that address in the current state.`));
    }
    if (errors.length > 0) return errors;
    moveResource(draft, from.resource, target.resource);
    moved.push({ from: formatAbsoluteResource(from.resource), to });
    return [];
  }
  return moveInstance(draft, from.instance, target, moved);
}

const existingModule =
  "Please ensure your addresses and state paths are valid. No state was persisted. Your existing states are untouched.";

function moveInstance(
  draft: StateDraft,
  from: ResourceInstance,
  target: TargetSubject,
  moved: { readonly from: string; readonly to: string }[],
): readonly Diagnostic[] {
  const state = draft.snapshot();
  if (target.kind === "module") {
    const detail = `Cannot move ${formatResourceInstance(from)} to ${textOf(target)}: the target must also be a resource instance.`;
    return [stateError(invalidTarget, detail)];
  }
  const to = target.kind === "resource" ? target.resource : target.instance;
  const key = target.kind === "resource" ? undefined : target.instance.key;
  const errors = [...invalidMoves(from, to)];
  const text = formatResourceInstance({ ...to, ...(key !== undefined && { key }) });
  if (state.resources.get(formatAbsoluteResource(to))?.instances.has(key) === true) {
    errors.push(
      stateError(invalidTarget, `Cannot move to ${text}: there is already a resource instance at that address in the current state.`),
    );
  }
  const source = state.resources.get(formatAbsoluteResource(from));
  const instance = source?.instances.get(from.key);
  if (source === undefined || instance === undefined) {
    errors.push(stateError(invalidSource, `The current state does not contain ${formatResourceInstance(from)}.`));
    return errors;
  }
  if (errors.length > 0) return errors;
  draft.setInstance(from, undefined);
  if (draft.snapshot().resources.get(formatAbsoluteResource(from))?.instances.size === 0) draft.removeResource(from);
  const provider = draft.snapshot().resources.get(formatAbsoluteResource(to))?.provider ?? source.provider;
  const { key: _, ...rest } = instance;
  draft.setInstance({ module: to.module, resource: to.resource, ...(key !== undefined && { key }) }, rest, provider);
  moved.push({ from: formatResourceInstance(from), to: text });
  return [];
}

function moveResource(draft: StateDraft, from: AbsoluteResource, to: AbsoluteResource): void {
  const { provider, instances } = draft.snapshot().resources.get(formatAbsoluteResource(from))!;
  draft.removeResource(from);
  draft.setResourceProvider(to, provider);
  for (const { key, ...rest } of instances.values()) {
    draft.setInstance({ module: to.module, resource: to.resource, ...(key !== undefined && { key }) }, rest, provider);
  }
}

function invalidMoves(from: AbsoluteResource, to: AbsoluteResource): readonly Diagnostic[] {
  const summary = "Invalid state move request";
  const [source, target] = [from.resource, to.resource];
  if (source.mode === "ephemeral" || target.mode === "ephemeral") {
    const detail =
      "Ephemeral resources cannot be used as sources or targets for the move action. Just update your configuration accordingly.";
    return [stateError(summary, detail)];
  }
  const start = `Cannot move ${formatAbsoluteResource(from)} to ${formatAbsoluteResource(to)}:`;
  const errors: Diagnostic[] = [];
  if (source.mode !== target.mode) {
    const detail = `${start} a ${source.mode} resource can be moved only to another ${source.mode} resource address.`;
    errors.push(stateError(summary, detail));
  }
  if (source.type !== target.type) errors.push(stateError(summary, `${start} resource types don't match.`));
  return errors;
}

/** Removes the dependencies of all objects that depend on a moved object. The next apply records them again. */
function removeDependencies(draft: StateDraft, from: TargetSubject): void {
  for (const { address, instances, provider } of draft.snapshot().resources.values()) {
    for (const { key, current, ...rest } of instances.values()) {
      if (current === undefined || !current.dependencies.some((dependency) => isOn(dependency, from))) continue;
      const instance: Omit<StateInstance, "key"> = { ...rest, current: { ...current, dependencies: [] } };
      draft.setInstance({ ...address, ...(key !== undefined && { key }) }, instance, provider);
    }
  }
}

/** Whether a recorded dependency is on an address. Recorded dependencies have no instance keys. */
function isOn(dependency: string, from: TargetSubject): boolean {
  if (from.kind === "module") {
    if (from.module.some(({ key }) => key !== undefined)) return false;
    return from.module.length === 0 || dependency.startsWith(`${formatModuleInstance(from.module)}.`);
  }
  const { module, resource } = from.kind === "resource" ? from.resource : from.instance;
  return dependency === formatAbsoluteResource({ module: module.map(({ name }) => ({ name })), resource });
}

function textOf(subject: TargetSubject): string {
  if (subject.kind === "module") return formatModuleInstance(subject.module);
  return subject.kind === "resource" ? formatAbsoluteResource(subject.resource) : formatResourceInstance(subject.instance);
}
