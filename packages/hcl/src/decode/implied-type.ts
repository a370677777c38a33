// SPDX-License-Identifier: Apache-2.0
import { CtyError, dynamic, list, map, object, set, string, tuple, unknown, withoutOptionalAttributes, type Type } from "@tenon/cty";
import { evaluate } from "../evaluate/evaluate.ts";
import { scopeWith } from "../syntax/scope.ts";
import { checkNesting, type Spec } from "./spec.ts";

/** {@link impliedType} without optional attributes, which only matter for conversion: the type of values. */
export function concreteType(spec: Spec): Type {
  return withoutOptionalAttributes(impliedType(spec));
}

/**
 * Type of the values that a spec decodes. It is dynamic, or has dynamic parts, where it depends on the body.
 *
 * @throws HclError `INVALID_SPEC` for a spec that is nested too deeply.
 * @see hcldec.ImpliedType
 */
export function impliedType(spec: Spec): Type {
  checkNesting(spec);
  switch (spec.kind) {
    case "object":
      return objectType(spec.specs);
    case "tuple":
      return tuple(...spec.specs.map(impliedType));
    case "attribute":
      return spec.type;
    case "literal":
      return spec.value.type;
    case "expression":
    case "blockTuple":
    case "blockObject":
      return dynamic;
    case "block":
      return impliedType(spec.nested);
    case "blockList":
      return list(impliedType(spec.nested));
    case "blockSet":
      return set(impliedType(spec.nested));
    case "blockMap":
      return spec.labels.reduce<Type>((type) => map(type), impliedType(spec.nested));
    case "blockAttributes":
      return map(spec.elementType);
    case "blockLabel":
      return string;
    case "default":
      return impliedType(spec.primary);
    case "transformExpression": {
      const given = unknown(impliedType(spec.wrapped));
      return evaluate(spec.expression, scopeWith(new Map([[spec.variable, given]]), spec.scope)).value.type;
    }
    case "transformFunction":
      try {
        return spec.function.returnType([impliedType(spec.wrapped)]);
      } catch (error) {
        if (error instanceof CtyError) return dynamic;
        throw error;
      }
    default:
      return impliedType(spec.wrapped);
  }
}

function objectType(specs: Readonly<Record<string, Spec>>): Type {
  const attributes = Object.create(null) as Record<string, Type>;
  for (const [name, spec] of Object.entries(specs)) attributes[name] = impliedType(spec);
  return object(attributes);
}
