// SPDX-License-Identifier: Apache-2.0
import type { AttributeOptions } from "../definition/attribute-options.ts";
import { isStandardSchema } from "../validators/standard-schema.ts";
import { wordOf, type SchemaRole } from "./names.ts";
import type { ObjectShape } from "./shape.ts";
import type { Surroundings } from "./surroundings.ts";

/** How an attribute gets its value. */
export interface Flags {
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly writeOnly: boolean;
}

/** Nothing is recorded of them, so there is nothing a provider could set. */
const configurationOnly: ReadonlySet<SchemaRole> = new Set(["provider", "listResource", "action", "stateStore", "meta"]);
/** What these are given may be forgotten. */
const forgets: ReadonlySet<SchemaRole> = new Set(["resource", "action", "recorded"]);

/**
 * What is wrong with the flags of one attribute. The compiler says most of it; this says it to those who have no compiler, or a
 * cast.
 *
 * @see terraform-plugin-framework fwschema ValidateImplementation, OpenTofu configschema Block.InternalValidate
 */
export function* flagFaults(flags: Flags, options: AttributeOptions<unknown>, where: Surroundings): Generator<string> {
  const { required, optional, computed, writeOnly } = flags;
  const hasDefault = options.default !== undefined;
  if (!required && !optional && !computed) yield "an attribute of a schema says required, optional, computed or default";
  if (required && options.optional === true) yield "an attribute is required or optional, not both";
  if (required && options.computed === true) yield "a required attribute is never computed: use optional and computed";
  if (required && hasDefault) yield "a required attribute never takes its default: leave out required";
  if (required && options.nullable === true) yield "a required attribute is never null: leave out nullable";
  if (writeOnly && options.computed === true) yield "a write-only attribute is never computed";
  if (writeOnly && hasDefault) yield "a write-only attribute has no default";
  if (writeOnly && where.refusesWriteOnly !== undefined) yield `a write-only attribute cannot be inside ${where.refusesWriteOnly}`;
  if (!writeOnly && where.demandsWriteOnly) yield "everything inside a write-only nested attribute is write-only";
  if (options.planModifiers?.length && where.role !== "resource" && where.role !== "recorded") yield "only a resource has plan modifiers";
  if (computed && configurationOnly.has(where.role)) {
    yield `the configuration of ${where.role === "action" ? "an" : "a"} ${wordOf[where.role]} has no computed attributes and no defaults`;
  }
  const reads = where.role === "dataSource" || where.role === "ephemeralResource";
  if (reads && hasDefault) yield "only a resource has defaults: here the handler decides what a missing value means";
  if (writeOnly && !forgets.has(where.role)) yield "only a resource has write-only attributes, and an action";
  if (options.equivalent !== undefined && typeof options.equivalent !== "function") yield "equivalent is a function";
  for (const [name, list] of [
    ["validators", options.validators],
    ["planModifiers", options.planModifiers],
  ] as const) {
    if (
      list !== undefined &&
      !(Array.isArray(list) && list.every((one) => typeof one === "function" || (name === "validators" && isStandardSchema(one))))
    )
      yield `${name} is a list of functions`;
  }
}

/** What is wrong with the body of a nested attribute as a whole. */
export function* nestedFaults(body: ObjectShape): Generator<string> {
  if (body.entries.length === 0) yield "a nested attribute has attributes";
}
