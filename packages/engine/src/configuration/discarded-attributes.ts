// SPDX-License-Identifier: Apache-2.0
import { attributeStep, CtyError, indexStep, isKnown, isNull, number, of, string, unknown, unmark, type Path, type Type } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { hasErrors, type Expression } from "@tenon/hcl";
import { evaluate } from "@tenon/hcl/evaluate";
import { goQuote } from "@tenon/cty/unstable/payload";
import { similarName } from "@tenon/hcl/report";
import { valuePathText } from "./value-path.ts";
import { reportWarning, type Report } from "./report.ts";

/**
 * Reports attributes of object constructors that the type does not have, as warnings, because the conversion discards them.
 *
 * @param variable Name of the variable that the value is for; absent for the variable's own default.
 * @see OpenTofu lang/lint, DiscardedObjectConstructorAttrs
 */
export function reportDiscardedAttributes(expression: Expression, type: Type, report: Report, variable?: string): void {
  visit(expression, type, [], (path) => ownerOf(path, variable), report);
}

/** How a warning names the type that lacks an attribute. */
function ownerOf(path: Path, variable: string | undefined): string {
  if (variable !== undefined) {
    return `The object type for input variable ${goQuote(variable)}${path.length === 0 ? "" : ` nested value ${valuePathText(path)}`}`;
  }
  return path.length === 0 ? "The object type for this variable" : `The object type for ${valuePathText(path)}`;
}

function visit(expression: Expression, type: Type, path: Path, owner: (path: Path) => string, report: Report): void {
  switch (type.kind) {
    case "object":
      if (expression.kind !== "object") return;
      for (const { key, value } of expression.items) {
        const name = nameOf(key);
        if (name === undefined) continue;
        const { attributes, names } = type;
        const attribute = attributes[name];
        if (attribute !== undefined) {
          visit(value, attribute, [...path, attributeStep(name)], owner, report);
          continue;
        }
        const similar = similarName(name, names);
        const advice = similar === undefined ? "" : ` Did you mean to set attribute "${similar}" instead?`;
        const detail = `${owner(path)} does not include an attribute named "${name}", so this definition is unused.${advice}`;
        reportWarning(report, "Object attribute is ignored", detail, key.range, expression.range);
      }
      return;
    case "map":
      if (expression.kind === "object") {
        for (const { key, value } of expression.items) {
          const name = nameOf(key);
          if (name !== undefined) visit(value, type.element, [...path, indexStep(of(string, name))], owner, report);
        }
      } else if (expression.kind === "for" && expression.key !== undefined) {
        visit(expression.value, type.element, [...path, indexStep(unknown(string))], owner, report);
      }
      return;
    case "list":
    case "set":
      if (expression.kind === "tuple") {
        for (const [index, element] of expression.elements.entries()) {
          visit(element, type.element, [...path, indexStep(of(number, index))], owner, report);
        }
      } else if (expression.kind === "for" && expression.key === undefined) {
        visit(expression.value, type.element, [...path, indexStep(unknown(number))], owner, report);
      }
      return;
    case "tuple":
      if (expression.kind !== "tuple" || expression.elements.length !== type.elements.length) return;
      for (const [index, element] of expression.elements.entries()) {
        visit(element, type.elements[index]!, [...path, indexStep(of(number, index))], owner, report);
      }
      return;
    default:
  }
}

function nameOf(key: Expression): string | undefined {
  const { value, diagnostics } = evaluate(key);
  if (hasErrors(diagnostics) || !isKnown(value) || isNull(value)) return undefined;
  try {
    const { payload } = convert(unmark(value)[0], string);
    return typeof payload === "string" ? payload : undefined;
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}
