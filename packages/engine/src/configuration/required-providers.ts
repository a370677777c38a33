// SPDX-License-Identifier: Apache-2.0
import { goString, isMarked, isNull, isPrimitiveType, string, type Value } from "@tenon/cty";
import { hasErrors, type Expression, type SourceRange } from "@tenon/hcl";
import { absoluteTraversal, expressionList, expressionMap, type KeyValuePair } from "@tenon/hcl/analysis";
import type { Attribute, Block } from "@tenon/hcl/body";
import { evaluate } from "@tenon/hcl/evaluate";
import type { LocalProviderConfig } from "../address/provider-config.ts";
import { impliedProvider, normalizeProviderPart, parseProvider, type ProviderAddress } from "../address/provider.ts";
import { checkProviderName } from "./provider-reference.ts";
import { hasErrorsSince, reportAll, reportError, type Report } from "./report.ts";
import { parseVersionRequirement, readVersionRequirement, type VersionRequirement } from "./version-constraint.ts";

/** An entry of `required_providers`. */
export interface RequiredProvider {
  readonly localName: string;
  readonly provider: ProviderAddress;
  readonly version?: VersionRequirement;
  /** Provider configurations that the caller of the module must pass. */
  readonly aliases: readonly LocalProviderConfig[];
  readonly range: SourceRange;
}

/** A `required_providers` block. */
export interface RequiredProviders {
  /** By local name. */
  readonly entries: ReadonlyMap<string, RequiredProvider>;
  readonly range?: SourceRange;
}

/** Reads a `required_providers` block. @see OpenTofu configs, decodeRequiredProvidersBlock */
export function readRequiredProviders(block: Block, report: Report): RequiredProviders {
  const { attributes, diagnostics } = block.body.justAttributes();
  const range = block.declarationRange;
  if (reportAll(report, diagnostics)) return { entries: new Map(), range };
  const entries = new Map<string, RequiredProvider>();
  for (const attribute of attributes.values()) {
    const entry = isVersionOnly(attribute.expression) ? readVersionEntry(attribute, report) : readEntry(attribute, report);
    if (entry !== undefined) entries.set(entry.localName, entry);
  }
  return { entries, range };
}

/** Whether an entry is only a version, the form of Terraform 0.12. */
function isVersionOnly(expression: Expression): boolean {
  const { value, diagnostics } = evaluate(expression);
  return diagnostics.length === 0 && isPrimitiveType(value.type);
}

function readVersionEntry(attribute: Attribute, report: Report): RequiredProvider | undefined {
  const { name, expression } = attribute;
  const version = readVersionRequirement(attribute, report);
  const provider = providerNamed(name, expression.range, report);
  return provider && { localName: name, provider, ...(version && { version }), aliases: [], range: expression.range };
}

function providerNamed(name: string, range: SourceRange, report: Report): ProviderAddress | undefined {
  const normal = normalizeProviderPart(name);
  if ("part" in normal) return impliedProvider(normal.part);
  reportError(report, "Invalid provider name", normal.reason, range);
  return undefined;
}

function readEntry(attribute: Attribute, report: Report): RequiredProvider | undefined {
  const { name, expression } = attribute;
  if (!checkProviderName(name, expression.range, report)) return undefined;
  const { map, diagnostics } = expressionMap(expression);
  if (map === undefined || hasErrors(diagnostics)) {
    const detail = "required_providers entries must be strings or objects.";
    reportError(report, "Invalid required_providers object", detail, expression.range);
    return undefined;
  }
  const start = report.length;
  let version: VersionRequirement | undefined;
  let provider: ProviderAddress | undefined;
  const aliases: LocalProviderConfig[] = [];
  for (const { key, value } of map) {
    const property = propertyName(key, report);
    if (property === undefined) continue;
    if (property === "version") version = readVersion(value, attribute.range, report) ?? version;
    else if (property === "source") provider = readSource(value, report) ?? provider;
    else if (property === "configuration_aliases") aliases.push(...readAliases(name, value, report));
    else {
      const detail =
        'required_providers objects can only contain "version", "source" and "configuration_aliases" attributes. To configure a provider, use a "provider" block.';
      reportError(report, "Invalid required_providers object", detail, key.range);
      break;
    }
  }
  if (hasErrorsSince(report, start)) return undefined;
  provider ??= providerNamed(name, expression.range, report);
  return provider && { localName: name, provider, ...(version && { version }), aliases, range: expression.range };
}

function propertyName(key: KeyValuePair["key"], report: Report): string | undefined {
  const { value, diagnostics } = evaluate(key);
  if (hasErrors(diagnostics)) {
    reportAll(report, diagnostics);
    return undefined;
  }
  if (typeof value.payload === "string") return value.payload;
  reportError(report, "Invalid Attribute", `Invalid attribute value for provider requirement: ${goString(value)}`, key.range);
  return undefined;
}

/** The text of a string literal; undefined for any other expression. */
function literalText(expression: Expression): string | undefined {
  const { value, diagnostics }: { value: Value; diagnostics: readonly { severity: string }[] } = evaluate(expression);
  if (diagnostics.length > 0 || value.type !== string || isNull(value) || isMarked(value)) return undefined;
  return typeof value.payload === "string" ? value.payload : undefined;
}

function readVersion(expression: Expression, range: SourceRange, report: Report): VersionRequirement | undefined {
  const text = literalText(expression);
  const comparisons = text === undefined ? undefined : parseVersionRequirement(text);
  if (comparisons !== undefined) return { comparisons, range };
  const detail =
    text === undefined ? "Version must be specified as a string." : "This string does not use correct version constraint syntax.";
  reportError(report, "Invalid version constraint", detail, expression.range);
  return undefined;
}

function readSource(expression: Expression, report: Report): ProviderAddress | undefined {
  const text = literalText(expression);
  if (text === undefined) {
    reportError(report, "Invalid source", "Source must be specified as a string.", expression.range);
    return undefined;
  }
  const { provider, diagnostics } = parseProvider(text);
  for (const diagnostic of diagnostics) report.push({ subject: expression.range, ...diagnostic });
  return provider;
}

function readAliases(localName: string, expression: Expression, report: Report): readonly LocalProviderConfig[] {
  const { list, diagnostics } = expressionList(expression);
  if (list === undefined) {
    reportAll(report, diagnostics);
    return [];
  }
  return list.flatMap((element) => {
    const { traversal, diagnostics: problems } = absoluteTraversal(element);
    if (traversal === undefined) {
      reportAll(report, problems);
      return [];
    }
    const [root, alias] = traversal;
    const name = root?.kind === "root" ? root.name : "";
    const invalid = (detail: string): readonly LocalProviderConfig[] => {
      reportError(report, "Invalid configuration_aliases value", detail, expression.range);
      return [];
    };
    if (alias !== undefined && alias.kind !== "attribute") {
      return invalid(
        "Configuration aliases can only contain references to local provider configuration names in the format of provider.alias",
      );
    }
    if (name !== localName) {
      return invalid(`Configuration aliases must be prefixed with the provider name. Expected "${localName}", but found "${name}".`);
    }
    return [alias === undefined ? { localName: name } : { localName: name, alias: alias.name }];
  });
}
