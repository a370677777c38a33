// SPDX-License-Identifier: Apache-2.0
import type { Refinements, Type, Value } from "@tenon/cty";
import type { CtyFunction } from "@tenon/cty/function";
import { HclError } from "../error.ts";
import type { Scope } from "../evaluate/scope.ts";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";

/**
 * How a body becomes a value. Specs nest: an object of attributes and blocks, blocks of objects.
 *
 * @see hcldec.Spec
 */
export type Spec =
  | ObjectSpec
  | TupleSpec
  | AttributeSpec
  | LiteralSpec
  | ExpressionSpec
  | BlockSpec
  | BlockSequenceSpec
  | BlockTreeSpec
  | BlockAttributesSpec
  | BlockLabelSpec
  | DefaultSpec
  | TransformExpressionSpec
  | TransformFunctionSpec
  | RefineSpec
  | ValidateSpec;

/** An object of what other specs make of the same body. */
export interface ObjectSpec {
  readonly kind: "object";
  readonly specs: Readonly<Record<string, Spec>>;
}

/** A tuple of what other specs make of the same body. */
export interface TupleSpec {
  readonly kind: "tuple";
  readonly specs: readonly Spec[];
}

/** The value of an attribute, converted to a type; null where it is not set. */
export interface AttributeSpec {
  readonly kind: "attribute";
  readonly name: string;
  /** A capsule type with a custom decoder is given the expression itself. */
  readonly type: Type;
  /** Default: false. */
  readonly required?: boolean;
}

/** A value that does not depend on the body. */
export interface LiteralSpec {
  readonly kind: "literal";
  readonly value: Value;
}

/** The value of an expression that does not depend on the body, in the scope the body is decoded in. */
export interface ExpressionSpec {
  readonly kind: "expression";
  readonly expression: Expression;
}

/** What is made of the only block of a type; null where there is none. */
export interface BlockSpec {
  readonly kind: "block";
  readonly type: string;
  readonly nested: Spec;
  /** Default: false. */
  readonly required?: boolean;
}

/**
 * What is made of all blocks of a type, as a list, set or tuple. The blocks of a list or set must come to one type; those of a
 * tuple may differ, as attributes of dynamic type can make them.
 */
export interface BlockSequenceSpec {
  readonly kind: "blockList" | "blockSet" | "blockTuple";
  readonly type: string;
  readonly nested: Spec;
  /** Default: 0. */
  readonly min?: number;
  /** Default, and for 0: any number. */
  readonly max?: number;
}

/** What is made of all blocks of a type, by their labels: a map or object in it for each label but the last. */
export interface BlockTreeSpec {
  readonly kind: "blockMap" | "blockObject";
  readonly type: string;
  /** A name for each label that is a key, for messages; at least one. Labels that `nested` takes come after these. */
  readonly labels: readonly string[];
  /** Of a map it may not be of dynamic type, nor have parts that are. */
  readonly nested: Spec;
}

/** The attributes of the only block of a type, whatever their names, as a map; null where there is none. */
export interface BlockAttributesSpec {
  readonly kind: "blockAttributes";
  readonly type: string;
  readonly elementType: Type;
  /** Default: false. */
  readonly required?: boolean;
}

/** A label of the block whose body is decoded. */
export interface BlockLabelSpec {
  readonly kind: "blockLabel";
  /** From 0, without gaps among the label specs of one block. */
  readonly index: number;
  /** For messages. */
  readonly name: string;
}

/** What one spec makes of the body or, where that is null, another one, of the same type and without blocks. */
export interface DefaultSpec {
  readonly kind: "default";
  readonly primary: Spec;
  readonly default: Spec;
}

/** What an expression makes of another spec's value. */
export interface TransformExpressionSpec {
  readonly kind: "transformExpression";
  readonly wrapped: Spec;
  readonly expression: Expression;
  /** The scope of the expression, but for the variable. */
  readonly scope?: Scope;
  /** What the value is called in the expression. */
  readonly variable: string;
}

/** What a function of one argument makes of another spec's value. */
export interface TransformFunctionSpec {
  readonly kind: "transformFunction";
  readonly wrapped: Spec;
  readonly function: CtyFunction;
}

/** Another spec's value with more known about it, which must be true. */
export interface RefineSpec {
  readonly kind: "refine";
  readonly wrapped: Spec;
  readonly refinements: Refinements;
}

/** Another spec's value, looked at by a function. */
export interface ValidateSpec {
  readonly kind: "validate";
  readonly wrapped: Spec;
  /** Answers what is wrong with the value. A diagnostic without a subject gets the place of the value as one. */
  readonly check: (value: Value) => readonly Diagnostic[];
}

/** The specs that look at the same body and are part of another. */
export function sameBodySpecs(spec: Spec): readonly Spec[] {
  switch (spec.kind) {
    case "object":
      return Object.values(spec.specs);
    case "tuple":
      return spec.specs;
    case "default":
      return [spec.primary, spec.default];
    case "transformExpression":
    case "transformFunction":
    case "refine":
    case "validate":
      return [spec.wrapped];
    default:
      return [];
  }
}

/** How deep specs may nest: two for each block that can be in another, one for it and one for what is in it. */
const deepest = 1000;

/** How many levels there are in specs that were looked at. */
const levels = new WeakMap<Spec, number>();

/**
 * Holds a spec to what can be gone through.
 *
 * @throws HclError `INVALID_SPEC` if it is nested too deeply.
 */
export function checkNesting(spec: Spec): void {
  levelsOf(spec, 1);
}

function levelsOf(spec: Spec, level: number): number {
  const known = levels.get(spec) ?? 0;
  if (level + known > deepest) throw new HclError("INVALID_SPEC", `specs may be nested ${deepest} levels deep at most`);
  if (known > 0) return known;
  let inside = 0;
  for (const part of "nested" in spec ? [spec.nested] : sameBodySpecs(spec)) inside = Math.max(inside, levelsOf(part, level + 1));
  levels.set(spec, inside + 1);
  return inside + 1;
}
