// SPDX-License-Identifier: Apache-2.0
import { isNull, objectOf, of, string, type Value } from "@tenon/cty";
import { givenValue, resolveVariables, type Configuration, type GivenVariable, type Variable } from "@tenon/engine/configuration";
import { createFunctionTable, type FunctionEnvironment } from "@tenon/engine/functions";
import { literal, type RunBlock, type TestFile } from "@tenon/engine/unstable/test-files";
import { hasErrors, type Diagnostic, type Scope } from "@tenon/hcl";
import { createScope, evaluate } from "@tenon/hcl/evaluate";
import { applyDefaults } from "@tenon/hcl/type-expression";

/** A run block, and the values that its expressions can refer to. */
export interface RunInput {
  readonly configuration: Configuration;
  readonly run: RunBlock;
  readonly file: TestFile;
  /** Values from outside of the test files. */
  readonly globals: ReadonlyMap<string, GivenVariable>;
  /** The outputs of earlier runs, by the name of the run. */
  readonly outputs: ReadonlyMap<string, Value>;
  readonly environment: FunctionEnvironment;
}

/** The values of variables, and the problems of the expressions that give them. */
export interface RunVariables {
  readonly given: ReadonlyMap<string, GivenVariable>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The functions of a scope, by environment. Their creation takes longer than a small run. */
const functionTables = new WeakMap<FunctionEnvironment, ReturnType<typeof createFunctionTable>>();

/** The scope of the `variables` blocks: `run` with the outputs of earlier runs, and `var`. @see OpenTofu command, getEvalContextForTest */
export function variablesScope({ configuration, globals, outputs, environment }: RunInput): Scope {
  return scopeOf(outputs, literalValues(globals, configuration.module.variables), environment);
}

/** The scope of `provider` blocks: as {@link variablesScope}, with the variables of the run block. */
export function providersScope(input: RunInput, variables: RunVariables): Scope {
  const { configuration, globals, outputs, environment } = input;
  const values = new Map(literalValues(globals, configuration.module.variables));
  for (const [name, given] of variables.given) {
    const { value } = givenValue(given, configuration.module.variables.get(name)!);
    if (!isNull(value)) values.set(name, value);
  }
  return scopeOf(outputs, values, environment);
}

function scopeOf(outputs: ReadonlyMap<string, Value>, variables: ReadonlyMap<string, Value>, environment: FunctionEnvironment): Scope {
  let functions = functionTables.get(environment);
  if (functions === undefined) functionTables.set(environment, (functions = createFunctionTable(environment)));
  return createScope({ variables: { run: objectOf(outputs), var: objectOf(variables) }, functions });
}

/**
 * The values of the variables that a configuration declares: those of the run block, of its file, or from outside.
 *
 * @see OpenTofu command, buildInputVariablesForTest
 */
export function inputVariables({ configuration, run, file, globals }: RunInput, scope: Scope): RunVariables {
  const given = new Map<string, GivenVariable>();
  const diagnostics: Diagnostic[] = [];
  const { variables } = configuration.module;
  for (const name of variables.keys()) {
    const expression = run.variables.get(name) ?? file.variables.get(name);
    const global = globals.get(name);
    if (expression !== undefined) {
      const evaluation = evaluate(expression, scope);
      diagnostics.push(...evaluation.diagnostics);
      if (hasErrors(evaluation.diagnostics)) continue;
      given.set(name, { kind: "expression", expression: literal(evaluation.value, expression.range), origin: "file" });
    } else if (global !== undefined) given.set(name, global);
  }
  const resolved = resolveVariables(given, variables);
  return { given, diagnostics: [...diagnostics, ...resolved.diagnostics] };
}

/**
 * The values of `var` in assertions: all variables of the run block, of its file and from outside, and the defaults of the configuration. They
 * are not converted to the types of the variables.
 *
 * @see OpenTofu command, prepareInputVariablesForAssertions
 */
export function assertionVariables({ configuration, run, file, globals }: RunInput, scope: Scope): ReadonlyMap<string, Value> {
  const { variables } = configuration.module;
  const all = new Map(literalValues(globals, variables));
  for (const expressions of [file.variables, run.variables]) {
    for (const [name, expression] of expressions) all.set(name, withDefaults(evaluate(expression, scope).value, variables.get(name)));
  }
  return all;
}

/** The values from outside as they are written, and the defaults of the other variables. @see OpenTofu command, parseAndApplyDefaultValues */
function literalValues(globals: ReadonlyMap<string, GivenVariable>, variables: ReadonlyMap<string, Variable>): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, variable] of variables) if (variable.default !== undefined) values.set(name, variable.default);
  for (const [name, given] of globals) values.set(name, withDefaults(literalValue(given), variables.get(name)));
  return values;
}

function literalValue(given: GivenVariable): Value {
  if (given.kind === "text") return of(string, given.text);
  return given.kind === "value" ? given.value : evaluate(given.expression).value;
}

function withDefaults(value: Value, variable: Variable | undefined): Value {
  const defaults = variable?.typeDefaults;
  return defaults === undefined ? value : applyDefaults(defaults, value);
}
