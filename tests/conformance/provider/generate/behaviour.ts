// SPDX-License-Identifier: Apache-2.0
// Declares what a provider does with the values of a generated schema: defaults, validators, plan modifiers and semantic equality.
import type { Type } from "@tenon/cty";
import type { Attribute, Block, NestedBlock } from "@tenon/schema";
import type { Random } from "@tenon/testing/generate";
import type {
  AttributeDeclaration,
  BlockDeclaration,
  Mode,
  ModifierName,
  Nesting,
  PrimitiveKind,
  SchemaDeclaration,
  TypeDeclaration,
  ValidatorDeclaration,
} from "../declaration.ts";
import { makeModifiers } from "./modifiers.ts";
import { makeDefault, makeValidators } from "./validators.ts";

/** What a schema is for. */
export type Role = "resource" | "dataSource" | "provider";

/** Declares the attributes and blocks of a body. */
export function declareBody(
  random: Random,
  { attributes, blocks }: Pick<Block, "attributes"> & Partial<Block>,
  role: Role,
): SchemaDeclaration {
  const declared = Object.entries(attributes).map(([name, attribute]) => [name, declareAttribute(random, attribute, role)] as const);
  const declaredBlocks = Object.entries(blocks ?? {}).map(([name, nested]) => [name, declareBlock(random, nested, role)] as const);
  return {
    attributes: Object.fromEntries(declared),
    ...(declaredBlocks.length > 0 && { blocks: Object.fromEntries(declaredBlocks) }),
  };
}

function declareAttribute(random: Random, attribute: Attribute, role: Role): AttributeDeclaration {
  const mode = declareMode(random, attribute, role);
  const flags = {
    mode,
    ...(attribute.sensitive && { sensitive: true as const }),
    ...(attribute.deprecated && { deprecated: "Use another." }),
  };
  const { nested } = attribute;
  if (nested !== undefined) {
    const { nesting } = nested;
    const options = {
      ...validators(makeValidators(random, containerKind(nesting))),
      ...modifiers(makeModifiers(random, "nested", mode, role)),
    };
    return { kind: "nested", nesting, body: declareBody(random, nested, role), ...flags, ...options };
  }
  const type = declareType(random, attribute.type!);
  const withDefault = mode === "default" ? { default: makeDefault(random, type) } : {};
  return { ...type, ...flags, ...withDefault, ...modifiers(makeModifiers(random, type.kind, mode, role)) };
}

/** An attribute that may be set and has a value otherwise gets it from the provider, or from a default. */
function declareMode(random: Random, { required, optional, computed, writeOnly, nested }: Attribute, role: Role): Mode {
  if (writeOnly) return required ? "writeOnlyRequired" : "writeOnlyOptional";
  if (required) return "required";
  if (!computed) return "optional";
  if (!optional) return "computed";
  return role === "resource" && nested === undefined && random.chance(0.5) ? "default" : "optionalComputed";
}

function declareBlock(random: Random, { nesting, block, minItems }: NestedBlock, role: Role): BlockDeclaration {
  return {
    nesting: nesting as BlockDeclaration["nesting"],
    body: declareBody(random, block, role),
    ...(block.deprecated && { deprecated: "Use another." }),
    ...validators(makeValidators(random, containerKind(nesting as Nesting))),
    ...(role === "resource" && random.chance(0.12) && { modifiers: ["requiresReplace" as const] }),
    ...(nesting === "single" && minItems > 0 && { required: true as const }),
  };
}

/** A type for the validators of a nested attribute or block, which depend on its nesting alone. */
function containerKind(nesting: Nesting): TypeDeclaration {
  const element: TypeDeclaration = { kind: "string" };
  return nesting === "single" ? { kind: "object", members: {} } : { kind: nesting, element };
}

function validators(list: readonly ValidatorDeclaration[]): { readonly validators?: readonly ValidatorDeclaration[] } {
  return list.length === 0 ? {} : { validators: list };
}

function modifiers(list: readonly ModifierName[]): { readonly modifiers?: readonly ModifierName[] } {
  return list.length === 0 ? {} : { modifiers: list };
}

const texts: readonly (readonly [number, PrimitiveKind])[] = [
  [2, "string"],
  [1, "caseless"],
];
const numbers: readonly PrimitiveKind[] = ["int32", "int64", "float32", "float64", "number"];

/** Chooses a kind of the framework for a type, and validators. */
function declareType(random: Random, type: Type, isChecked = true): TypeDeclaration {
  const declared = declareKind(random, type, isChecked);
  return isChecked ? { ...declared, ...validators(makeValidators(random, declared)) } : declared;
}

function declareKind(random: Random, type: Type, isChecked: boolean): TypeDeclaration {
  switch (type.kind) {
    case "string":
      return { kind: random.weighted(texts) };
    case "number":
      return { kind: random.pick(numbers) };
    case "list":
    case "set":
    case "map": {
      // The framework's validators do not support elements of these kinds.
      const isElementChecked = isChecked && type.element.kind !== "bool" && type.element.kind !== "object";
      return { kind: type.kind, element: declareType(random, type.element, isElementChecked) };
    }
    case "object":
      // Members of object types have no validators in the framework.
      return {
        kind: "object",
        members: Object.fromEntries(type.names.map((name) => [name, declareType(random, type.attributes[name]!, false)])),
      };
    case "bool":
    case "dynamic":
      return { kind: type.kind };
    default:
      throw new TypeError(`the framework has no attributes of the type ${type.kind}`);
  }
}
