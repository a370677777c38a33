// SPDX-License-Identifier: Apache-2.0
import type { AttributeOptions } from "../definition/attribute-options.ts";
import { isStandardSchema } from "../validators/standard-schema.ts";
import { wordOf, type SchemaRole } from "./names.ts";
import type { ObjectShape } from "../shape/shape.ts";
import type { SchemaPosition } from "./schema-position.ts";

/** Flags of an attribute: how it gets its value. */
export interface Flags {
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly writeOnly: boolean;
}

/** Roles that have a configuration only: their values are not recorded, so the provider cannot compute any. */
const configurationOnly: ReadonlySet<SchemaRole> = new Set(["provider", "listResource", "action", "stateStore", "meta"]);
/** Roles that support write-only attributes. */
const supportsWriteOnly: ReadonlySet<SchemaRole> = new Set(["resource", "action", "recorded"]);

/**
 * Checks the flags of one attribute. The compiler reports most of these faults; this check is for authors who use JavaScript or casts.
 *
 * @see terraform-plugin-framework fwschema ValidateImplementation, OpenTofu configschema Block.InternalValidate
 */
export function* flagFaults(flags: Flags, options: AttributeOptions<unknown>, where: SchemaPosition): Generator<string> {
  const { required, optional, computed, writeOnly } = flags;
  const hasDefault = options.default !== undefined;
  if (!required && !optional && !computed) yield "an attribute of a schema must set required, optional, computed or default";
  if (required && options.optional === true) yield "an attribute cannot be both required and optional";
  if (required && options.computed === true) yield "a required attribute cannot be computed: use optional and computed";
  if (required && hasDefault) yield "a required attribute cannot have a default: remove required";
  if (required && options.nullable === true) yield "a required attribute cannot be null: remove nullable";
  if (writeOnly && options.computed === true) yield "a write-only attribute cannot be computed";
  if (writeOnly && hasDefault) yield "a write-only attribute cannot have a default";
  if (writeOnly && where.refusesWriteOnly !== undefined) yield `a write-only attribute cannot be inside ${where.refusesWriteOnly}`;
  if (!writeOnly && where.demandsWriteOnly) yield "every attribute inside a write-only nested attribute must be write-only";
  if (options.planModifiers?.length && where.role !== "resource" && where.role !== "recorded")
    yield "only a resource can have plan modifiers";
  if (computed && configurationOnly.has(where.role)) {
    yield `the configuration of ${where.role === "action" ? "an" : "a"} ${wordOf[where.role]} cannot have computed attributes or defaults`;
  }
  const reads = where.role === "dataSource" || where.role === "ephemeralResource";
  if (reads && hasDefault) yield "only a resource can have defaults: apply the default in the handler";
  if (writeOnly && !supportsWriteOnly.has(where.role)) yield "only a resource or an action can have write-only attributes";
  if (options.equivalent !== undefined && typeof options.equivalent !== "function") yield "equivalent must be a function";
  for (const [name, list] of [
    ["validators", options.validators],
    ["planModifiers", options.planModifiers],
  ] as const) {
    if (
      list !== undefined &&
      !(Array.isArray(list) && list.every((one) => typeof one === "function" || (name === "validators" && isStandardSchema(one))))
    )
      yield `${name} must be a list of functions`;
  }
}

/** Checks the body of a nested attribute as a whole. */
export function* nestedFaults(body: ObjectShape): Generator<string> {
  if (body.entries.length === 0) yield "a nested attribute must have attributes";
}
