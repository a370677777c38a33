// SPDX-License-Identifier: Apache-2.0
import { CtyError, dynamic, isNull, list, map, of, string, unknown, withoutOptionalAttributes, type Type, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { hasErrors, parseExpression, type Diagnostic, type Expression, type SourceRange } from "@tenon/hcl";
import { keywordOf, variables } from "@tenon/hcl/analysis";
import type { Block, BodySchema } from "@tenon/hcl/body";
import { evaluate } from "@tenon/hcl/evaluate";
import { applyDefaults, readTypeConstraintWithDefaults, type Defaults } from "@tenon/hcl/type-expression";
import { referenceOf } from "../address/reference.ts";
import { conversionText } from "./value-path.ts";
import { attributesNamed, checkName, contentOf } from "./block-content.ts";
import { readCheckRule, type CheckRule } from "./check-rule.ts";
import { readBool, readString, textOf } from "./literal.ts";
import { moduleCallSchema } from "./module-call-schema.ts";
import { reportAll, reportError, type Report } from "./report.ts";
import { reportDiscardedAttributes } from "./discarded-attributes.ts";

/** How a text from the environment or a command line is read as a variable's value: as a string, or as an expression. */
export type VariableParsing = "literal" | "expression";

/** An input variable of a module. */
export interface Variable {
  readonly name: string;
  /** Absent if the block does not set it. */
  readonly description?: string;
  /** The default, converted to {@link constraint}. Absent if a value is required. */
  readonly default?: Value;
  /** The type, without optional attributes. Absent only for a block of an override file without `type`. */
  readonly type?: Type;
  /** The type constraint, with optional attributes. */
  readonly constraint?: Type;
  readonly typeDefaults?: Defaults;
  readonly parsing?: VariableParsing;
  readonly validations: readonly CheckRule[];
  readonly sensitive?: boolean;
  readonly ephemeral?: boolean;
  /** Whether static expressions may refer to the variable. Default true. */
  readonly const?: boolean;
  /** Whether the value may be null. Default true. */
  readonly nullable?: boolean;
  /** The deprecation message. */
  readonly deprecated?: string;
  readonly range: SourceRange;
}

const schema: BodySchema = {
  attributes: attributesNamed("description", "default", "type", "sensitive", "ephemeral", "const", "deprecated", "nullable"),
  blocks: [{ type: "validation" }],
};

const reservedNames: readonly string[] = [
  ...(moduleCallSchema.attributes ?? []).map(({ name }) => name),
  ...(moduleCallSchema.blocks ?? []).map(({ type }) => type),
];

/** Reads a `variable` block. @see OpenTofu configs, decodeVariableBlock */
export function readVariable(block: Block, isOverride: boolean, report: Report): Variable {
  const name = block.labels[0]!;
  const { attributes, blocks } = contentOf(block.body, schema, report);
  checkName(block, 0, "Invalid variable name", report);
  if (reservedNames.includes(name)) {
    const detail = `The variable name "${name}" is reserved due to its special meaning inside module blocks.`;
    reportError(report, "Invalid variable name", detail, block.labelRanges[0]);
  }
  const expressionOf = (attribute: string): Expression | undefined => attributes.get(attribute)?.expression;
  const flag = (attribute: string): boolean | undefined => {
    const expression = expressionOf(attribute);
    return expression && (readBool(expression, report) ?? false);
  };

  const descriptionExpression = expressionOf("description");
  const description = descriptionExpression && (readString(descriptionExpression, report) ?? "");
  const typeExpression = expressionOf("type");
  const anything: VariableType | undefined = isOverride ? undefined : { constraint: dynamic, parsing: "literal" };
  const read = typeExpression === undefined ? anything : readVariableType(typeExpression, report);
  const sensitive = flag("sensitive");
  const deprecated = readDeprecated(block, expressionOf("deprecated"), report);
  const ephemeral = flag("ephemeral");
  const nullable = flag("nullable");
  const isConst = flag("const");
  const defaultExpression = expressionOf("default");
  const value = defaultExpression && readDefault(defaultExpression, read, nullable ?? true, report);
  const validations = blocks.map((validation) => readValidation(name, validation, isOverride, report));
  return {
    name,
    ...(description !== undefined && { description }),
    ...(value !== undefined && { default: value }),
    ...(read !== undefined && {
      type: withoutOptionalAttributes(read.constraint),
      constraint: read.constraint,
      ...(read.defaults && { typeDefaults: read.defaults }),
      parsing: read.parsing,
    }),
    validations,
    ...(sensitive !== undefined && { sensitive }),
    ...(ephemeral !== undefined && { ephemeral }),
    ...(isConst !== undefined && { const: isConst }),
    ...(nullable !== undefined && { nullable }),
    ...(deprecated && { deprecated }),
    range: block.declarationRange,
  };
}

interface VariableType {
  readonly constraint: Type;
  readonly defaults?: Defaults;
  readonly parsing: VariableParsing;
}

/** @see OpenTofu configs, decodeVariableType */
function readVariableType(expression: Expression, report: Report): VariableType {
  if (expression.kind === "template") return readQuotedType(expression, report);
  const keyword = keywordOf(expression);
  if (keyword === "list") return { constraint: list(dynamic), parsing: "expression" };
  if (keyword === "map") return { constraint: map(dynamic), parsing: "expression" };
  const { type, defaults, diagnostics } = readTypeConstraintWithDefaults(expression);
  if (reportAll(report, diagnostics)) return { constraint: dynamic, parsing: "expression" };
  const isPrimitive = type.kind === "string" || type.kind === "number" || type.kind === "bool";
  return { constraint: type, ...(defaults && { defaults }), parsing: isPrimitive ? "literal" : "expression" };
}

/** Reports the quoted types of Terraform 0.11 as errors, with advice. */
function readQuotedType(expression: Expression, report: Report): VariableType {
  const { value, diagnostics } = evaluate(expression);
  if (reportAll(report, diagnostics)) return { constraint: dynamic, parsing: "expression" };
  const type = textOf(value);
  const beginning =
    "OpenTofu 0.11 and earlier required type constraints to be given in quotes, but that form is now deprecated and will be removed in a future version of OpenTofu.";
  if (type === "string") {
    reportError(report, "Invalid quoted type constraints", `${beginning} Remove the quotes around "string".`, expression.range);
    return { constraint: dynamic, parsing: "literal" };
  }
  if (type === "list" || type === "map") {
    const detail = `${beginning} Remove the quotes around "${type}" and write ${type}(string) instead to explicitly indicate that the ${type} elements are strings.`;
    reportError(report, "Invalid quoted type constraints", detail, expression.range);
  } else {
    const detail = "To provide a full type expression, remove the surrounding quotes and give the type expression directly.";
    reportError(report, "Invalid legacy variable type hint", detail, expression.range);
  }
  return { constraint: dynamic, parsing: "expression" };
}

function readDeprecated(block: Block, expression: Expression | undefined, report: Report): string | undefined {
  if (expression === undefined) return undefined;
  const deprecated = readString(expression, report);
  if (deprecated?.trim() === "") {
    const detail =
      'The "deprecated" argument must not be empty, and should provide instructions on how to migrate away from usage of this deprecated variable.';
    reportError(report, "Invalid `deprecated` value", detail, block.labelRanges[0]);
  }
  return deprecated;
}

function readDefault(expression: Expression, type: VariableType | undefined, nullable: boolean, report: Report): Value {
  const { value: written, diagnostics } = evaluate(expression);
  reportAll(report, diagnostics);
  let value = written;
  if (type !== undefined) {
    if (type.defaults && !isNull(value)) value = applyDefaults(type.defaults, value);
    try {
      value = convert(value, type.constraint);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      const detail = `This default value is not compatible with the variable's type constraint: ${conversionText(error)}.`;
      reportError(report, "Invalid default value for variable", detail, expression.range);
      value = unknown(dynamic);
    }
    reportDiscardedAttributes(expression, type.constraint, report);
  }
  if (!nullable && isNull(value)) {
    reportError(report, "Invalid default value for variable", "A null default value is not valid when nullable=false.", expression.range);
  }
  return value;
}

/** @see OpenTofu configs, decodeVariableValidationBlock */
function readValidation(name: string, block: Block, isOverride: boolean, report: Report): CheckRule {
  const rule = readCheckRule(block, isOverride, report);
  if (rule.condition === undefined) return rule;
  const refersToIt = variables(rule.condition).some((traversal) => {
    const subject = referenceOf(traversal).address?.subject;
    return subject?.kind === "variable" && subject.name === name;
  });
  if (!refersToIt) {
    const detail = `The condition for variable "${name}" must refer to var.${name} in order to test incoming values.`;
    reportError(report, "Invalid variable validation condition", detail, rule.condition.range);
  }
  return rule;
}

/** Returns the variable with the changes of an override file. @see OpenTofu configs, Variable.merge */
export function overrideVariable(base: Variable, override: Variable, report: Report): Variable {
  const merged: Variable = {
    ...base,
    ...(override.description !== undefined && { description: override.description }),
    ...(override.sensitive !== undefined && { sensitive: override.sensitive }),
    ...(override.ephemeral !== undefined && { ephemeral: override.ephemeral }),
    ...(override.nullable !== undefined && { nullable: override.nullable }),
    ...(override.const !== undefined && { const: override.const }),
    ...(override.deprecated !== undefined && { deprecated: override.deprecated }),
    ...(override.default !== undefined && { default: override.default }),
    ...(override.type !== undefined && { type: override.type, constraint: override.constraint!, parsing: override.parsing! }),
  };
  if (merged.default === undefined) return merged;
  const nullable = merged.nullable ?? true;
  const invalid = (detail: string): void => reportError(report, "Invalid default value for variable", detail, override.range);
  let value = merged.default;
  try {
    value = convert(value, merged.constraint ?? dynamic);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const overridesType = override.type !== undefined;
    const overridesDefault = override.default !== undefined;
    if (overridesType && !overridesDefault) {
      invalid(`Overriding this variable's type constraint has made its default value invalid: ${error.message}.`);
    } else if (!overridesType && overridesDefault) {
      invalid(`The overridden default value for this variable is not compatible with the variable's type constraint: ${error.message}.`);
    } else invalid(`This variable's default value is not compatible with its type constraint: ${error.message}.`);
  }
  if (!nullable && isNull(value)) invalid("A null default value is not valid when nullable=false.");
  return { ...merged, default: value };
}

/** Reads the value of a variable from the text of an environment variable or a command line. @see OpenTofu configs, VariableParsingMode.Parse */
export function parseVariableText(
  variable: Variable,
  text: string,
): { readonly value: Value; readonly diagnostics: readonly Diagnostic[] } {
  if (variable.parsing !== "expression") return { value: of(string, text), diagnostics: [] };
  const { expression, diagnostics } = parseExpression(text, `<value for var.${variable.name}>`, { recovery: "first-error" });
  if (hasErrors(diagnostics)) return { value: unknown(dynamic), diagnostics };
  const evaluation = evaluate(expression);
  return { value: evaluation.value, diagnostics: [...diagnostics, ...evaluation.diagnostics] };
}
