// SPDX-License-Identifier: Apache-2.0
// The two functions that render templates.
import { CtyError, dynamic, isKnown, string, unmark, withMarks, type Mark, type Value } from "@tenon/cty";
import { argumentError, defineFunction, type CtyFunction } from "@tenon/cty/function";
import { entriesOf, stringOf } from "@tenon/cty/unstable/native";
import { goQuote } from "@tenon/cty/unstable/payload";
import { formatRange, hasErrors, parseTemplate, type Diagnostic, type Expression } from "@tenon/hcl";
import { variables } from "@tenon/hcl/analysis";
import { createScope, evaluate } from "@tenon/hcl/evaluate";
import { isValidIdentifier } from "@tenon/hcl/scan";
import type { FunctionEnvironment } from "./environment.ts";
import { readTextFile } from "./file.ts";

/** Returns the functions that a template can call. It is a function, because the table contains the template functions themselves. */
export type TemplateFunctions = () => ReadonlyMap<string, CtyFunction>;

/** The file name in ranges of a template without a file, as in OpenTofu. */
const noFile = "NoFileNeeded";

/** The positions of the nested calls of `templatefile`, the innermost first, by the error about their depth. */
const nestedCalls = new WeakMap<object, readonly string[]>();

/** Creates the error for calls of `templatefile` that exceed the maximum depth. */
function depthError(calls: readonly string[]): CtyError {
  const error = new CtyError("LIMIT", depthMessage(calls));
  nestedCalls.set(error, calls);
  return error;
}

const maxShownCalls = 16;

/** The text of the error, with the calls up to the first repeated one. */
function depthMessage(calls: readonly string[]): string {
  const shown: string[] = [];
  for (const call of calls.slice(0, maxShownCalls)) {
    const isRepeated = shown.includes(call);
    shown.push(call);
    if (isRepeated) break;
  }
  return `maximum recursion depth ${calls.length - 1} reached in ${shown.join(", ")} ... `;
}

/**
 * The function `templatefile`: renders the template in a file with the given variables.
 *
 * @param functions The functions that the template can call. Its calls of `templatefile` are one level deeper.
 * @see OpenTofu funcs.MakeTemplateFileFunc
 */
export function templateFileFunction(environment: FunctionEnvironment, functions: TemplateFunctions, depth = 0): CtyFunction {
  const inner: TemplateFunctions = () => {
    return new Map(functions()).set("templatefile", templateFileFunction(environment, functions, depth + 1));
  };
  const load = (path: string, marks: ReadonlySet<Mark>): Expression => {
    if (depth > environment.maxTemplateDepth) throw depthError([]);
    return parse(readTextFile(path, environment, marks), path);
  };
  return defineFunction({
    description: "Renders the template in a file with the given variables.",
    params: [
      { name: "path", type: string, allowMarked: true },
      { name: "vars", type: dynamic },
    ],
    ...rendering(load, inner),
  });
}

/**
 * The function `templatestring`: renders a template that is a string with the given variables.
 *
 * @see OpenTofu funcs.MakeTemplateStringFunc
 */
export function templateStringFunction(functions: TemplateFunctions): CtyFunction {
  return defineFunction({
    description: "Renders a template that is a string with the given variables.",
    params: [
      { name: "data", type: string, allowMarked: true },
      { name: "vars", type: dynamic, allowMarked: true },
    ],
    ...rendering((source) => parse(source, noFile), functions),
  });
}

interface Rendering {
  readonly source: string;
  readonly vars: Value;
  readonly result: Value;
}

/**
 * The `type` and `impl` of a template function. Both need the rendered template: `type` caches it for `impl`, because rendering twice would
 * double the time with each level of nested templates.
 */
function rendering(
  load: (source: string, marks: ReadonlySet<Mark>) => Expression,
  functions: TemplateFunctions,
): { readonly type: (args: readonly Value[]) => Value["type"]; readonly impl: (args: readonly Value[]) => Value } {
  let latest: Rendering | undefined;
  const render = (given: Value, vars: Value): Value => {
    const [plain, marks] = unmark(given);
    const source = stringOf(plain);
    return renderTemplate(load(source, marks), vars, functions());
  };
  const renderOnce = (given: Value, vars: Value, keep: boolean): Value => {
    const source = stringOf(unmark(given)[0]);
    const kept = latest;
    latest = undefined;
    if (kept !== undefined && kept.source === source && kept.vars.payload === vars.payload && kept.vars.type === vars.type)
      return kept.result;
    const result = render(given, vars);
    if (keep) latest = { source, vars, result };
    return result;
  };
  return {
    type: ([given, vars]) => (isKnown(given!) && isKnown(vars!) ? renderOnce(given!, vars!, true).type : dynamic),
    impl: ([given, vars]) => withMarks(renderOnce(given!, vars!, false), unmark(given!)[1]),
  };
}

function parse(source: string, fileName: string): Expression {
  const { expression, diagnostics } = parseTemplate(source, fileName);
  if (hasErrors(diagnostics)) throw new CtyError("INVALID_VALUE", diagnosticsText(diagnostics));
  return expression;
}

function renderTemplate(template: Expression, vars: Value, functions: ReadonlyMap<string, CtyFunction>): Value {
  if (vars.type.kind !== "map" && vars.type.kind !== "object") throw argumentError(1, "invalid vars value: must be a map");
  const [plain, marks] = unmark(vars);
  const scope = createScope({ variables: new Map(entriesOf(plain).map(([name, value]) => [name, withMarks(value, marks)])), functions });
  for (const name of scope.variables!.keys()) {
    if (isValidIdentifier(name)) continue;
    throw argumentError(
      1,
      `invalid template variable name ${goQuote(name)}: must start with a letter, followed by zero or more letters, digits, and underscores`,
    );
  }
  for (const traversal of variables(template)) {
    const [root] = traversal;
    if (root?.kind !== "root" || scope.variables!.has(root.name)) continue;
    const at = root.range.filename === noFile ? "" : `, referenced at ${formatRange(root.range)}`;
    throw argumentError(1, `vars map does not contain key ${goQuote(root.name)}${at}`);
  }
  const { value, diagnostics } = evaluate(template, scope);
  if (!hasErrors(diagnostics)) return value;
  for (const { summary, extra, subject } of diagnostics) {
    // The evaluator can reach its own limit first.
    if (summary === "Expression nested too deeply") throw depthError([]);
    if (extra?.kind !== "functionCall" || extra.name !== "templatefile") continue;
    const calls = nestedCalls.get(extra.error?.cause ?? {});
    if (calls !== undefined) throw depthError([...calls, subject === undefined ? "" : formatRange(subject)]);
  }
  throw new CtyError("INVALID_VALUE", diagnosticsText(diagnostics));
}

/** Formats diagnostics as one error text. @see hcl Diagnostics.Error */
function diagnosticsText(diagnostics: readonly Diagnostic[]): string {
  const [{ subject, summary, detail }] = diagnostics as readonly [Diagnostic];
  const first = `${subject === undefined ? "" : formatRange(subject)}: ${summary}; ${detail}`;
  return diagnostics.length === 1 ? first : `${first}, and ${diagnostics.length - 1} other diagnostic(s)`;
}
