// SPDX-License-Identifier: Apache-2.0
import { capsule, capsuleOf, type CapsuleType, type Type, type Value } from "@tenon/cty";
import { isCapsulePayload } from "@tenon/cty/unstable/payload";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";
import type { Scope } from "../syntax/scope.ts";

/** Computes a value from an expression without evaluating it. */
export type CustomDecoder = (
  expression: Expression,
  scope: Scope | undefined,
) => {
  /** Value of the decoder's capsule type; undefined after an error. */
  readonly value?: Value;
  readonly diagnostics: readonly Diagnostic[];
};

/**
 * Key of the {@link CustomDecoder} in the `extensionData` of a capsule type. Function arguments and attributes of such a type are passed
 * to the decoder instead of being evaluated.
 *
 * @see customdecode.CustomExpressionDecoder
 */
export const customDecoder: unique symbol = Symbol.for("@tenon/hcl/customDecoder") as never;

/** Custom decoder of a type, if it has one. */
export function customDecoderOf(type: Type): CustomDecoder | undefined {
  if (type.kind !== "capsule") return undefined;
  return type.ops.extensionData?.(customDecoder) as CustomDecoder | undefined;
}

/** An expression with the scope to evaluate it in. */
export interface ExpressionClosure {
  readonly expression: Expression;
  readonly scope: Scope | undefined;
}

/** Type of values that are expressions, for functions that inspect them without evaluation. @see customdecode.ExpressionType */
export const expressionType: CapsuleType<Expression> = capsule<Expression>("expression", {
  extensionData: (key) =>
    key === customDecoder
      ? (((expression) => ({ value: capsuleOf(expressionType, expression), diagnostics: [] })) satisfies CustomDecoder)
      : undefined,
});

/** Type of values that are expressions with their scopes, as `try` and `can` take them. @see customdecode.ExpressionClosureType */
export const expressionClosureType: CapsuleType<ExpressionClosure> = capsule<ExpressionClosure>("expression closure", {
  extensionData: (key) =>
    key === customDecoder
      ? (((expression, scope) => ({
          value: capsuleOf(expressionClosureType, { expression, scope }),
          diagnostics: [],
        })) satisfies CustomDecoder)
      : undefined,
});

/** The native object in a capsule value. @throws TypeError for a null or unknown value. */
export function nativeOf<Native>(value: Value<CapsuleType<Native>>): Native {
  if (!isCapsulePayload(value.payload)) throw new TypeError("a known value of a capsule type is needed");
  return value.payload.native as Native;
}
