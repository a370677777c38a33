// SPDX-License-Identifier: Apache-2.0
import { dynamic, mark, object, objectOf, of, string, unknown, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import type { CtyFunction } from "@tenon/cty/function";
import {
  absoluteFunc,
  coalesceListFunc,
  hasIndexFunc,
  jsonEncodeFunc,
  lengthFunc,
  replaceFunc,
  reverseFunc,
  reverseListFunc,
  strlenFunc,
} from "@tenon/cty/stdlib";
import { parseExpression, type Diagnostic, type Scope } from "@tenon/hcl";
import { createScope, evaluate } from "@tenon/hcl/evaluate";
import { applyDefaults, readTypeConstraintWithDefaults } from "@tenon/hcl/type-expression";
import { localValues } from "./console-expressions.ts";
import { languageFunctions } from "./functions.ts";

/** Configuration in which `tofu console` evaluates the expressions. */
export const consoleConfiguration: string = [
  'variable "secret" {\n  type      = string\n  default   = "hush"\n  sensitive = true\n}\n',
  'variable "typed" {\n  type = object({ name = string, size = optional(number, 3), tags = optional(list(string)) })\n  default = { name = "n" }\n}\n',
  'resource "terraform_data" "it" {\n  input = "x"\n}\n',
  ...Object.entries(localValues).map(([name, expression]) => `locals {\n  ${name} = ${expression}\n}\n`),
].join("\n");

/** Functions whose name in OpenTofu differs from go-cty's, by OpenTofu's name. */
const renamed: Readonly<Record<string, CtyFunction>> = {
  abs: absoluteFunc,
  coalescelist: coalesceListFunc,
  jsonencode: jsonEncodeFunc,
  length: lengthFunc,
  replace: replaceFunc,
  reverse: reverseListFunc,
  strrev: reverseFunc,
};

/** Names of functions in the oracle's scopes that OpenTofu lacks, or has under another name. */
const foreign: ReadonlySet<string> = new Set(
  [absoluteFunc, strlenFunc, hasIndexFunc, reverseListFunc].flatMap((one) =>
    [...languageFunctions].filter(([, candidate]) => candidate === one).map(([name]) => name),
  ),
);

const functions = Object.fromEntries([...languageFunctions].filter(([name]) => !foreign.has(name)).concat(Object.entries(renamed)));

function typedVariable(): Value {
  const source = "object({ name = string, size = optional(number, 3), tags = optional(list(string)) })";
  const { type, defaults } = readTypeConstraintWithDefaults(parseExpression(source, "").expression);
  const given = of(object({ name: string }), { name: "n" });
  return convert(defaults === undefined ? given : applyDefaults(defaults, given), type);
}

const objectWith = (attributes: Readonly<Record<string, Value>>): Value => objectOf(new Map(Object.entries(attributes)));

function makeScope(): Scope {
  const variable = objectWith({ secret: mark(of(string, "hush"), Symbol.for("@tenon/engine/mark/sensitive")), typed: typedVariable() });
  const data = unknown(object({ id: string, input: dynamic, output: dynamic, triggers_replace: dynamic }));
  const base = createScope({ functions, variables: {} });
  const locals = Object.entries(localValues).map(([name, source]) => [name, evaluateIn(base, `${source}\n`).value] as const);
  return createScope({
    functions,
    variables: { var: variable, terraform_data: objectWith({ it: data }), local: objectWith(Object.fromEntries(locals)) },
  });
}

function evaluateIn(scope: Scope, source: string): { readonly value: Value; readonly diagnostics: readonly Diagnostic[] } {
  const { expression, diagnostics } = parseExpression(source, "");
  return diagnostics.length > 0 ? { value: unknown(dynamic), diagnostics } : evaluate(expression, scope);
}

let scope: Scope | undefined;

/** Evaluates an expression with @tenon/hcl in the scope of `consoleConfiguration`. */
export function evaluateInConsole(source: string): { readonly value: Value; readonly diagnostics: readonly Diagnostic[] } {
  return evaluateIn((scope ??= makeScope()), source);
}
