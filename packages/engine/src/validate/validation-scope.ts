// SPDX-License-Identifier: Apache-2.0
import { dynamic, list, map, mark, number, object, string, unknown, type Value } from "@tenon/cty";
import type { Diagnostic, Expression } from "@tenon/hcl";
import { evaluate, type Evaluation } from "@tenon/hcl/evaluate";
import type { Configuration } from "../configuration/configuration.ts";
import { ModuleScope } from "../evaluation/module-scope.ts";
import { referencesOf } from "../evaluation/references.ts";
import type { RunContext } from "../evaluation/run-context.ts";
import type { ScopeData } from "../evaluation/scope-data.ts";
import type { Repetition } from "../configuration/block-content.ts";
import { EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";
import { withProviderCalls, type PendingCalls } from "../provider/provider-function.ts";

/** A module during a validation. It represents all its instances. Variables and module calls have unknown values. */
export class ValidationScope extends ModuleScope {
  readonly #locals = new Map<string, Promise<Evaluation>>();

  constructor(context: RunContext<ModuleScope>, configuration: Configuration) {
    super(
      context,
      configuration,
      configuration.path.map((name) => ({ name })),
    );
  }

  override async variable(name: string): Promise<Value> {
    const { type = dynamic, sensitive, ephemeral } = this.configuration.module.variables.get(name)!;
    let value: Value = unknown(type);
    if (sensitive) value = mark(value, SENSITIVE);
    return ephemeral ? mark(value, EPHEMERAL) : value;
  }

  override async local(name: string): Promise<Value> {
    return (await this.evaluatedLocal(name)).value;
  }

  /** A local value with its diagnostics. */
  evaluatedLocal(name: string): Promise<Evaluation> {
    let evaluation = this.#locals.get(name);
    if (evaluation === undefined) this.#locals.set(name, (evaluation = this.localEvaluation(name)));
    return evaluation;
  }

  /**
   * What is wrong with an expression of a condition: its references, and what else its evaluation finds. Deprecations of its value are not
   * reported, as the conditions of resources have them only in plans.
   *
   * @see OpenTofu node_resource_validate.go, evaluateExpr
   */
  async diagnosticsOfRule(expression: Expression, data: ScopeData): Promise<readonly Diagnostic[]> {
    const pending: PendingCalls = [];
    const { scope, diagnostics } = await this.scopeFor(referencesOf(expression), data, pending);
    const evaluation = await withProviderCalls(pending, () => evaluate(expression, scope));
    return [...diagnostics, ...evaluation.diagnostics];
  }

  override async callValue(name: string): Promise<Value> {
    const { count, forEach } = this.configuration.module.calls.get(name)!;
    const outputs = this.configuration.children.get(name)?.module.outputs ?? new Map<string, never>();
    const type = object(Object.fromEntries([...outputs.keys()].map((output) => [output, dynamic])));
    if (count !== undefined) return unknown(list(type));
    return unknown(forEach === undefined ? type : map(type));
  }
}

/** The values of `count` and `each` in a block before its instances are known. */
export function unknownRepetition({ count, forEach }: Repetition): ScopeData {
  if (count !== undefined) return { countIndex: unknown(number) };
  return forEach === undefined ? {} : { eachKey: unknown(string), eachValue: unknown(dynamic) };
}
