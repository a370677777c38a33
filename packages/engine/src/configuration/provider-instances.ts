// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { evaluate } from "@tenon/hcl/evaluate";
import { checkForEach, forEachValues } from "./for-each.ts";
import type { ProviderBlock } from "./provider-block.ts";
import { reportAll, type Report } from "./report.ts";
import type { StaticScope } from "./static-scope.ts";

/**
 * Evaluates the `for_each` of a provider configuration to its instances: `each.value` by `each.key`. Undefined if the configuration has no
 * `for_each`, or an invalid one.
 *
 * @see OpenTofu configs, Provider.decodeStaticFields; lang/evalchecks, EvaluateForEachExpression
 */
export function readProviderInstances(provider: ProviderBlock, scope: StaticScope, report: Report): ReadonlyMap<string, Value> | undefined {
  const { forEach, localName, alias } = provider;
  if (forEach === undefined) return undefined;
  const subject = { module: scope.path, name: `provider.${localName}.${alias ?? ""}.for_each`, range: forEach.range };
  const built = scope.scopeFor([forEach], subject);
  if (reportAll(report, built.diagnostics)) return undefined;
  const { value, diagnostics } = evaluate(forEach, built.scope);
  const hasError = reportAll(report, diagnostics);
  return checkForEach(value, forEach, built.scope, {}, report) && !hasError ? forEachValues(value) : undefined;
}
