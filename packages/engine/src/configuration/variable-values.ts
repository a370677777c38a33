// SPDX-License-Identifier: Apache-2.0
import { posix } from "node:path";
import { dynamic, isValue, unknown, type Value } from "@tenon/cty";
import { goQuote } from "@tenon/cty/unstable/payload";
import { hasErrors, parseConfig, parseJson, type Body, type Diagnostic, type Expression, type SourceRange } from "@tenon/hcl";
import { nativeBody } from "@tenon/hcl/body";
import { evaluate, type Evaluation } from "@tenon/hcl/evaluate";
import type { ConfigurationFiles } from "./file-system.ts";
import { isIgnoredFile } from "./module-files.ts";
import { hasErrorsSince, reportAll, reportError, reportWarning, type Report } from "./report.ts";
import { parseVariableText, type Variable } from "./variable.ts";

/** The origin of a value for a variable of the root module. */
export type VariableOrigin = "environment" | "file" | "option";

/** An unconverted value for a variable of the root module. */
export type GivenVariable =
  /** The text of an environment variable or an option. It is an expression unless the variable has a primitive type. */
  | { readonly kind: "text"; readonly text: string; readonly origin: VariableOrigin }
  /** The expression of an attribute in a variables file. It must not contain references. */
  | { readonly kind: "expression"; readonly expression: Expression; readonly origin: VariableOrigin }
  | { readonly kind: "value"; readonly value: Value; readonly origin: VariableOrigin };

/** The sources of values for the variables of the root module, in increasing order of precedence. */
export interface VariableSources {
  /** Environment variables. Only those whose names begin with `TF_VAR_` are used. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The folder from which `terraform.tfvars`, `terraform.tfvars.json`, `*.auto.tfvars` and `*.auto.tfvars.json` are read. */
  readonly folder?: string;
  readonly files?: ConfigurationFiles;
  /** Further variables files, and single values as text or as a value, in increasing order of precedence. */
  readonly options?: readonly (
    | { readonly file: string }
    | { readonly name: string; readonly text: string }
    | { readonly name: string; readonly value: Value }
  )[];
}

/** The result of {@link collectVariables}. */
export interface CollectedVariables {
  readonly given: ReadonlyMap<string, GivenVariable>;
  readonly diagnostics: readonly Diagnostic[];
  /** The texts of the variables files by path, to show the source of diagnostics. */
  readonly sources: ReadonlyMap<string, string | Uint8Array>;
}

const environmentPrefix = "TF_VAR_";
const standardFiles = ["terraform.tfvars", "terraform.tfvars.json"];

/**
 * Collects the values for the variables of the root module. The values of later sources replace earlier ones: first the environment, then
 * the standard files of the folder, then the options.
 *
 * @see OpenTofu command, Meta.collectVariableValues
 */
export async function collectVariables({
  environment = {},
  folder = ".",
  files,
  options = [],
}: VariableSources): Promise<CollectedVariables> {
  const given = new Map<string, GivenVariable>();
  const diagnostics: Report = [];
  const sources = new Map<string, string | Uint8Array>();
  for (const [name, text] of Object.entries(environment)) {
    if (text !== undefined && name.startsWith(environmentPrefix)) {
      given.set(name.slice(environmentPrefix.length), { kind: "text", text, origin: "environment" });
    }
  }
  const readFile = async (path: string): Promise<void> => {
    const source = await files?.read(path);
    if (source === undefined) {
      reportError(diagnostics, "Failed to read variables file", `Given variables file ${path} does not exist.`);
      return;
    }
    sources.set(path, source);
    for (const [name, expression] of valuesIn(path, source, diagnostics))
      given.set(name, { kind: "expression", expression, origin: "file" });
  };
  for (const name of variablesFilesAmong((await files?.list(folder)) ?? [])) await readFile(posix.join(folder, name));
  for (const option of options) {
    if ("file" in option) await readFile(option.file);
    else if ("text" in option) given.set(option.name, { kind: "text", text: option.text, origin: "option" });
    else given.set(option.name, { kind: "value", value: option.value, origin: "option" });
  }
  return { given, diagnostics, sources };
}

/** Selects the variables files that OpenTofu reads automatically, in the order in which it reads them. */
export function variablesFilesAmong(names: readonly string[]): readonly string[] {
  const automatic = names.filter((name) => /\.auto\.tfvars(\.json)?$/.test(name) && !isIgnoredFile(name));
  return [...standardFiles.filter((name) => names.includes(name)), ...automatic];
}

function valuesIn(path: string, source: string | Uint8Array, report: Report): readonly (readonly [string, Expression])[] {
  const isJson = path.endsWith(".json") || (!path.endsWith(".tfvars") && startsAsJson(source));
  const start = report.length;
  let body: Body;
  if (isJson) {
    const parsed = parseJson(source, path);
    reportAll(report, parsed.diagnostics);
    ({ body } = parsed);
  } else {
    const parsed = parseConfig(source, path, { recovery: "first-error" });
    reportAll(report, parsed.diagnostics);
    body = nativeBody(parsed.body);
  }
  const { content } = body.partialContent({ blocks: [{ type: "variable", labelNames: ["name"] }] });
  for (const { labels, typeRange } of content.blocks) {
    const detail = `A .tfvars file is used to assign values to variables that have already been declared in .tf files, not to declare new variables. To declare variable ${goQuote(labels[0]!)}, place this block in one of your .tf files, such as variables.tf.\n\nTo set a value for this variable in ${typeRange.filename}, use the definition syntax instead:\n    ${labels[0]} = <value>`;
    reportError(report, "Variable declaration in .tfvars file", detail, typeRange);
  }
  if (hasErrorsSince(report, start)) return [];
  const { attributes, diagnostics } = body.justAttributes();
  reportAll(report, diagnostics);
  return [...attributes.values()].map(({ name, expression }) => [name, expression]);
}

function startsAsJson(source: string | Uint8Array): boolean {
  return (typeof source === "string" ? source : new TextDecoder().decode(source)).trimStart().startsWith("{");
}

/** Evaluates the value given for a variable, without converting it to the variable's type. */
export function givenValue(given: GivenVariable | Value, variable: Variable): Evaluation {
  if (isValue(given)) return { value: given, diagnostics: [] };
  if (given.kind === "value") return { value: given.value, diagnostics: [] };
  return given.kind === "text" ? parseVariableText(variable, given.text) : evaluate(given.expression);
}

/**
 * Evaluates the values given for the root module's variables. Reports required variables without a value, values without a variable, and
 * malformed values.
 *
 * @returns Values that are not converted to the types of their variables. An optional variable without a value has no entry. A required
 * variable without a value is unknown.
 * @see OpenTofu backend, ParseVariableValues
 */
export function resolveVariables(
  given: ReadonlyMap<string, GivenVariable | Value>,
  variables: ReadonlyMap<string, Variable>,
): { readonly values: ReadonlyMap<string, Value>; readonly diagnostics: readonly Diagnostic[] } {
  const values = new Map<string, Value>();
  const diagnostics: Report = [];
  for (const [name, one] of given) {
    const variable = variables.get(name);
    if (variable === undefined) continue;
    const evaluation = givenValue(one, variable);
    if (!reportAll(diagnostics, evaluation.diagnostics)) values.set(name, evaluation.value);
  }
  reportUndeclared(given, variables, diagnostics);
  for (const [name, variable] of variables) {
    if (values.has(name) || variable.default !== undefined) continue;
    const detail = `The root module input variable ${goQuote(name)} is not set, and has no default value. Use a -var or -var-file command line argument to provide a value for this variable.`;
    reportError(diagnostics, "No value for required variable", detail, variable.range);
    values.set(name, unknown(dynamic));
  }
  return { values, diagnostics };
}

/**
 * The values given for the root module's variables, with unknown values for required variables without one.
 *
 * @see OpenTofu backend/local, stubUnsetRequiredVariables
 */
export function variablesWithPlaceholders(
  given: ReadonlyMap<string, GivenVariable | Value>,
  variables: ReadonlyMap<string, Variable>,
): ReturnType<typeof resolveVariables> {
  const stubs = [...variables.values()].filter(({ name, default: value }) => value === undefined && !given.has(name));
  return resolveVariables(new Map([...given, ...stubs.map(({ name, type }) => [name, unknown(type ?? dynamic)] as const)]), variables);
}

/** Maximum number of single warnings about undeclared variables in files. One summary replaces all others. */
const maxSingleWarnings = 2;

function reportUndeclared(
  given: ReadonlyMap<string, GivenVariable | Value>,
  variables: ReadonlyMap<string, Variable>,
  report: Report,
): void {
  let inFiles = 0;
  for (const [name, one] of given) {
    if (variables.has(name)) continue;
    const summary = "Value for undeclared variable";
    const remedy = 'To use this value, add a "variable" block to the configuration.';
    if (isValue(one) || one.kind === "value") {
      const detail = `A variable named ${goQuote(name)} was assigned a value, but the root module does not declare a variable of that name. ${remedy}`;
      reportError(report, summary, detail);
    } else if (one.kind === "expression") {
      if (hasErrors(evaluate(one.expression).diagnostics) || ++inFiles > maxSingleWarnings) continue;
      reportWarning(report, summary, undeclaredInFile(name, one.expression.range));
    } else if (one.origin === "option") {
      const detail = `A variable named ${goQuote(name)} was assigned on the command line, but the root module does not declare a variable of that name. ${remedy}`;
      reportError(report, summary, detail);
    }
  }
  if (inFiles <= maxSingleWarnings) return;
  const detail = `In addition to the other similar warnings shown, ${inFiles - maxSingleWarnings} other variable(s) defined without being declared.`;
  reportWarning(report, "Values for undeclared variables", detail);
}

function undeclaredInFile(name: string, { filename }: SourceRange): string {
  return `The root module does not declare a variable named ${goQuote(name)} but a value was found in file ${goQuote(filename)}. If you meant to use this value, add a "variable" block to the configuration.\n\nTo silence these warnings, use TF_VAR_... environment variables to provide certain "global" settings to all configurations in your organization. To reduce the verbosity of these warnings, use the -compact-warnings option.`;
}
