// SPDX-License-Identifier: Apache-2.0
import { capsule, capsuleOf, type CapsuleType, type Type, type Value } from "@tenon/cty";
import { isCapsulePayload } from "@tenon/cty/unstable/payload";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";
import type { Scope } from "./scope.ts";

/** Makes a value of an expression by looking at the expression, instead of evaluating it. */
export type CustomDecoder = (
  expression: Expression,
  scope: Scope | undefined,
) => {
  /** Of the capsule type that the decoder belongs to; undefined where errors leave nothing. */
  readonly value?: Value;
  readonly diagnostics: readonly Diagnostic[];
};

/**
 * The key under which a capsule type keeps its {@link CustomDecoder} in `extensionData`. Arguments of functions and attributes
 * whose type has one are not evaluated but given to it.
 *
 * @see customdecode.CustomExpressionDecoder
 */
export const customDecoder: unique symbol = Symbol.for("@tenon/hcl/customDecoder") as never;

/** The decoder of a type, if it is a capsule type that has one. */
export function customDecoderOf(type: Type): CustomDecoder | undefined {
  if (type.kind !== "capsule") return undefined;
  return type.ops.extensionData?.(customDecoder) as CustomDecoder | undefined;
}

/** An expression with the scope it stands in. */
export interface ExpressionClosure {
  readonly expression: Expression;
  readonly scope: Scope | undefined;
}

/** Values of this type are expressions, for who looks at them without evaluating. @see customdecode.ExpressionType */
export const expressionType: CapsuleType<Expression> = capsule<Expression>("expression", {
  extensionData: (key) =>
    key === customDecoder
      ? (((expression) => ({ value: capsuleOf(expressionType, expression), diagnostics: [] })) satisfies CustomDecoder)
      : undefined,
});

/** Values of this type are expressions with their scopes: what `try` and `can` take. @see customdecode.ExpressionClosureType */
export const expressionClosureType: CapsuleType<ExpressionClosure> = capsule<ExpressionClosure>("expression closure", {
  extensionData: (key) =>
    key === customDecoder
      ? (((expression, scope) => ({
          value: capsuleOf(expressionClosureType, { expression, scope }),
          diagnostics: [],
        })) satisfies CustomDecoder)
      : undefined,
});

/** What a capsule value holds. */
export function nativeOf<Native>(value: Value<CapsuleType<Native>>): Native {
  if (!isCapsulePayload(value.payload)) throw new TypeError("a known value of a capsule type is needed");
  return value.payload.native as Native;
}
