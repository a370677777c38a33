// SPDX-License-Identifier: Apache-2.0
import {
  bool,
  CtyError,
  dynamic,
  list,
  map,
  number,
  object,
  optional,
  set,
  string,
  tuple,
  type OptionalAttribute,
  type Type,
  type Value,
} from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { goQuote as quote, normalizeString } from "@tenon/cty/unstable/payload";
import { expressionList, expressionMap, keywordOf, staticCall, type StaticCall } from "../analysis/static-expression.ts";
import { evaluate } from "../evaluate/evaluate.ts";
import { errorAt, hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";
import { rangeBetween } from "../syntax/range.ts";
import type { Defaults } from "./defaults.ts";

/** Result of reading a type expression. */
export interface ReadType {
  /** The type; after an error, with dynamic parts where it could not be read. */
  readonly type: Type;
  readonly diagnostics: readonly Diagnostic[];
}

/** Result of {@link readTypeConstraintWithDefaults}. */
export interface ReadTypeWithDefaults extends ReadType {
  /** Absent if no attribute has a default. */
  readonly defaults?: Defaults;
}

/** Reads an exact type, such as `list(string)`. @see typeexpr.Type */
export function readType(expression: Expression): ReadType {
  const { type, diagnostics } = new Reading("exact").ofExpression(expression);
  return { type, diagnostics };
}

/** Reads a type constraint, which can contain `any` and `optional(…)`. @see typeexpr.TypeConstraint */
export function readTypeConstraint(expression: Expression): ReadType {
  const { type, diagnostics } = new Reading("constraint").ofExpression(expression);
  return { type, diagnostics };
}

/**
 * Reads a type constraint whose optional attributes can have defaults: `object({ size = optional(number, 1) })`.
 *
 * @see typeexpr.TypeConstraintWithDefaults
 *
 * @example
 * const { expression } = parseExpression("object({ name = string, size = optional(number, 1) })", "variables.tf");
 * const { type, defaults } = readTypeConstraintWithDefaults(expression);
 * toJs(convert(applyDefaults(defaults, of(object({ name: string }), { name: "web" })), type))
 * // => { name: "web", size: 1 }
 */
export function readTypeConstraintWithDefaults(expression: Expression): ReadTypeWithDefaults {
  return new Reading("defaults").ofExpression(expression);
}

const constructorNeeds: Readonly<Record<string, string>> = {
  list: "The list type constructor requires one argument specifying the element type.",
  set: "The set type constructor requires one argument specifying the element type.",
  map: "The map type constructor requires one argument specifying the element type.",
  object: "The object type constructor requires one argument specifying the attribute types and values as a map.",
  tuple: "The tuple type constructor requires one argument specifying the element types as a list.",
};

const primitives: Readonly<Record<string, Type>> = { bool, string, number };

function failure(detail: string, subject: SourceRange, context?: SourceRange): ReadTypeWithDefaults {
  return { type: dynamic, diagnostics: [invalid(detail, subject, context)] };
}

function invalid(detail: string, subject: SourceRange, context?: SourceRange): Diagnostic {
  return errorAt("Invalid type specification", detail, subject, context);
}

function withDefaults(type: Type, defaults: Defaults | undefined, diagnostics: readonly Diagnostic[]): ReadTypeWithDefaults {
  return defaults === undefined ? { type, diagnostics } : { type, defaults, diagnostics };
}

/** Reads a type expression of one of the three kinds. */
class Reading {
  readonly #mode: "exact" | "constraint" | "defaults";

  constructor(mode: "exact" | "constraint" | "defaults") {
    this.#mode = mode;
  }

  ofExpression(expression: Expression): ReadTypeWithDefaults {
    const keyword = keywordOf(expression);
    if (keyword !== undefined) return this.#ofKeyword(keyword, expression.range);
    const { call } = staticCall(expression);
    if (call === undefined) {
      const detail =
        "A type specification is either a primitive type keyword (bool, number, string) or a complex type constructor call, like list(string).";
      return failure(detail, expression.range);
    }
    return this.#ofCall(call, expression);
  }

  #ofKeyword(keyword: string, range: SourceRange): ReadTypeWithDefaults {
    const primitive = Object.hasOwn(primitives, keyword) ? primitives[keyword] : undefined;
    if (primitive !== undefined) return { type: primitive, diagnostics: [] };
    if (keyword === "any") {
      if (this.#mode !== "exact") return { type: dynamic, diagnostics: [] };
      return failure(`The keyword ${quote(keyword)} cannot be used in this type specification: an exact type is required.`, range);
    }
    const needs = Object.hasOwn(constructorNeeds, keyword) ? constructorNeeds[keyword] : undefined;
    return failure(needs ?? `The keyword ${quote(keyword)} is not a valid type specification.`, range);
  }

  #ofCall(call: StaticCall, expression: Expression): ReadTypeWithDefaults {
    const { name, argumentsRange } = call;
    if (Object.hasOwn(primitives, name)) return failure(`Primitive type keyword ${quote(name)} does not expect arguments.`, argumentsRange);
    if (name === "any") return failure(`Type constraint keyword ${quote(name)} does not expect arguments.`, argumentsRange);
    const [only, second] = call.arguments;
    const needs = Object.hasOwn(constructorNeeds, name) ? constructorNeeds[name] : undefined;
    if (needs !== undefined && (only === undefined || second !== undefined)) {
      const surplus = second === undefined ? argumentsRange : rangeBetween(second.range, call.arguments.at(-1)!.range);
      return failure(needs, surplus, argumentsRange);
    }
    switch (name) {
      case "list":
      case "set":
      case "map":
        return this.#collection({ list, set, map }[name], only!);
      case "object":
        return this.#object(only!, expression);
      case "tuple":
        return this.#tuple(only!, expression);
      case "optional":
        return failure(`Keyword ${quote(name)} is valid only as a modifier for object type attributes.`, call.nameRange);
      default:
        return failure(`Keyword ${quote(name)} is not a valid type constructor.`, expression.range);
    }
  }

  #collection(constructor: (element: Type) => Type, argument: Expression): ReadTypeWithDefaults {
    const element = this.ofExpression(argument);
    const type = constructor(element.type);
    const { defaults } = element;
    return withDefaults(type, defaults && { type, values: new Map(), children: new Map([["", defaults]]) }, element.diagnostics);
  }

  #tuple(argument: Expression, expression: Expression): ReadTypeWithDefaults {
    const { list: parts } = expressionList(argument);
    if (parts === undefined) return failure("Tuple type constructor requires a list of element types.", argument.range, expression.range);
    const read = parts.map((part) => this.ofExpression(part));
    const children = new Map(read.flatMap(({ defaults }, index) => (defaults === undefined ? [] : [[String(index), defaults] as const])));
    const type = tuple(...read.map((one) => one.type));
    return withDefaults(
      type,
      children.size === 0 ? undefined : { type, values: new Map(), children },
      read.flatMap(({ diagnostics }) => diagnostics),
    );
  }

  #object(argument: Expression, expression: Expression): ReadTypeWithDefaults {
    const { map: pairs } = expressionMap(argument);
    if (pairs === undefined) {
      const detail =
        "Object type constructor requires a map whose keys are attribute names and whose values are the corresponding attribute types.";
      return failure(detail, argument.range, expression.range);
    }
    const reading = new ObjectReading(this.#mode, (part) => this.ofExpression(part));
    for (const { key, value } of pairs) {
      const name = keywordOf(key);
      if (name === undefined) reading.report("Object constructor map keys must be attribute names.", key.range, expression.range);
      else if (reading.has(name)) reading.report("Object constructor map keys must be unique.", key.range, expression.range);
      else reading.add(name, value);
    }
    return reading.result();
  }
}

/** Reads the attributes of an object type. */
class ObjectReading {
  readonly #mode: "exact" | "constraint" | "defaults";
  readonly #read: (expression: Expression) => ReadTypeWithDefaults;
  readonly #types = new Map<string, Type>();
  readonly #optional = new Set<string>();
  readonly #values = new Map<string, Value>();
  readonly #children = new Map<string, Defaults>();
  readonly #diagnostics: Diagnostic[] = [];

  constructor(mode: "exact" | "constraint" | "defaults", read: (expression: Expression) => ReadTypeWithDefaults) {
    this.#mode = mode;
    this.#read = read;
  }

  has(name: string): boolean {
    return this.#types.has(name);
  }

  report(detail: string, subject: SourceRange, context: SourceRange): void {
    this.#diagnostics.push(invalid(detail, subject, context));
  }

  add(name: string, value: Expression): void {
    const { call } = staticCall(value);
    let typeExpression = value;
    let fallback: { readonly value: Value; readonly range: SourceRange } | undefined;
    if (call?.name === "optional") {
      const [type] = call.arguments;
      if (type === undefined) {
        this.report("Optional attribute modifier requires the attribute type as its argument.", call.argumentsRange, value.range);
        return;
      }
      fallback = this.#modifier(name, call, value.range);
      typeExpression = type;
    }
    const { type, defaults, diagnostics } = this.#read(typeExpression);
    this.#diagnostics.push(...diagnostics);
    if (fallback !== undefined) this.#setDefault(name, type, fallback.value, fallback.range);
    this.#types.set(name, type);
    if (defaults !== undefined) this.#children.set(name, defaults);
  }

  /** Reads `optional(…)` and its default, if it has one. */
  #modifier(name: string, call: StaticCall, whole: SourceRange): { readonly value: Value; readonly range: SourceRange } | undefined {
    const [, second, third] = call.arguments;
    if (this.#mode === "exact") {
      this.report("Optional attribute modifier is only for type constraints, not for exact types.", call.nameRange, whole);
      return undefined;
    }
    if (second === undefined) {
      this.#optional.add(name);
      return undefined;
    }
    if (this.#mode === "constraint") {
      this.report("Optional attribute modifier expects only one argument: the attribute type.", call.argumentsRange, whole);
      return undefined;
    }
    if (third !== undefined) {
      const detail = "Optional attribute modifier expects at most two arguments: the attribute type, and a default value.";
      this.report(detail, call.argumentsRange, whole);
      return undefined;
    }
    const { value, diagnostics } = evaluate(second);
    this.#diagnostics.push(...diagnostics);
    if (hasErrors(diagnostics)) return undefined;
    this.#optional.add(name);
    return { value, range: second.range };
  }

  #setDefault(name: string, type: Type, value: Value, subject: SourceRange): void {
    try {
      this.#values.set(name, convert(value, type));
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      const detail = `This default value is not compatible with the attribute's type constraint: ${error.message}.`;
      this.#diagnostics.push(errorAt("Invalid default value for optional attribute", detail, subject));
    }
  }

  result(): ReadTypeWithDefaults {
    const attributes = Object.create(null) as Record<string, Type | OptionalAttribute>;
    for (const [name, type] of this.#types) attributes[normalizeString(name)] = this.#optional.has(name) ? optional(type) : type;
    const type = object(attributes);
    const none = this.#values.size === 0 && this.#children.size === 0;
    return withDefaults(type, none ? undefined : { type, values: this.#values, children: this.#children }, this.#diagnostics);
  }
}
