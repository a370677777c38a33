// SPDX-License-Identifier: Apache-2.0
import type { Body, Expression, SourceRange } from "@tenon/hcl";
import { overrideBody, type Block, type BodySchema } from "@tenon/hcl/body";
import { isValidIdentifier } from "@tenon/hcl/scan";
import { attributesNamed, EscapedArguments, partialContentOf, reportReservedBlock } from "./block-content.ts";
import { readString } from "./literal.ts";
import { checkProviderName } from "./provider-reference.ts";
import { badIdentifierDetail, reportError, reportWarning, type Report } from "./report.ts";
import { readVersionRequirement, type VersionRequirement } from "./version-constraint.ts";

/** A `provider` block: the configuration of a provider in a module. */
export interface ProviderBlock {
  readonly localName: string;
  readonly nameRange: SourceRange;
  /** Absent for the default configuration. */
  readonly alias?: string;
  readonly aliasRange?: SourceRange;
  readonly version?: VersionRequirement;
  /** The arguments of the provider's schema. */
  readonly config: Body;
  readonly forEach?: Expression;
  /** Whether an override file changed it. */
  readonly isOverridden?: boolean;
  readonly range: SourceRange;
}

const schema: BodySchema = {
  attributes: attributesNamed("alias", "version", "for_each", "count", "depends_on", "source"),
  blocks: [{ type: "_" }, { type: "lifecycle" }, { type: "locals" }],
};

/** Reads a `provider` block. Returns undefined and reports an error if the name is invalid. @see OpenTofu configs, decodeProviderBlock */
export function readProviderBlock(block: Block, report: Report): ProviderBlock | undefined {
  const { content, remain } = partialContentOf(block.body, schema, report);
  const localName = block.labels[0]!;
  if (!checkProviderName(localName, block.declarationRange, report)) return undefined;
  const { attributes } = content;
  const aliasExpression = attributes.get("alias")?.expression;
  const alias = aliasExpression && (readString(aliasExpression, report) ?? "");
  if (alias !== undefined && !isValidIdentifier(alias)) {
    reportError(report, "Invalid provider configuration alias", `An alias must be a valid name. ${badIdentifierDetail}`);
  }
  const versionAttribute = attributes.get("version");
  if (versionAttribute !== undefined) {
    reportWarning(
      report,
      "Version constraints inside provider configuration blocks are deprecated",
      "OpenTofu 0.13 and earlier allowed provider version constraints inside the provider configuration block, but that is now deprecated and will be removed in a future version of OpenTofu. To silence this warning, move the provider version constraint into the required_providers block.",
      versionAttribute.expression.range,
    );
  }
  const version = versionAttribute && readVersionRequirement(versionAttribute, report);
  const forEach = attributes.get("for_each")?.expression;
  if (!alias && forEach !== undefined) {
    const detail = "The for_each argument is allowed only for provider configurations with an alias.";
    reportError(report, 'Alias required when using "for_each"', detail, forEach.range);
  }
  for (const name of ["count", "depends_on", "source"]) {
    const attribute = attributes.get(name);
    if (attribute === undefined) continue;
    const detail = `The provider argument name "${name}" is reserved for use by OpenTofu in a future version.`;
    reportError(report, "Reserved argument name in provider block", detail, attribute.nameRange);
  }
  let config = remain;
  const escaped = new EscapedArguments("provider-specific", "provider");
  for (const nested of content.blocks) {
    if (nested.type === "_") config = escaped.add(config, nested, report);
    else reportReservedBlock(nested, "provider", report);
  }
  return {
    localName,
    nameRange: block.labelRanges[0]!,
    ...(alias && { alias }),
    ...(aliasExpression && { aliasRange: aliasExpression.range }),
    ...(version && { version }),
    config,
    ...(forEach && { forEach }),
    range: block.declarationRange,
  };
}

/** Returns the configuration with the changes of an override file. @see OpenTofu configs, Provider.merge */
export function overrideProvider(base: ProviderBlock, override: ProviderBlock): ProviderBlock {
  return {
    ...base,
    ...(override.version && { version: override.version }),
    config: overrideBody(base.config, override.config),
    isOverridden: true,
  };
}
