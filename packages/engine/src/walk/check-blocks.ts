// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Diagnostic, type Scope } from "@tenon/hcl";
import { formatInModulePath } from "../address/module.ts";
import { resourceBlock } from "../configuration/module.ts";
import type { Report } from "../configuration/report.ts";
import { UpstreamError, unlessUpstreamError } from "../evaluation/cell.ts";
import { checkCondition, isComplete } from "../evaluation/condition.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import type { InstanceNode } from "./instance-node.ts";
import { scopesFrom } from "./module-lookup.ts";
import type { ResourceWalk } from "./resource-walk.ts";

interface CheckBlockOptions {
  readonly readsData?: boolean;
  readonly isSound?: (address: string) => boolean;
}

/**
 * Evaluates the assertions of all `check` blocks. Failures are warnings.
 *
 * @param options.isSound Whether a block, named by its address in the configuration, depends on nothing with errors. Others are left out.
 *   Default: all do.
 * @param options.readsData Whether data sources of `check` blocks are read; if not, the blocks that have one are left out. Default: true.
 * @see OpenTofu node_check.go
 */
export async function evaluateCheckBlocks(
  walk: ResourceWalk,
  { readsData = true, isSound = () => true }: CheckBlockOptions = {},
): Promise<void> {
  for await (const scope of scopesFrom(walk.root, walk.includes)) {
    if (scope.isUnknown) continue;
    const { module, path } = scope.configuration;
    for (const { name, assertions, data } of module.checks.values()) {
      const local = `check.${name}`;
      if (!walk.includes(path, local)) continue;
      walk.expectCheckable(scope, local);
      const source = data && resourceBlock(module, data.address);
      if ((source !== undefined && !readsData) || !isSound(formatInModulePath(path, local))) continue;
      if (source !== undefined) await unlessUpstreamError(walk.resourceValue(scope, source));
      // Without the data source, assertions are not evaluated.
      if (walk.checks.hasFailed(formatInModulePath(path, local), scope.addressOf(local))) continue;
      const rules = assertions.filter(isComplete);
      let scopes: readonly Scope[];
      try {
        scopes = await Promise.all(rules.map((rule) => scope.conditionScope(rule.condition, rule.errorMessage, { check: name })));
      } catch (error) {
        // What an assertion refers to has errors, so none of the block is evaluated: the results stay unknown.
        if (!(error instanceof UpstreamError)) throw error;
        continue;
      }
      for (const [index, rule] of rules.entries()) {
        const own: Report = [];
        const result = checkCondition("Check block assertion", rule, scopes[index]!, "warning", scope.addressOf(local), own);
        walk.checks.add(formatInModulePath(path, local), scope.addressOf(local), result);
        walk.report.push(...own);
      }
    }
  }
}

/** Adds the result of reading the data source of a `check` block. @see OpenTofu addrs.CheckDataResource */
export function addCheckRead(walk: ResourceWalk, { scope }: InstanceNode, check: string, diagnostics: readonly Diagnostic[]): void {
  const local = `check.${check}`;
  const result = hasErrors(diagnostics) ? { status: "fail" as const, failure: joinedText(diagnostics) } : { status: "pass" as const };
  walk.checks.add(formatInModulePath(scope.configuration.path, local), scope.addressOf(local), result);
}

/** The diagnostics of the data source of a `check` block: warnings, whatever their severity is. */
export function checkWarnings(
  { scope }: InstanceNode,
  check: string,
  diagnostics: readonly AddressedDiagnostic[],
): readonly AddressedDiagnostic[] {
  const address = scope.addressOf(`check.${check}`);
  return diagnostics.map((one) => {
    const extra = { kind: "condition", object: "check", address, dataSeverity: one.severity } as const;
    return { ...one, severity: "warning", extra };
  });
}

/** The text of several diagnostics. @see OpenTofu tfdiags, diagnosticsAsError */
function joinedText(diagnostics: readonly Diagnostic[]): string {
  const texts = diagnostics.map(({ summary, detail }) => (detail === "" ? summary : `${summary}: ${detail}`));
  return texts.length === 1 ? texts[0]! : `${texts.length} problems:\n${texts.map((text) => `\n- ${text}`).join("")}`;
}
