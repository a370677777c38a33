// SPDX-License-Identifier: Apache-2.0
import type { Refinements, Type, Value } from "@tenon/cty";
import type { CtyFunction } from "@tenon/cty/function";
import { HclError } from "../error.ts";
import type { Scope } from "../syntax/scope.ts";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";

/**
 * Describes how a body is decoded to a value. Specs nest: an object of attributes and blocks, blocks of objects.
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

/** Object of the values of other specs for the same body. */
export interface ObjectSpec {
  readonly kind: "object";
  readonly specs: Readonly<Record<string, Spec>>;
}

/** Tuple of the values of other specs for the same body. */
export interface TupleSpec {
  readonly kind: "tuple";
  readonly specs: readonly Spec[];
}

/** Value of an attribute, converted to a type; null if the attribute is not set. */
export interface AttributeSpec {
  readonly kind: "attribute";
  readonly name: string;
  /** Type of the value. The custom decoder of a capsule type receives the expression instead of its value. */
  readonly type: Type;
  /** Whether a missing item is an error. Default: false. */
  readonly required?: boolean;
}

/** A value that does not depend on the body. */
export interface LiteralSpec {
  readonly kind: "literal";
  readonly value: Value;
}

/** Value of an expression that does not depend on the body, evaluated in the scope of the decoding. */
export interface ExpressionSpec {
  readonly kind: "expression";
  readonly expression: Expression;
}

/** Value of the only block of a type; null if there is none. */
export interface BlockSpec {
  readonly kind: "block";
  readonly type: string;
  readonly nested: Spec;
  /** Whether a missing item is an error. Default: false. */
  readonly required?: boolean;
}

/**
 * Values of all blocks of a type as a list, set or tuple. The values for a list or set must have a common type; those for a tuple can
 * differ.
 */
export interface BlockSequenceSpec {
  readonly kind: "blockList" | "blockSet" | "blockTuple";
  readonly type: string;
  readonly nested: Spec;
  /** Minimum number of blocks. Default: 0. */
  readonly min?: number;
  /** Maximum number of blocks. Default: 0, which means no limit. */
  readonly max?: number;
}

/** Values of all blocks of a type as a map or object by the first label, with nested maps or objects for further labels. */
export interface BlockTreeSpec {
  readonly kind: "blockMap" | "blockObject";
  readonly type: string;
  /** Names of the labels that are keys, at least one, for messages. Labels for `nested` follow these. */
  readonly labels: readonly string[];
  /** Spec of the blocks. For a map, its type must not have dynamic parts. */
  readonly nested: Spec;
}

/** All attributes of the only block of a type as a map; null if there is none. */
export interface BlockAttributesSpec {
  readonly kind: "blockAttributes";
  readonly type: string;
  readonly elementType: Type;
  /** Whether a missing item is an error. Default: false. */
  readonly required?: boolean;
}

/** A label of the block whose body is decoded. */
export interface BlockLabelSpec {
  readonly kind: "blockLabel";
  /** Index from 0, without gaps among the label specs of one block. */
  readonly index: number;
  /** Name of the label, for messages. */
  readonly name: string;
}

/** Value of one spec, or of another if it is null. The other must have the same type and no blocks. */
export interface DefaultSpec {
  readonly kind: "default";
  readonly primary: Spec;
  readonly default: Spec;
}

/** Value of an expression over the value of another spec. */
export interface TransformExpressionSpec {
  readonly kind: "transformExpression";
  readonly wrapped: Spec;
  readonly expression: Expression;
  /** Scope of the expression, to which the variable is added. */
  readonly scope?: Scope;
  /** Name of the value in the expression. */
  readonly variable: string;
}

/** Result of a function of one argument, called with the value of another spec. */
export interface TransformFunctionSpec {
  readonly kind: "transformFunction";
  readonly wrapped: Spec;
  readonly function: CtyFunction;
}

/** Value of another spec with refinements, which must hold. */
export interface RefineSpec {
  readonly kind: "refine";
  readonly wrapped: Spec;
  /** Refinements of the value; an array for several of a kind, such as two lower bounds. */
  readonly refinements: Refinements | readonly Refinements[];
}

/** Value of another spec, checked by a function. */
export interface ValidateSpec {
  readonly kind: "validate";
  readonly wrapped: Spec;
  /** Returns the errors of the value. A diagnostic without a subject gets the range of the value. */
  readonly check: (value: Value) => readonly Diagnostic[];
}

/** Parts of a spec that decode the same body. */
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

/** Maximum nesting depth of specs: each nested block takes two levels, one for it and one for its content. */
const maxSpecDepth = 1000;

/** Nesting depths of checked specs. */
const levels = new WeakMap<Spec, number>();

/**
 * Checks the nesting depth of a spec.
 *
 * @throws HclError `INVALID_SPEC` if it is nested too deeply.
 */
export function checkNesting(spec: Spec): void {
  levelsOf(spec, 1);
}

function levelsOf(spec: Spec, level: number): number {
  const known = levels.get(spec) ?? 0;
  if (level + known > maxSpecDepth) throw new HclError("INVALID_SPEC", `specs may be nested ${maxSpecDepth} levels deep at most`);
  if (known > 0) return known;
  let inside = 0;
  for (const part of "nested" in spec ? [spec.nested] : sameBodySpecs(spec)) inside = Math.max(inside, levelsOf(part, level + 1));
  levels.set(spec, inside + 1);
  return inside + 1;
}
