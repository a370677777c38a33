// SPDX-License-Identifier: Apache-2.0
import { formatRange, type Expression, type SourceRange, type Traversal } from "@tenon/hcl";
import { keywordOf } from "@tenon/hcl/analysis";
import type { Attribute, Block, BodySchema } from "@tenon/hcl/body";
import { attributesNamed, checkName, contentOf, readReferences } from "../configuration/block-content.ts";
import { readCheckRule, type CheckRule } from "../configuration/check-rule.ts";
import { readBool, readString } from "../configuration/literal.ts";
import type { ModuleSource } from "../configuration/module-source.ts";
import { readPassedProviders, type PassedProvider } from "../configuration/provider-reference.ts";
import { hasErrorsSince, reportAll, reportError, type Report } from "../configuration/report.ts";
import { moduleSourceOf } from "../configuration/static-call.ts";
import { readVersionRequirement, type VersionRequirement } from "../configuration/version-constraint.ts";
import {
  isResourceOverride,
  readModuleOverride,
  readResourceOverride,
  type ModuleOverride,
  type ResourceOverride,
} from "./override-block.ts";

/** The module that a run block plans or applies in place of the one under test. */
export interface RunModule {
  /** Absent if the source is invalid, which is reported as an error. */
  readonly source?: ModuleSource;
  readonly version?: VersionRequirement;
  readonly range: SourceRange;
  /** Range of the `source` attribute. */
  readonly sourceRange?: SourceRange;
}

/** The `plan_options` block of a run block. */
export interface RunPlanOptions {
  readonly mode: "normal" | "refreshOnly";
  readonly refresh: boolean;
  readonly replace: readonly Traversal[];
  readonly target: readonly Traversal[];
}

/** Expressions of variables by name, and the range of their block. */
export interface VariablesBlock {
  readonly expressions: ReadonlyMap<string, Expression>;
  readonly range: SourceRange;
}

/** A `run` block: a plan, or a plan and an apply, and the assertions that must hold after it. */
export interface RunBlock {
  readonly name: string;
  readonly command: "plan" | "apply";
  readonly options: RunPlanOptions;
  readonly variables: ReadonlyMap<string, Expression>;
  readonly providers: readonly PassedProvider[];
  readonly assertions: readonly CheckRule[];
  readonly module?: RunModule;
  /** The objects whose conditions must fail. */
  readonly expectFailures: readonly Traversal[];
  readonly resourceOverrides: readonly ResourceOverride[];
  readonly moduleOverrides: readonly ModuleOverride[];
  readonly range: SourceRange;
}

const schema: BodySchema = {
  attributes: attributesNamed("command", "providers", "expect_failures"),
  blocks: [
    { type: "plan_options" },
    { type: "assert" },
    { type: "variables" },
    { type: "module" },
    { type: "override_resource" },
    { type: "override_data" },
    { type: "override_module" },
  ],
};

/** Reads a `run` block. Returns undefined after errors. @see OpenTofu configs, decodeTestRunBlock */
export function readRunBlock(block: Block, report: Report): RunBlock | undefined {
  const start = report.length;
  const { attributes, blocks } = contentOf(block.body, schema, report);
  checkName(block, 0, "Invalid run block name", report);
  const nested = readNestedBlocks(blocks, report);
  const command = readKeyword(attributes.get("command"), ["apply", "plan"], report, {
    summary: 'Invalid "command" keyword',
    detail: 'The "command" argument requires one of the following keywords without quotes: apply or plan.',
  });
  const providersAttribute = attributes.get("providers");
  const providers = providersAttribute === undefined ? [] : readPassedProviders(providersAttribute, report);
  const expectFailures = readReferences(attributes.get("expect_failures"), report);
  if (hasErrorsSince(report, start)) return undefined;
  return { name: block.labels[0]!, command: command ?? "apply", ...nested, providers, expectFailures, range: block.declarationRange };
}

type NestedBlocks = Pick<RunBlock, "options" | "variables" | "assertions" | "module" | "resourceOverrides" | "moduleOverrides">;

function readNestedBlocks(blocks: readonly Block[], report: Report): NestedBlocks {
  const assertions: CheckRule[] = [];
  const resourceOverrides: ResourceOverride[] = [];
  const moduleOverrides: ModuleOverride[] = [];
  let options: { readonly value: RunPlanOptions; readonly range: SourceRange } | undefined;
  let variables: VariablesBlock | undefined;
  let module: RunModule | undefined;
  for (const block of blocks) {
    if (block.type === "assert") assertions.push(readCheckRule(block, false, report));
    else if (block.type === "plan_options") {
      if (options !== undefined) reportSecond(block, "run block", options.range, report);
      else {
        const start = report.length;
        const value = readPlanOptions(block, report);
        if (!hasErrorsSince(report, start)) options = { value, range: block.declarationRange };
      }
    } else if (block.type === "variables") {
      variables = readVariables(block, "run block", variables, report);
    } else if (block.type === "module") {
      if (module !== undefined) reportSecond(block, "run block", module.range, report);
      module = readRunModule(block, report);
    } else if (isResourceOverride(block)) {
      const override = readResourceOverride(block, report);
      if (override !== undefined) resourceOverrides.push(override);
    } else {
      const override = readModuleOverride(block, report);
      if (override !== undefined) moduleOverrides.push(override);
    }
  }
  return {
    options: options?.value ?? { mode: "normal", refresh: true, replace: [], target: [] },
    variables: variables?.expressions ?? new Map(),
    assertions,
    ...(module && { module }),
    resourceOverrides,
    moduleOverrides,
  };
}

/** Reads a `variables` block. If there is an earlier one, reports an error and returns the earlier one. */
export function readVariables(
  block: Block,
  owner: "run block" | "test file",
  earlier: VariablesBlock | undefined,
  report: Report,
): VariablesBlock {
  if (earlier !== undefined) {
    reportSecond(block, owner, earlier.range, report);
    return earlier;
  }
  const { attributes, diagnostics } = block.body.justAttributes();
  reportAll(report, diagnostics);
  return {
    expressions: new Map([...attributes.values()].map(({ name, expression }) => [name, expression])),
    range: block.declarationRange,
  };
}

function reportSecond(block: Block, owner: string, first: SourceRange, report: Report): void {
  const detail = `This ${owner} already has a ${block.type} block defined at ${formatRange(first)}.`;
  reportError(report, `Multiple "${block.type}" blocks`, detail, block.declarationRange);
}

function readKeyword<Keyword extends string>(
  attribute: Attribute | undefined,
  keywords: readonly Keyword[],
  report: Report,
  { summary, detail }: { readonly summary: string; readonly detail: string },
): Keyword | undefined {
  if (attribute === undefined) return undefined;
  const given = keywordOf(attribute.expression);
  const keyword = keywords.find((candidate) => candidate === given);
  if (keyword === undefined) reportError(report, summary, detail, attribute.expression.range);
  return keyword;
}

/** @see OpenTofu configs, decodeTestRunOptionsBlock */
function readPlanOptions(block: Block, report: Report): RunPlanOptions {
  const { attributes } = contentOf(block.body, { attributes: attributesNamed("mode", "refresh", "replace", "target") }, report);
  const mode = readKeyword(attributes.get("mode"), ["normal", "refresh-only"], report, {
    summary: 'Invalid "mode" keyword',
    detail: 'The "mode" argument requires one of the following keywords without quotes: normal or refresh-only',
  });
  const refreshAttribute = attributes.get("refresh");
  const refresh = refreshAttribute === undefined ? true : (readBool(refreshAttribute.expression, report) ?? false);
  const replace = readReferences(attributes.get("replace"), report);
  const target = readReferences(attributes.get("target"), report);
  if (!refresh && mode === "refresh-only") {
    const detail = 'The "refresh" option cannot be set to false when running a test in "refresh-only" mode.';
    reportError(report, "Incompatible plan options", detail, refreshAttribute?.range);
  }
  return { mode: mode === "refresh-only" ? "refreshOnly" : "normal", refresh, replace, target };
}

/** @see OpenTofu configs, decodeTestRunModuleBlock */
function readRunModule(block: Block, report: Report): RunModule {
  const { attributes } = contentOf(block.body, { attributes: attributesNamed("source", "version") }, report);
  const range = block.declarationRange;
  const versionAttribute = attributes.get("version");
  const version = versionAttribute && readVersionRequirement(versionAttribute, report);
  const sourceAttribute = attributes.get("source");
  if (sourceAttribute === undefined) {
    const detail = "You must specify a source attribute when executing alternate modules during test executions.";
    reportError(report, 'Missing "source" attribute for module block', detail, range);
    return { range };
  }
  const text = readString(sourceAttribute.expression, report);
  const place = { hasVersion: versionAttribute !== undefined, range: sourceAttribute.range };
  const source = text === undefined ? undefined : moduleSourceOf(text, place, report);
  return { ...(source && { source }), ...(version && { version }), range, sourceRange: sourceAttribute.range };
}
