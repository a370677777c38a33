// SPDX-License-Identifier: Apache-2.0
import { of, type Value } from "@tenon/cty";
import { type Diagnostic, hasErrors, impliedType, type Schema } from "@tenon/schema";
import { applyChange, planChange, planDestroy, type PlannedChange, type ResourceObject, type ResourceType } from "@tenon/schema/lifecycle";

/** A configuration as a practitioner would write it: what is not said is null, and nested blocks that are not there are empty. */
export function configuration({ block }: Schema, said: Readonly<Record<string, unknown>> = {}): Value {
  const data: Record<string, unknown> = {};
  for (const name of Object.keys(block.attributes)) data[name] = null;
  for (const [name, { nesting }] of Object.entries(block.blocks)) data[name] = nesting === "list" || nesting === "set" ? [] : null;
  return of(impliedType(block), { ...data, ...said });
}

/** Diagnostics as a CLI would begin to show them. */
export function summaries(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ severity, summary }) => `${severity}: ${summary}`);
}

/** Plans and throws where that is not possible. */
export async function plan(type: ResourceType, config: Value, prior?: ResourceObject): Promise<PlannedChange> {
  const { planned, diagnostics } = await planChange(type, { config, prior });
  if (planned === undefined || hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics));
  return planned;
}

/** Makes an object, or changes one, and throws where that is not possible. */
export async function apply(type: ResourceType, config: Value, prior?: ResourceObject): Promise<ResourceObject> {
  const { object, diagnostics } = await applyChange(type, await plan(type, config, prior), { config });
  if (object === undefined || hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics));
  return object;
}

/** Destroys an object; answers what is left of it, which should be nothing. */
export async function destroy(type: ResourceType, object: ResourceObject): Promise<ResourceObject | undefined> {
  const { planned, diagnostics } = await planDestroy(type, object);
  if (planned === undefined) throw new Error(JSON.stringify(diagnostics));
  return (await applyChange(type, planned)).object;
}
