// SPDX-License-Identifier: Apache-2.0
import { unmarkDeep, type Value } from "@tenon/cty";
import { impliedType } from "@tenon/schema";
import { difference, renderDifference, typedDifference } from "@tenon/schema/difference";
import { formatModuleInstance, isSameModuleInstance, type ModuleInstance } from "../address/module.ts";
import type { ProviderAddress } from "../address/provider.ts";
import { formatResourceInstance, type ResourceInstanceObject } from "../address/resource.ts";
import { sensitiveMarks, withPathMarks } from "../marks/object-marks.ts";
import { SENSITIVE } from "../marks/value-marks.ts";
import { attributesOf, type StateObject } from "../state/state-object.ts";
import { isEmptyState, sortedInstances, sortedResources, type State } from "../state/state.ts";
import { coloredPlanStyle, plainPlanStyle } from "./plan-style.ts";
import type { SchemaLookup } from "./state-json.ts";

/** Options of {@link renderState}. */
export interface RenderStateOptions {
  /** Whether the text has terminal colours. Default: false. */
  readonly color?: boolean;
}

/**
 * Renders a state as `tofu show` prints it. Sensitive values are hidden. Objects of providers without a schema are left out, as in
 * {@link stateJson}.
 *
 * @see OpenTofu internal/command/jsonformat/state.go
 */
export function renderState(state: State, schemas: SchemaLookup, { color = false }: RenderStateOptions = {}): string {
  if (isEmptyState(state)) return "The state file is empty. No resources are represented.\n";
  const style = color ? coloredPlanStyle : plainPlanStyle;
  const options = { style, showSigns: false, showUnchanged: true };
  const texts: string[] = [];
  const shown: ModuleInstance[] = [];
  for (const { address, provider, object } of objectsOf(state)) {
    const { instance, deposed } = address;
    const { mode, type, name } = instance.resource;
    const schema = schemas(provider, instance.resource);
    if (schema === undefined) continue;
    texts.push(separatorBefore(instance.module, shown));
    if (!isLast(shown, instance.module)) shown.push(instance.module);
    const note = deposed === undefined ? (object.status === "tainted" ? " (tainted)" : "") : ` (deposed object ${deposed})`;
    const value = withPathMarks(attributesOf(object, impliedType(schema.block)), sensitiveMarks(object.sensitivePaths));
    const header = `${mode === "managed" ? "resource" : "data"} "${type}" "${name}"`;
    const block = renderDifference(difference(schema.block, value, value, { isSensitiveMark, hidesSets: false }), { ...options, header });
    texts.push(`# ${formatResourceInstance(instance)}:${note}\n${block}\n`);
  }
  const text = texts.join("");
  if (state.outputs.size === 0) return text;
  const outputs = [...state.outputs].sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = outputs.map(([name, { value, sensitive }]) => {
    const marked = withPathMarks<Value>(unmarkDeep(value)[0], sensitive ? sensitiveMarks([[]]) : []);
    return renderDifference(typedDifference(value.type, marked, marked, { isSensitiveMark }), { ...options, header: `${name} =` });
  });
  return `${text}\n\nOutputs:\n\n${lines.join("\n")}\n`;
}

/**
 * What separates an object of a module from what is above it, after the objects of other modules. As in OpenTofu, nothing separates a module
 * from one beside it if no module above both has objects.
 */
function separatorBefore(module: ModuleInstance, shown: readonly ModuleInstance[]): string {
  if (isLast(shown, module)) return "\n";
  return shown.some((other) => other.length < module.length && isSameModuleInstance(other, module.slice(0, other.length))) ? "\n\n" : "";
}

function isLast(shown: readonly ModuleInstance[], module: ModuleInstance): boolean {
  const last = shown.at(-1);
  return last !== undefined && isSameModuleInstance(last, module);
}

interface ShownObject {
  readonly address: ResourceInstanceObject;
  readonly provider: ProviderAddress;
  readonly object: StateObject;
}

/** The objects of a state: those of a module before those of the modules that it calls. */
function objectsOf(state: State): readonly ShownObject[] {
  return sortedResources(state)
    .flatMap((resource) => {
      const { address, provider } = resource;
      return sortedInstances(resource).flatMap(({ key, current, deposed }): readonly ShownObject[] => {
        const instance = { ...address, ...(key !== undefined && { key }) };
        const entries = [...deposed].sort(([a], [b]) => (a < b ? -1 : 1));
        return [
          ...(current === undefined ? [] : [{ address: { instance }, provider: provider.provider, object: current }]),
          ...entries.map(([id, object]) => ({ address: { instance, deposed: id }, provider: provider.provider, object })),
        ];
      });
    })
    .sort((a, b) => compareModules(a.address.instance.module, b.address.instance.module));
}

/** Orders modules as in {@link stateJson}: by the text of their addresses, each before those below it. */
function compareModules(a: ModuleInstance, b: ModuleInstance): number {
  for (let length = 1; length <= Math.min(a.length, b.length); length++) {
    const [left, right] = [a, b].map((module) => formatModuleInstance(module.slice(0, length)));
    if (left !== right) return left! < right! ? -1 : 1;
  }
  return a.length - b.length;
}

function isSensitiveMark(mark: unknown): boolean {
  return mark === SENSITIVE;
}
