// SPDX-License-Identifier: Apache-2.0
import { attr, block, isUnknown, nested, unknownValue, type AnyType, type Schema } from "@tenon/provider-sdk";
import type { Entry } from "@tenon/provider-sdk/definition";
import {
  requiresReplace,
  requiresReplaceIfConfigured,
  useNonNullStateForUnknown,
  useStateForUnknown,
  type PlanModifier,
} from "@tenon/provider-sdk/plan-modifiers";
import {
  atLeastOneOf,
  atLeastSumOf,
  atMostSumOf,
  conflicting,
  equalToProductOf,
  equalToSumOf,
  exactlyOneOf,
  preferWriteOnly,
  requiredTogether,
  requires,
  type ConfigRule,
} from "@tenon/provider-sdk/rules";
import {
  allOf,
  anyOf,
  atLeast,
  atMost,
  between,
  eachKey,
  matches,
  noneOf,
  noneOfIgnoringCase,
  noNullElements,
  oneOf,
  oneOfIgnoringCase,
  size,
  stringLength,
  uniqueElements,
  utf8Length,
  type Validator,
} from "@tenon/provider-sdk/validators";
import { of, string } from "@tenon/cty";
import { isComputed, isRequired, isWriteOnly } from "./declaration.ts";
import type {
  AttributeDeclaration,
  BlockDeclaration,
  ModifierName,
  RuleDeclaration,
  SchemaDeclaration,
  TypeDeclaration,
  ValidatorDeclaration,
} from "./declaration.ts";

/** Creates the schema of a declaration with provider-sdk. Its names and types are not known at compile time. */
export function madeSchema({ attributes, blocks = {} }: SchemaDeclaration): Schema {
  const entries: Record<string, Entry> = {};
  for (const [name, declared] of Object.entries(attributes)) entries[name] = madeAttribute(declared);
  for (const [name, declared] of Object.entries(blocks)) entries[name] = madeBlock(declared);
  return entries;
}

/** Creates the type of an attribute or element with its options. */
function typed(type: TypeDeclaration, options: object, hasDefault = false): never {
  switch (type.kind) {
    case "string":
      return attr.string(options) as never;
    case "caseless":
      return attr.string({ ...options, equivalent: (a, b) => a.toLowerCase() === b.toLowerCase() }) as never;
    case "bool":
      return attr.bool(options) as never;
    case "int64":
      return attr.bigint(options) as never;
    case "number":
      return attr.decimal(options) as never;
    case "dynamic":
      return attr.dynamic(options) as never;
    case "list":
      return attr.list(madeElement(type.element, hasDefault), options) as never;
    case "set":
      return attr.set(madeElement(type.element, hasDefault), options) as never;
    case "map":
      return attr.map(madeElement(type.element, hasDefault), options) as never;
    case "object":
      return attr.object(
        Object.fromEntries(Object.entries(type.members).map(([name, member]) => [name, madeElement(member, hasDefault)])),
        options,
      ) as never;
    default:
      return attr.number(options) as never;
  }
}

/** Allows null elements, as the framework does everywhere. */
function madeElement(type: TypeDeclaration, hasDefault: boolean): AnyType {
  const validators = madeValidators(type.validators, type.kind);
  return typed(type, { nullable: true, validators: hasDefault ? validators.map(later) : validators }, hasDefault);
}

/**
 * The same validator with a promise for its verdict. Our SDK refuses a default that its validators refuse, as far as they answer at once;
 * the framework does not, and made schemas have such defaults.
 */
function later(validator: Validator<never>): Validator<never> {
  return Object.assign(async (value: never) => validator(value), validator);
}

function madeAttribute(declared: AttributeDeclaration): Entry {
  const hasDefault = declared.kind !== "nested" && declared.default !== undefined;
  const validators = madeValidators(declared.validators, declared.kind);
  const options = {
    ...(isRequired(declared) ? { required: true } : {}),
    ...(["optional", "optionalComputed", "writeOnlyOptional"].includes(declared.mode) ? { optional: true } : {}),
    // The framework allows null results everywhere.
    ...(isComputed(declared) ? { nullable: true } : {}),
    ...(declared.mode === "computed" || declared.mode === "optionalComputed" ? { computed: true } : {}),
    ...(isWriteOnly(declared) ? { writeOnly: true } : {}),
    ...(declared.sensitive === true ? { sensitive: true } : {}),
    ...(declared.deprecated === undefined ? {} : { deprecated: declared.deprecated }),
    validators: hasDefault ? validators.map(later) : validators,
    planModifiers: madeModifiers(declared.modifiers),
  };
  if (declared.kind === "nested") {
    const make = nested[declared.nesting] as unknown as (attributes: Schema, options: object) => Entry;
    return make(madeSchema(declared.body), options);
  }
  const written = declared.default === undefined ? {} : { default: defaultOf(declared, declared.default) };
  return typed(declared, { ...options, ...written }, hasDefault);
}

function madeBlock({ nesting, body, deprecated, validators, modifiers, required }: BlockDeclaration): Entry {
  const options = {
    ...(deprecated === undefined ? {} : { deprecated }),
    validators: madeValidators(validators, nesting),
    planModifiers: madeModifiers(modifiers),
    ...(required === true ? { required } : {}),
  };
  const make = block[nesting] as (body: Schema, options: object) => unknown;
  return make(madeSchema(body), options) as Entry;
}

/** Converts a default from JSON to the author's form. */
function defaultOf(type: TypeDeclaration, plain: unknown): unknown {
  if (plain === null) return null;
  switch (type.kind) {
    case "int64":
      return BigInt(plain as number);
    case "number":
      return String(plain);
    case "dynamic":
      return of(string, plain as string);
    case "list":
    case "set":
      return (plain as readonly unknown[]).map((element) => defaultOf(type.element, element));
    case "map":
      return Object.fromEntries(Object.entries(plain as object).map(([key, element]) => [key, defaultOf(type.element, element)]));
    case "object":
      return Object.fromEntries(Object.entries(plain as object).map(([name, member]) => [name, defaultOf(type.members[name]!, member)]));
    default:
      return plain;
  }
}

function madeValidators(declared: readonly ValidatorDeclaration[] = [], kind: string): readonly Validator<never>[] {
  return declared.map((one) => madeValidator(one, kind));
}

function madeValidator(declared: ValidatorDeclaration, kind: string): Validator<never> {
  const { rule, min, max, values = [], pattern = "", among = [] } = declared;
  const range = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  const exact = (bound: number): number | bigint => (kind === "int64" ? BigInt(bound) : bound);
  const inKind = values.map((value) => (kind === "int64" ? BigInt(value) : kind === "number" ? String(value) : value));
  const others = among.map((one) => madeValidator(one, kind)) as never;
  switch (rule) {
    case "stringLength":
      return stringLength(range);
    case "utf8Length":
      return utf8Length(range);
    case "matches":
      return matches(new RegExp(pattern));
    case "oneOf":
      return oneOf(inKind);
    case "noneOf":
      return noneOf(inKind);
    case "oneOfIgnoringCase":
      return oneOfIgnoringCase(inKind as string[]);
    case "noneOfIgnoringCase":
      return noneOfIgnoringCase(inKind as string[]);
    case "between":
      if (min !== undefined && max !== undefined) return between(exact(min) as never, exact(max) as never);
      return min === undefined ? atMost(exact(max!)) : atLeast(exact(min));
    case "size":
      return size(range);
    case "uniqueElements":
      return uniqueElements();
    case "noNullElements":
      return noNullElements();
    case "eachKey":
      return eachKey(...(others as Validator<string>[]));
    case "anyOf":
      return anyOf(...(others as [never]));
    default:
      return allOf(...(others as [never]));
  }
}

function madeModifiers(names: readonly ModifierName[] = []): readonly PlanModifier<never>[] {
  return names.map((name) => modifiers[name] as unknown as PlanModifier<never>);
}

const modifiers: Readonly<Record<ModifierName, PlanModifier<unknown>>> = {
  useStateForUnknown: useStateForUnknown(),
  useNonNullStateForUnknown: useNonNullStateForUnknown(),
  requiresReplace: requiresReplace(),
  requiresReplaceIfConfigured: requiresReplaceIfConfigured(),
  fixed: ({ planned, config }) => (isUnknown(planned) && config !== unknownValue ? "fixed" : planned),
  refuse: ({ planned }) => {
    if (planned === "refused") throw new Error("It is refused.");
    return planned;
  },
};

const rules = {
  exactlyOneOf,
  atLeastOneOf,
  conflicting,
  requiredTogether,
  preferWriteOnly,
  requires,
  atLeastSumOf,
  atMostSumOf,
  equalToSumOf,
  equalToProductOf,
} as unknown as Readonly<Record<RuleDeclaration["rule"], (...names: readonly string[]) => ConfigRule<string>>>;

export function madeRules({ rules: declared = [] }: SchemaDeclaration): readonly ConfigRule<string>[] {
  return declared.map(({ rule, names }) => rules[rule](...names));
}
