// SPDX-License-Identifier: Apache-2.0
import { of, type Value } from "@tenon/cty";
import { type Diagnostic, hasErrors, impliedType, type Schema } from "@tenon/schema";
import { applyChange, planChange, planDestroy, type PlannedChange, type ResourceObject, type ResourceType } from "@tenon/schema/lifecycle";

/** Creates a configuration with the given attributes and blocks; other attributes are null, other blocks empty. */
export function configuration({ block }: Schema, given: Readonly<Record<string, unknown>> = {}): Value {
  const data: Record<string, unknown> = {};
  for (const name of Object.keys(block.attributes)) data[name] = null;
  for (const [name, { nesting }] of Object.entries(block.blocks)) data[name] = nesting === "list" || nesting === "set" ? [] : null;
  return of(impliedType(block), { ...data, ...given });
}

/** Formats the severity and summary of diagnostics. */
export function summaries(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ severity, summary }) => `${severity}: ${summary}`);
}

/**
 * Plans a change.
 *
 * @throws Error with the diagnostics when the plan fails.
 */
export async function plan(type: ResourceType, config: Value, prior?: ResourceObject): Promise<PlannedChange> {
  const { planned, diagnostics } = await planChange(type, { config, prior });
  if (planned === undefined || hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics));
  return planned;
}

/**
 * Creates or updates an object.
 *
 * @throws Error with the diagnostics when the plan or the apply fails.
 */
export async function apply(type: ResourceType, config: Value, prior?: ResourceObject): Promise<ResourceObject> {
  const { object, diagnostics } = await applyChange(type, await plan(type, config, prior), { config });
  if (object === undefined || hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics));
  return object;
}

/**
 * Destroys an object; returns the object that remains, which is undefined after a successful destroy.
 *
 * @throws Error with the diagnostics when the plan fails.
 */
export async function destroy(type: ResourceType, object: ResourceObject): Promise<ResourceObject | undefined> {
  const { planned, diagnostics } = await planDestroy(type, object);
  if (planned === undefined) throw new Error(JSON.stringify(diagnostics));
  return (await applyChange(type, planned)).object;
}
