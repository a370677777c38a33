// SPDX-License-Identifier: Apache-2.0
import { CtyError, dynamic, isNull, mark, objectOf, of, string, unknown, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import type { CtyFunction } from "@tenon/cty/function";
import { formatRange, hasErrors, type Body, type Diagnostic, type Expression, type SourceRange } from "@tenon/hcl";
import { calledFunctions, variables, type CalledFunction } from "@tenon/hcl/analysis";
import { decode, specFunctions, specVariables, type Spec } from "@tenon/hcl/decode";
import { createScope, evaluate, type Evaluation, type Scope } from "@tenon/hcl/evaluate";
import { didYouMean, similarName } from "@tenon/hcl/report";
import type { Traversal } from "@tenon/hcl/syntax";
import { applyDefaults } from "@tenon/hcl/type-expression";
import { formatModulePath, type ModulePath } from "../address/module.ts";
import { formatReferenceSubject, referenceOf, type Reference } from "../address/reference.ts";
import { EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";
import type { Module } from "./module.ts";
import type { Report } from "./report.ts";
import { explainUnknownFunction } from "./unknown-function.ts";
import type { Variable } from "./variable.ts";

/** The objects outside of the module that static expressions can refer to. */
export interface StaticEnvironment {
  /** The functions of the language. Default: none. */
  readonly functions: ReadonlyMap<string, CtyFunction>;
  readonly workspace: string;
  /** The value of `path.root`: the folder of the root module. */
  readonly rootFolder: string;
  /** The value of `path.cwd`. */
  readonly workingFolder: string;
}

/** Returns the value of a variable for static expressions, or diagnostics with errors instead. */
export type StaticVariables = (variable: Variable) => Partial<Evaluation> & { readonly diagnostics: readonly Diagnostic[] };

/** The object that a static expression belongs to, for diagnostics and for the detection of cycles. */
export interface StaticSubject {
  readonly module: ModulePath;
  /** For example `module.a.source` or `var.b`. */
  readonly name: string;
  readonly range?: SourceRange;
}

/**
 * Evaluates static expressions of a module: those whose values are needed before planning. They can refer only to variables, local
 * values, `path` and `terraform.workspace`.
 *
 * @see OpenTofu configs, StaticEvaluator
 */
export class StaticScope {
  readonly path: ModulePath;
  readonly environment: StaticEnvironment;
  readonly #module: Module;
  readonly #variables: StaticVariables;
  /** The values that were evaluated without errors, by name. */
  readonly #values: Map<string, Value> = new Map();

  constructor(module: Module, path: ModulePath, variablesOf: StaticVariables, environment: StaticEnvironment) {
    this.#module = module;
    this.path = path;
    this.#variables = variablesOf;
    this.environment = environment;
  }

  /** Evaluates an expression. The value is unknown if there are errors. */
  evaluate(expression: Expression, subject: StaticSubject): Evaluation {
    return this.#evaluate(expression, [subject]);
  }

  /** Decodes a body by a spec. The value is unknown if its references have errors. @see OpenTofu configs, StaticEvaluator.DecodeBlock */
  decode(body: Body, spec: Spec, subject: StaticSubject): Evaluation {
    const { references, diagnostics } = parseReferences(specVariables(body, spec), specFunctions(body, spec));
    if (hasErrors(diagnostics)) return { value: unknown(dynamic), diagnostics };
    const built = this.#scope(references, [subject]);
    const problems = [...diagnostics, ...built.diagnostics];
    if (hasErrors(problems)) return { value: unknown(dynamic), diagnostics: problems };
    const { value, diagnostics: more } = decode(body, spec, built.scope);
    return { value, diagnostics: [...problems, ...more.map(explainUnknownFunction)] };
  }

  /** Creates a scope with the values that the expressions refer to. */
  scopeFor(
    expressions: readonly Expression[],
    subject: StaticSubject,
  ): { readonly scope: Scope; readonly diagnostics: readonly Diagnostic[] } {
    const { references, diagnostics } = referencesIn(expressions);
    const built = this.#scope(references, [subject]);
    return { scope: built.scope, diagnostics: [...diagnostics, ...built.diagnostics] };
  }

  /** Reports errors of the variables with `const`, even if no static expression uses them. */
  checkConstVariables(callRange: SourceRange | undefined, report: Report): void {
    for (const variable of this.#module.variables.values()) {
      if (!variable.const) continue;
      report.push(...this.#variable(variable, [{ module: this.path, name: "", ...(callRange && { range: callRange }) }]).diagnostics);
    }
  }

  #evaluate(expression: Expression, stack: readonly StaticSubject[]): Evaluation {
    const { references, diagnostics } = referencesIn([expression]);
    const built = this.#scope(references, stack);
    const problems = [...diagnostics, ...built.diagnostics];
    if (hasErrors(problems)) return { value: unknown(dynamic), diagnostics: problems };
    const { value, diagnostics: more } = evaluate(expression, built.scope);
    return { value, diagnostics: [...problems, ...more.map(explainUnknownFunction)] };
  }

  #scope(
    references: readonly Reference[],
    stack: readonly StaticSubject[],
  ): { readonly scope: Scope; readonly diagnostics: readonly Diagnostic[] } {
    const { functions } = this.environment;
    if (references.length === 0) return { scope: createScope({ functions, variables: {} }), diagnostics: [] };
    const diagnostics = references.flatMap((reference) => notStatic(reference, stack.at(-1)!));
    if (diagnostics.length > 0) return { scope: createScope({ functions, variables: {} }), diagnostics };
    const tables = {
      var: new Map<string, Value>(),
      local: new Map<string, Value>(),
      path: new Map<string, Value>(),
      terraform: new Map<string, Value>(),
    };
    for (const { subject, range } of references) {
      const [table, name, evaluation] = this.#subject(subject, range, stack) ?? [];
      if (table === undefined || name === undefined || evaluation === undefined) continue;
      tables[table].set(name, hasErrors(evaluation.diagnostics) ? unknown(evaluation.value.type) : evaluation.value);
      diagnostics.push(...evaluation.diagnostics);
    }
    const named: Readonly<Record<string, Value>> = {
      var: objectOf(tables.var),
      local: objectOf(tables.local),
      path: objectOf(tables.path),
      terraform: objectOf(tables.terraform),
      tofu: objectOf(tables.terraform),
    };
    return { scope: createScope({ functions, variables: { ...empty, ...named } }), diagnostics };
  }

  #subject(
    subject: Reference["subject"],
    range: SourceRange,
    stack: readonly StaticSubject[],
  ): readonly ["var" | "local" | "path" | "terraform", string, Evaluation] | undefined {
    switch (subject.kind) {
      case "variable": {
        const variable = this.#module.variables.get(subject.name);
        if (variable === undefined)
          return ["var", subject.name, failure("Undefined variable", `Undefined variable var.${subject.name}`, range)];
        if (variable.const === false) {
          const detail = `The variable "${variable.name}" cannot be used in a static context, because it is declared as "const = false".`;
          return ["var", subject.name, failure("Unable to use variable in static context", detail, range)];
        }
        return ["var", subject.name, this.#cached(`var.${subject.name}`, () => this.#variable(variable, stack))];
      }
      case "local": {
        const local = this.#module.locals.get(subject.name);
        const id = { module: this.path, name: `local.${subject.name}`, ...(local && { range: local.range }) };
        if (local === undefined) return ["local", subject.name, failure("Undefined local", `Undefined local ${id.name}`, range)];
        return ["local", subject.name, this.#cached(id.name, () => this.#local(local.expression, id, stack))];
      }
      case "path":
        return ["path", subject.name, this.#path(subject.name, range)];
      case "terraform":
        return ["terraform", subject.name, this.#terraform(subject.name, range)];
      default:
        return undefined;
    }
  }

  #cached(name: string, compute: () => Evaluation): Evaluation {
    const cached = this.#values.get(name);
    if (cached !== undefined) return { value: cached, diagnostics: [] };
    const evaluation = compute();
    if (evaluation.diagnostics.length === 0) this.#values.set(name, evaluation.value);
    return evaluation;
  }

  #local(expression: Expression, id: StaticSubject, stack: readonly StaticSubject[]): Evaluation {
    const text = formatSubject(id);
    if (stack.some((frame) => formatSubject(frame) === text)) {
      return failure("Circular reference", `${text} is self referential`, id.range);
    }
    const { value, diagnostics } = this.#evaluate(expression, [...stack, id]);
    return { value, diagnostics: withDependent(diagnostics, id, stack) };
  }

  #variable(variable: Variable, stack: readonly StaticSubject[]): Evaluation {
    const id: StaticSubject = { module: this.path, name: `var.${variable.name}`, range: variable.range };
    const given = this.#variables(variable);
    if (given.value === undefined || hasErrors(given.diagnostics)) {
      return { value: unknown(dynamic), diagnostics: withDependent(given.diagnostics, id, stack) };
    }
    const constraint = variable.constraint ?? dynamic;
    let { value } = given;
    if (variable.typeDefaults !== undefined && !isNull(value)) value = applyDefaults(variable.typeDefaults, value);
    try {
      value = convert(value, constraint);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      const detail = `The given value is not suitable for ${id.name} declared at ${formatRange(variable.range)}: ${error.message}.`;
      return failure("Invalid value for input variable", detail);
    }
    const diagnostics = [...given.diagnostics];
    if (isNull(value) && variable.nullable === false) {
      if (variable.default !== undefined) value = variable.default;
      else {
        const detail = `The given value is not suitable for ${id.name} defined at ${formatRange(variable.range)}: required variable may not be set to null.`;
        diagnostics.push({ severity: "error", summary: "Required variable not set", detail, subject: variable.range });
      }
    }
    if (variable.sensitive) value = mark(value, SENSITIVE);
    if (variable.ephemeral) value = mark(value, EPHEMERAL);
    return { value, diagnostics: withDependent(diagnostics, id, stack) };
  }

  #path(name: string, range: SourceRange): Evaluation {
    const { rootFolder, workingFolder } = this.environment;
    const paths: Readonly<Record<string, string>> = { cwd: workingFolder, module: this.#module.folder, root: rootFolder };
    const path = Object.hasOwn(paths, name) ? paths[name] : undefined;
    if (path !== undefined) return { value: of(string, path), diagnostics: [] };
    const advice = didYouMean(similarName(name, Object.keys(paths)));
    return failure('Invalid "path" attribute', `The "path" object does not have an attribute named "${name}".${advice}`, range);
  }

  #terraform(name: string, range: SourceRange): Evaluation {
    if (name === "workspace") return { value: of(string, this.environment.workspace), diagnostics: [] };
    if (name === "applying") {
      const detail =
        "The applying attribute can not be used during static evaluation and is only valid in the plan and apply phases of execution";
      return failure("Invalid attribute in static context", detail, range);
    }
    const detail =
      name === "env"
        ? 'The terraform.env attribute was deprecated in v0.10 and removed in v0.12. The "state environment" concept was renamed to "workspace" in v0.12, and so the workspace name can now be accessed using the terraform.workspace attribute.'
        : `The "terraform" object does not have an attribute named "${name}". The only supported attribute is terraform.workspace, the name of the currently-selected workspace.`;
    return failure('Invalid "terraform" attribute', detail, range);
  }
}

/** Empty objects for the names that every expression can refer to. */
const empty: Readonly<Record<string, Value>> = Object.fromEntries(
  ["resource", "data", "ephemeral", "module", "count", "each"].map((name) => [name, objectOf(new Map())]),
);

function failure(summary: string, detail: string, subject?: SourceRange): Evaluation {
  return { value: unknown(dynamic), diagnostics: [{ severity: "error", summary, detail, ...(subject && { subject }) }] };
}

/** Formats `module.a:var.b`. */
export function formatSubject({ module, name }: StaticSubject): string {
  return module.length === 0 ? name : `${formatModulePath(module)}:${name}`;
}

/** Adds to the errors of a value that the object evaluated from it is unavailable, too. */
function withDependent(diagnostics: readonly Diagnostic[], id: StaticSubject, stack: readonly StaticSubject[]): readonly Diagnostic[] {
  if (!hasErrors(diagnostics)) return diagnostics;
  const top = stack.at(-1)!;
  const detail = `${formatSubject(top)} depends on ${formatSubject(id)} which is not available`;
  return [
    ...diagnostics,
    { severity: "error", summary: "Unable to compute static value", detail, ...(top.range && { subject: top.range }) },
  ];
}

function referencesIn(expressions: readonly Expression[]): StaticReferences {
  return parseReferences(
    expressions.flatMap((expression) => variables(expression)),
    expressions.flatMap((expression) => calledFunctions(expression)),
  );
}

interface StaticReferences {
  readonly references: readonly Reference[];
  readonly diagnostics: readonly Diagnostic[];
}

function parseReferences(traversals: readonly Traversal[], functions: readonly CalledFunction[]): StaticReferences {
  const references: Reference[] = [];
  const diagnostics: Diagnostic[] = [];
  const parse = (traversal: Traversal): void => {
    const parsed = referenceOf(traversal);
    diagnostics.push(...parsed.diagnostics);
    if (parsed.address !== undefined) references.push(parsed.address);
  };
  for (const traversal of traversals) parse(traversal);
  for (const { name, range } of functions) if (name.startsWith("provider::")) parse([{ kind: "root", name, range }]);
  return { references, diagnostics };
}

/** The error of a reference that static expressions do not support; none for a supported reference. */
function notStatic({ subject, range }: Reference, top: StaticSubject): Diagnostic[] {
  if (["variable", "local", "path", "terraform"].includes(subject.kind)) return [];
  const summary =
    subject.kind === "moduleOutput"
      ? "Module output not supported in static context"
      : subject.kind === "providerFunction"
        ? "Provider function in static context"
        : "Dynamic value in static context";
  const detail = `Unable to use ${formatReferenceSubject(subject)} in static context, which is required by ${formatSubject(top)}`;
  return [{ severity: "error", summary, detail, subject: range }];
}
