// SPDX-License-Identifier: Apache-2.0
import { withMarks, type Value } from "@tenon/cty";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { AnonymousSymbolExpression, Expression } from "../syntax/expression.ts";
import { conditionalValue } from "./conditional.ts";
import { objectKeyValue, objectValue, tupleValue } from "./construction.ts";
import { unknownOfAnyType, evaluationError, type Evaluator } from "./evaluator.ts";
import { forValue } from "./for.ts";
import { functionCallValue } from "./function-call.ts";
import { indexOutcome, isDiagnostic, type Outcome } from "./indexing.ts";
import { jsonValue } from "./json.ts";
import { maxValueDepth, isTooDeep } from "./nesting.ts";
import { binaryValue, unaryValue } from "./operator.ts";
import { scopeWith, type Scope } from "../syntax/scope.ts";
import { splatValue } from "./splat.ts";
import { templateJoinValue, templateValue } from "./template.ts";
import { absoluteOutcome, anchoredValue, relativeOutcome } from "./traversing.ts";

/** Result of an evaluation. After an error, the parts of the value that could not be computed are unknown. */
export interface Evaluation {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Evaluates an expression. Without a scope, references and calls are errors, and strings of JSON are not parsed as templates.
 *
 * Errors are returned as diagnostics with the texts of the Go library. Unknown values, marks and refinements follow the rules of HCL 2.
 * Evaluations nest at most 1000 levels deep, and so do values; beyond that there is an error.
 *
 * @see hcl.Expression Value
 *
 * @example
 * const { expression } = parseExpression('"Hello, ${name}"');
 * evaluate(expression, createScope({ variables: { name: of(string, "World") } })).value
 * // => cty.StringVal("Hello, World")
 */
export function evaluate(expression: Expression, scope?: Scope): Evaluation {
  const evaluator = new ExpressionEvaluation();
  const before = depth;
  // A function that evaluates, such as `try`, takes more stack than a step within an expression.
  if (depth > 0) depth += costOfFunction;
  try {
    const value = evaluator.value(expression, scope);
    return { value, diagnostics: evaluator.diagnostics };
  } finally {
    depth = before;
  }
}

/** Maximum nesting depth of evaluations: more than the parser allows, and far from the limit of the stack. */
const maxEvaluationDepth = 1000;
const costOfFunction = 10;
let depth = 0;

class ExpressionEvaluation implements Evaluator {
  readonly diagnostics: Diagnostic[] = [];
  #symbols: Map<AnonymousSymbolExpression, Value> | undefined;

  get symbols(): Map<AnonymousSymbolExpression, Value> {
    return (this.#symbols ??= new Map());
  }

  value(expression: Expression, scope: Scope | undefined): Value {
    if (expression.kind === "literal") return expression.value;
    if (depth >= maxEvaluationDepth) return this.#tooDeep(expression, scope);
    depth++;
    const value = this.#valueOfKind(expression, scope);
    // After an exception, the enclosing call of `evaluate` restores the depth.
    depth--;
    return value;
  }

  #valueOfKind(expression: Expression, scope: Scope | undefined): Value {
    switch (expression.kind) {
      case "literal":
        return expression.value;
      case "parentheses":
        return this.value(expression.inner, scope);
      case "scopeTraversal":
        return this.#settled(absoluteOutcome(expression.traversal, scope), expression, scope);
      case "relativeTraversal":
        return this.#settled(relativeOutcome(this.value(expression.source, scope), expression.traversal), expression, scope);
      case "index": {
        const anchored = anchoredValue(expression, scope);
        if (anchored !== undefined) return anchored;
        const collection = this.value(expression.collection, scope);
        const key = this.value(expression.key, scope);
        return this.#settled(indexOutcome(collection, key, expression.bracketRange), expression, scope);
      }
      case "functionCall":
        return this.#limited(functionCallValue(this, expression, scope), expression, scope);
      case "conditional":
        return conditionalValue(this, expression, scope);
      case "binary":
        return binaryValue(this, expression, scope);
      case "unary":
        return unaryValue(this, expression, scope);
      case "tuple":
        return this.#limited(tupleValue(this, expression, scope), expression, scope);
      case "object":
        return this.#limited(objectValue(this, expression, scope), expression, scope);
      case "objectKey":
        return objectKeyValue(this, expression, scope);
      case "for":
        return this.#limited(forValue(this, expression, scope), expression, scope);
      case "splat":
        return this.#limited(splatValue(this, expression, scope), expression, scope);
      case "anonymousSymbol":
        return this.symbols.get(expression) ?? unknownOfAnyType;
      case "template":
        return templateValue(this, expression, scope);
      case "templateJoin":
        return templateJoinValue(this, expression, scope);
      case "templateWrap":
        return this.value(expression.wrapped, scope);
      case "syntaxError":
        this.diagnostics.push(...expression.diagnostics);
        return unknownOfAnyType;
      case "json":
        return this.#limited(jsonValue(this, expression.node, scope), expression, scope);
      case "derived": {
        const { value, diagnostics } = expression.evaluate(scope);
        this.diagnostics.push(...diagnostics);
        return value;
      }
      default:
        return withMarks(this.value(expression.inner, scopeWith(expression.variables, scope)), expression.marks);
    }
  }

  /** Limits the nesting depth of values that are composed of others. */
  #limited(value: Value, expression: Expression, scope: Scope | undefined): Value {
    if (!isTooDeep(value.type)) return value;
    const detail = `Values may be nested ${maxValueDepth} levels deep at most.`;
    this.diagnostics.push(evaluationError("Value nested too deeply", detail, { subject: expression.range }, expression, scope));
    return unknownOfAnyType;
  }

  #settled(outcome: Outcome, expression: Expression, scope: Scope | undefined): Value {
    if (!isDiagnostic(outcome)) return outcome;
    this.diagnostics.push({ ...outcome, expression, ...(scope === undefined ? {} : { scope }) });
    return unknownOfAnyType;
  }

  #tooDeep(expression: Expression, scope: Scope | undefined): Value {
    const detail = `Evaluations may be nested ${maxEvaluationDepth} levels deep at most.`;
    this.diagnostics.push(evaluationError("Expression nested too deeply", detail, { subject: expression.range }, expression, scope));
    return unknownOfAnyType;
  }
}
