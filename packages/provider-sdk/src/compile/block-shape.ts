// SPDX-License-Identifier: Apache-2.0
import { attributeStep, type Value } from "@tenon/cty";
import { encode } from "../conversion/encode.ts";
import { problemText } from "../conversion/problem.ts";
import type { AttributeOptions } from "../definition/attribute-options.ts";
import type { RepeatedBlockOptions, SingleBlockOptions } from "../definition/block.ts";
import type { Nesting } from "../definition/nested-views.ts";
import { compiledValidators } from "../validators/standard-schema.ts";
import { defaultFaults } from "./default-faults.ts";
import type { Faults } from "./fault.ts";
import { flagFaults, nestedFaults, type Flags } from "./flag-faults.ts";
import { nameFault } from "./names.ts";
import { nestedDefaultFaults } from "./nested-default.ts";
import { hasEntries, type EntryShape, type ObjectShape, type Shape } from "../shape/shape.ts";
import type { SchemaPosition } from "./schema-position.ts";
import { ruleExpressionFaults, withRules } from "./rules.ts";
import { collectionOf, isWrittenType, objectShape, valueShape, type WrittenType } from "./value-shape.ts";

interface WrittenNested {
  readonly kind: "nested";
  readonly nesting: Nesting;
  readonly attributes: WrittenSchema;
  readonly options: AttributeOptions<unknown> & { readonly rules?: unknown; readonly elementKey?: unknown };
}
interface WrittenBlock {
  readonly kind: "block";
  readonly nesting: Nesting;
  readonly body: WrittenSchema;
  readonly options: SingleBlockOptions & RepeatedBlockOptions & { readonly rules?: unknown };
}
type WrittenEntry = WrittenType | WrittenNested | WrittenBlock;

/** A schema as the author wrote it, at run time. */
export type WrittenSchema = Readonly<Record<string, WrittenEntry>>;

/** The schema and the rules of a provider or component, as the author wrote them. */
export interface WrittenRoot {
  readonly schema?: WrittenSchema;
  readonly rules?: unknown;
}

/** Compiles the shape of a whole schema with its rules. Adds its faults to `faults`. */
export function rootShape(written: WrittenRoot, where: SchemaPosition, faults: Faults): ObjectShape {
  const shape = withRules(blockShape(written.schema ?? {}, where, faults), written.rules, [], faults);
  for (const [path, fault] of ruleExpressionFaults(shape)) faults.add(path, fault);
  return shape;
}

/** Compiles the shape of a schema. Adds its faults to `faults`. */
export function blockShape(written: WrittenSchema, where: SchemaPosition, faults: Faults): ObjectShape {
  const names = Object.keys(written).toSorted();
  return objectShape(
    names.map((name, slot) => entryShape(name, slot, written[name]!, { ...where, path: [...where.path, name] }, faults)),
    false,
  );
}

function entryShape(name: string, slot: number, written: WrittenEntry, where: SchemaPosition, faults: Faults): EntryShape {
  const wrong = nameFault(name, where.role, where.atRoot);
  if (wrong !== undefined) faults.add(where.path, wrong);
  if (written?.kind === "block") return blockEntry(name, slot, written, where, faults);
  if (written?.kind === "nested") return nestedEntry(name, slot, written, where, faults);
  if (!isWrittenType(written)) faults.add(where.path, "create an entry of a schema with attr, nested or block");
  const type: WrittenType = isWrittenType(written) ? written : { kind: "string", options: { optional: true } };
  const shape = valueShape(type, where.path, faults, where.inCollection);
  return attributeEntry(name, slot, "attribute", shape, type.options, where, faults);
}

function attributeEntry(
  name: string,
  slot: number,
  kind: "attribute" | "nested",
  shape: Shape,
  options: AttributeOptions<unknown>,
  where: SchemaPosition,
  faults: Faults,
): EntryShape {
  const flags = flagsOf(options);
  for (const fault of flagFaults(flags, options, where)) faults.add(where.path, fault);
  const nullable = options.nullable === true;
  const entry: EntryShape = {
    name,
    slot,
    step: attributeStep(name),
    kind,
    shape,
    ...flags,
    sensitive: options.sensitive === true,
    configurable: flags.required || flags.optional || !flags.computed,
    configNullable: !flags.required || nullable,
    stateNullable: nullable || flags.writeOnly || (flags.optional && !flags.computed),
    ...(options.default === undefined ? {} : { default: defaultValue(kind, shape, options.default, where, faults) }),
    ...(options.equivalent === undefined ? {} : { equivalent: options.equivalent }),
    minItems: 0,
    maxItems: 0,
    description: options.description ?? "",
    ...(options.deprecated === undefined ? {} : { deprecated: options.deprecated }),
    validators: compiledValidators(options.validators),
    planModifiers: options.planModifiers ?? [],
  };
  if (entry.default !== undefined) {
    for (const fault of defaultFaults(entry, entry.default)) faults.add(where.path, fault);
  }
  return entry;
}

/** Flags of an attribute. A default makes it optional and computed, because the protocol has no defaults. */
function flagsOf(options: AttributeOptions<unknown>): Flags {
  const hasDefault = options.default !== undefined;
  return {
    required: options.required === true,
    optional: options.optional === true || hasDefault,
    computed: options.computed === true || hasDefault,
    writeOnly: options.writeOnly === true,
  };
}

function defaultValue(kind: "attribute" | "nested", shape: Shape, written: unknown, where: SchemaPosition, faults: Faults): Value {
  // The default may omit inner attributes that are computed or have defaults of their own.
  const { value, problems } = encode(shape, written, kind === "nested" ? "partial" : "result");
  if (kind === "nested" && problems.length === 0) {
    for (const fault of nestedDefaultFaults(shape, value)) faults.add(where.path, `the default: ${fault}`);
  }
  for (const problem of problems) faults.add(where.path, `the default: ${problemText(problem)}`);
  return value;
}

function nestedEntry(name: string, slot: number, written: WrittenNested, where: SchemaPosition, faults: Faults): EntryShape {
  const { options, nesting } = written;
  const computedOnly = options.computed === true && options.optional !== true;
  if (where.refusesNestedAttributes && !where.inNestedAttribute) {
    faults.add(where.path, "protocol 5 does not support nested attributes: use a block, or protocols: [6]");
  }
  const plainBody = blockShape(
    written.attributes,
    {
      ...where,
      ...inside(where, nesting),
      ...(computedOnly ? { refusesWriteOnly: "a computed nested attribute" } : {}),
      ...(options.default === undefined ? {} : { refusesWriteOnly: "a nested attribute with a default" }),
      demandsWriteOnly: where.demandsWriteOnly || options.writeOnly === true,
      inNestedAttribute: true,
    },
    faults,
  );
  const body = withRules(plainBody, options.rules, where.path, faults);
  for (const fault of nestedFaults(body)) faults.add(where.path, fault);
  const shape = repeated(nesting, body, options.nullable === true);
  return {
    ...attributeEntry(name, slot, "nested", shape, options, where, faults),
    nesting,
    ...elementKeyOf(options.elementKey, nesting, body, where, faults),
  };
}

function blockEntry(name: string, slot: number, written: WrittenBlock, where: SchemaPosition, faults: Faults): EntryShape {
  const { nesting, options } = written;
  const { min = 0, max = 0 } = options;
  const repeats = nesting === "list" || nesting === "set";
  if (where.inNestedAttribute) faults.add(where.path, "a block cannot be inside a nested attribute: use nested");
  if (!repeats && (min !== 0 || max !== 0)) faults.add(where.path, `a ${nesting} block cannot have min or max`);
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || min < 0 || max < 0)
    faults.add(where.path, "min and max must be integers, not below 0");
  if (options.max !== undefined && (options.max < 1 || options.max < min))
    faults.add(where.path, "max must be at least 1, and not below min");
  if (nesting !== "single" && options.required === true) faults.add(where.path, `a ${nesting} block cannot be required: use min`);
  const inner = { ...where, ...inside(where, nesting), inNestedAttribute: false };
  const body = withRules(blockShape(written.body, inner, faults), options.rules, where.path, faults);
  const required = nesting === "single" && options.required === true;
  const mayBeNull = nesting === "single" && !required;
  return {
    name,
    slot,
    step: attributeStep(name),
    kind: "block",
    shape: repeated(nesting, body, false),
    nesting,
    ...elementKeyOf(options.elementKey, nesting, body, where, faults),
    required,
    optional: !required,
    computed: false,
    sensitive: false,
    writeOnly: false,
    configurable: true,
    configNullable: mayBeNull,
    stateNullable: mayBeNull,
    // The cores require the two to be equal for a single block: rule 9 in test/rules.
    minItems: nesting === "single" ? Number(required) : min,
    maxItems: nesting === "single" ? Number(required) : max,
    description: options.description ?? "",
    ...(options.deprecated === undefined ? {} : { deprecated: options.deprecated }),
    validators: compiledValidators(options.validators),
    planModifiers: options.planModifiers ?? [],
  };
}

function elementKeyOf(
  written: unknown,
  nesting: Nesting,
  body: ObjectShape,
  where: SchemaPosition,
  faults: Faults,
): Pick<EntryShape, "elementKey"> {
  if (written === undefined) return {};
  const elementKey = typeof written === "string" ? body.byName.get(written) : undefined;
  if (nesting !== "list") faults.add(where.path, `a ${nesting} cannot have an elementKey: only a list can`);
  else if (elementKey === undefined) faults.add(where.path, `elementKey names ${JSON.stringify(written)}, which does not exist`);
  else if (!elementKey.configurable || elementKey.writeOnly || hasEntries(elementKey))
    faults.add(
      where.path,
      `elementKey names ${JSON.stringify(written)}: it must name an attribute that the configuration sets and the state records`,
    );
  else return { elementKey };
  return {};
}

function inside(
  where: SchemaPosition,
  nesting: Nesting,
): Pick<SchemaPosition, "atRoot" | "inCollection"> & { readonly refusesWriteOnly?: string } {
  return {
    atRoot: false,
    inCollection: where.inCollection || (nesting !== "single" && nesting !== "group"),
    ...(nesting === "set" ? { refusesWriteOnly: "a set" } : {}),
  };
}

function repeated(nesting: Nesting, body: ObjectShape, nullable: boolean): Shape {
  return nesting === "single" || nesting === "group" ? { ...body, nullable } : collectionOf(nesting, body, nullable, []);
}
