// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { hasErrors, parseExpression, type Diagnostic } from "@tenon/hcl";
import type { Configuration } from "../configuration/configuration.ts";
import type { Report } from "../configuration/report.ts";
import { variablesWithPlaceholders } from "../configuration/variable-values.ts";
import { formatConsoleType, formatConsoleValue } from "../documents/console-text.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import { DependencyGraph } from "../evaluation/dependency-graph.ts";
import { createFunctionTable } from "../functions/table.ts";
import { containsTypeResult, typeFunction, typeOfResult } from "../functions/type-function.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { ProviderSchemas } from "../provider/provider-schemas.ts";
import type { PlanInput } from "../plan/plan-input.ts";
import type { State } from "../state/state.ts";
import { ConsoleWalk } from "./console-walk.ts";

/** The filename in the ranges of diagnostics about an expression. */
export const consoleSource = "<console-input>";

/** The result of an expression in a console. */
export interface ConsoleResult {
  /** The value, with marks of sensitive and ephemeral parts. Absent after errors, and for a call of `type`. */
  readonly value?: Value;
  /** The output of `tofu console`, in which sensitive and ephemeral values are hidden. Absent after errors. */
  readonly text?: string;
  readonly diagnostics: readonly AddressedDiagnostic[];
}

/** The configuration, the state and the environment of a console. */
export type ConsoleInput = Pick<PlanInput, "configuration" | "pool" | "workspace" | "workingFolder" | "environment" | "variables"> & {
  readonly state: State;
};

/** Evaluates expressions that refer to a configuration and a state, as `tofu console` does. */
export class ConsoleScope {
  /** Diagnostics about the configuration, independent of any expression. */
  readonly diagnostics: readonly AddressedDiagnostic[];
  readonly #walk: ConsoleWalk | undefined;
  readonly #report: Report;

  private constructor(diagnostics: readonly AddressedDiagnostic[], walk: ConsoleWalk | undefined, report: Report) {
    this.diagnostics = diagnostics;
    this.#walk = walk;
    this.#report = report;
  }

  /** Opens a scope. Evaluates all variables, local values and outputs, to find their errors. */
  static async open(input: ConsoleInput): Promise<ConsoleScope> {
    const { configuration, state, pool, environment, workspace, workingFolder } = input;
    const report: Report = [];
    const schemas = await ProviderSchemas.load(pool, configuration, state);
    report.push(...schemas.diagnostics, ...cycles(configuration, schemas));
    if (hasErrors(report)) return new ConsoleScope(report, undefined, report);
    const { values: variables, diagnostics } = variablesWithPlaceholders(input.variables, configuration.module.variables);
    report.push(...diagnostics);
    if (hasErrors(report)) return new ConsoleScope(report, undefined, report);
    const functions = new Map([
      ...createFunctionTable(environment),
      ["type", typeFunction] as const,
      ["core::type", typeFunction] as const,
    ]);
    const walk = new ConsoleWalk({ configuration, functions, variables, workspace, workingFolder, pool, report }, state, schemas);
    await walk.evaluateNamedValues();
    return new ConsoleScope(report.splice(0), walk, report);
  }

  /**
   * Evaluates an expression in the root module. Errors in parts of the configuration that it does not refer to have no effect.
   *
   * @see OpenTofu internal/repl/session.go
   */
  async evaluate(source: string): Promise<ConsoleResult> {
    if (this.#walk === undefined) return { diagnostics: this.diagnostics };
    const { expression, diagnostics } = parseExpression(source, consoleSource);
    if (hasErrors(diagnostics)) return { diagnostics };
    const { value, diagnostics: found } = await this.#evaluate(this.#walk, expression);
    // Some parts of the configuration are evaluated for the first time by this expression, and have reported their errors now.
    const all = [...diagnostics, ...this.#report.splice(0), ...found];
    if (hasErrors(all)) return { diagnostics: all };
    if (!containsTypeResult(value!)) return { value: value!, text: formatConsoleValue(value!), diagnostics: all };
    const type = typeOfResult(value!);
    return type === undefined ? { diagnostics: [...all, misplacedType] } : { text: formatConsoleType(type), diagnostics: all };
  }

  async #evaluate(
    walk: ConsoleWalk,
    expression: Parameters<ConsoleWalk["root"]["evaluate"]>[0],
  ): Promise<{ readonly value?: Value; readonly diagnostics: readonly Diagnostic[] }> {
    try {
      return await walk.root.evaluate(expression);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      return { diagnostics: this.#report.length > 0 ? [] : this.diagnostics.filter(({ severity }) => severity === "error") };
    }
  }
}

const misplacedType: Diagnostic = {
  severity: "error",
  summary: "Invalid use of type function",
  detail: 'The console-only "type" function cannot be used as part of an expression.',
};

function cycles(configuration: Configuration, schemas: ProviderSchemas): readonly Diagnostic[] {
  const graph = new DependencyGraph(configuration, {
    resource: ({ provider, address }) => provider && schemas.resource(provider, address)?.block,
    provider: ({ provider }) => schemas.configuration(provider),
  });
  return graph.cycleErrors();
}
