// SPDX-License-Identifier: Apache-2.0
import type { Expression, SourceRange } from "@tenon/hcl";
import type { Block, BodySchema } from "@tenon/hcl/body";
import { isValidIdentifier } from "@tenon/hcl/scan";
import { formatConfigResource, type ResourceMode } from "../address/resource.ts";
import { attributesNamed, contentOf } from "../configuration/block-content.ts";
import { readString } from "../configuration/literal.ts";
import { checkProviderName } from "../configuration/provider-reference.ts";
import { badIdentifierDetail, hasErrorsSince, reportError, type Report } from "../configuration/report.ts";
import { isResourceOverride, readObject, readResourceOverride, type ResourceOverride, type SubstitutedValues } from "./override-block.ts";

/** A `mock_resource` or `mock_data` block: values for all resources of a type. */
export interface MockResource {
  readonly mode: ResourceMode;
  readonly type: string;
  readonly defaults: SubstitutedValues;
}

/** A `mock_provider` block: a provider configuration whose provider is called only for schemas, validation, upgrades and functions. */
export interface MockProvider {
  readonly localName: string;
  readonly nameRange: SourceRange;
  readonly alias?: string;
  readonly aliasRange?: SourceRange;
  readonly forEach?: Expression;
  readonly resources: readonly MockResource[];
  readonly overrides: readonly ResourceOverride[];
  readonly range: SourceRange;
}

const schema: BodySchema = {
  attributes: attributesNamed("alias", "for_each"),
  blocks: [
    { type: "mock_resource", labelNames: ["type"] },
    { type: "mock_data", labelNames: ["type"] },
    { type: "override_resource" },
    { type: "override_data" },
  ],
};

/** Reads a `mock_provider` block. Returns undefined after errors. @see OpenTofu configs, decodeMockProviderBlock */
export function readMockProvider(block: Block, report: Report): MockProvider | undefined {
  const start = report.length;
  const { attributes, blocks } = contentOf(block.body, schema, report);
  const localName = block.labels[0]!;
  if (!checkProviderName(localName, block.declarationRange, report)) return undefined;
  const aliasExpression = attributes.get("alias")?.expression;
  const alias = aliasExpression && (readString(aliasExpression, report) ?? "");
  if (alias !== undefined && !isValidIdentifier(alias)) {
    const detail = `An alias must be a valid name. ${badIdentifierDetail}`;
    reportError(report, "Invalid mock provider configuration alias", detail, aliasExpression!.range);
  }
  const forEach = attributes.get("for_each")?.expression;
  if (!alias && forEach !== undefined) {
    const detail = "The for_each argument is allowed only for provider configurations with an alias.";
    reportError(report, 'Alias required when using "for_each"', detail, forEach.range);
  }
  const resources: MockResource[] = [];
  const overrides: ResourceOverride[] = [];
  for (const nested of blocks) {
    if (isResourceOverride(nested)) {
      const override = readResourceOverride(nested, report);
      if (override !== undefined) overrides.push(override);
    } else {
      const mock = readMockResource(nested, report);
      if (mock !== undefined) resources.push(mock);
    }
  }
  reportDuplicates(resources, overrides, block.declarationRange, report);
  if (hasErrorsSince(report, start)) return undefined;
  return {
    localName,
    nameRange: block.labelRanges[0]!,
    ...(alias && { alias }),
    ...(aliasExpression && { aliasRange: aliasExpression.range }),
    ...(forEach && { forEach }),
    resources,
    overrides,
    range: block.declarationRange,
  };
}

function readMockResource(block: Block, report: Report): MockResource | undefined {
  const start = report.length;
  const { attributes } = contentOf(block.body, { attributes: [{ name: "defaults" }] }, report);
  const defaults = readObject(attributes.get("defaults"), report);
  if (hasErrorsSince(report, start)) return undefined;
  return { mode: block.type === "mock_data" ? "data" : "managed", type: block.labels[0]!, defaults };
}

function reportDuplicates(
  resources: readonly MockResource[],
  overrides: readonly ResourceOverride[],
  range: SourceRange,
  report: Report,
): void {
  const mocks = new Set<string>();
  for (const { mode, type } of resources) {
    const blockType = mode === "data" ? "mock_data" : "mock_resource";
    const mock = `${blockType}.${type}`;
    if (mocks.has(mock)) {
      reportError(report, `Duplicated \`${blockType}\` block`, `\`${mock}\` is already defined in \`mock_provider\` block.`, range);
    }
    mocks.add(mock);
  }
  const targets = new Set<string>();
  for (const { blockType, target } of overrides) {
    const address = formatConfigResource(target);
    if (targets.has(address)) {
      const detail = `\`${blockType}\` with target \`${address}\` is already defined in \`mock_provider\` block.`;
      reportError(report, `Duplicated \`${blockType}\` block`, detail, range);
    }
    targets.add(address);
  }
}
