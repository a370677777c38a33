// SPDX-License-Identifier: Apache-2.0
import { formatRange, type Expression, type SourceRange } from "@tenon/hcl";
import { absoluteTraversal, expressionMap } from "@tenon/hcl/analysis";
import type { Attribute } from "@tenon/hcl/body";
import { rangeBetween, traversalRange } from "@tenon/hcl/syntax";
import { formatLocalProviderConfigCompact, type LocalProviderConfig } from "../address/provider-config.ts";
import { normalizeProviderPart } from "../address/provider.ts";
import { nativeExpression, withoutQuotes } from "./quoted-reference.ts";
import { hasErrorsSince, reportAll, reportError, type Report } from "./report.ts";

/** A reference to a provider configuration of the module: `aws`, `aws.west`, `aws.by_region[each.key]`. */
export interface ProviderReference {
  readonly localName: string;
  readonly nameRange: SourceRange;
  readonly alias?: string;
  readonly aliasRange?: SourceRange;
  /** The key of the instance; absent for a configuration without `for_each`. */
  readonly key?: Expression;
}

/** The provider configuration of a reference, without the key. */
export function localProviderConfig({ localName, alias }: ProviderReference): LocalProviderConfig {
  return alias === undefined ? { localName } : { localName, alias };
}

const invalid = "Invalid provider configuration reference";

/** Reads a reference to a provider configuration. Returns undefined and reports errors if it is invalid. @see OpenTofu configs, decodeProviderConfigRef */
export function readProviderReference(given: Expression, argument: string, report: Report): ProviderReference | undefined {
  let expression: Expression = given;
  if (expression.kind === "json") {
    const native = nativeExpression(expression, report);
    if (native === undefined) return undefined;
    expression = native;
  }
  let key: Expression | undefined;
  let longest = 3;
  if (expression.kind === "index") {
    longest = 2;
    key = expression.key;
    expression = expression.collection;
  }
  const start = report.length;
  expression = withoutQuotes(expression, "reference", report);
  const { traversal } = absoluteTraversal(expression);
  if (traversal === undefined || traversal.length === 0 || traversal.length > longest) {
    const detail =
      expression.kind === "template"
        ? "A provider configuration reference must not be given in quotes."
        : `The ${argument} argument requires a provider type name, optionally followed by a period and then a configuration alias and optional instance key.`;
    reportError(report, invalid, detail, expression.range);
    return undefined;
  }
  const [root, alias, index] = traversal;
  if (root?.kind !== "root") return undefined;
  checkProviderName(root.name, root.range, report);
  if (hasErrorsSince(report, start)) return undefined;
  const reference: ProviderReference = { localName: root.name, nameRange: root.range, ...(key && { key }) };
  if (alias === undefined) {
    if (key !== undefined) reportKeyWithoutAlias(traversalRange(traversal)!, report);
    return reference;
  }
  const needsAlias = "Provider name must either stand alone or be followed by a period and then a configuration alias.";
  if (alias.kind !== "attribute") {
    reportError(report, invalid, needsAlias, alias.range);
    return reference;
  }
  const aliased: ProviderReference = { ...reference, alias: alias.name, aliasRange: alias.range };
  if (index === undefined) return aliased;
  if (index.kind !== "index") {
    reportError(report, invalid, needsAlias, index.range);
    return aliased;
  }
  return { ...aliased, key: { kind: "literal", value: index.key, range: traversalRange(traversal)! } };
}

function reportKeyWithoutAlias(range: SourceRange, report: Report): void {
  const detail = "Provider assignment requires an alias when specifying an instance key, in the form of provider.name[instance_key]";
  reportError(report, invalid, detail, range);
}

/** Adds an error unless the name is the normalised local name of a provider. Returns whether it is. @see OpenTofu configs, checkProviderNameNormalized */
export function checkProviderName(name: string, range: SourceRange, report: Report): boolean {
  const normal = normalizeProviderPart(name);
  if ("reason" in normal) {
    reportError(report, "Invalid provider local name", `${name} is an invalid provider local name: ${normal.reason}`, range);
    return false;
  }
  if (normal.part === name) return true;
  const detail = `Provider names must be normalized. Replace "${name}" with "${normal.part}" to fix this error.`;
  reportError(report, "Invalid provider local name", detail, range);
  return false;
}

/** A provider configuration that a module call passes to the called module. */
export interface PassedProvider {
  readonly inChild: ProviderReference;
  readonly inParent: ProviderReference;
}

/** Reads the `providers` argument of a module call. @see OpenTofu configs, decodePassedProviderConfigs */
export function readPassedProviders(attribute: Attribute, report: Report): readonly PassedProvider[] {
  const { map, diagnostics } = expressionMap(attribute.expression);
  reportAll(report, diagnostics);
  const seen = new Map<string, SourceRange>();
  const passed: PassedProvider[] = [];
  for (const { key, value } of map ?? []) {
    const start = report.length;
    const inChild = readProviderReference(key, "providers", report);
    const inParent = readProviderReference(value, "providers", report);
    if (inChild === undefined || inParent === undefined || hasErrorsSince(report, start)) continue;
    const name = formatLocalProviderConfigCompact(inChild);
    const earlier = seen.get(name);
    if (earlier !== undefined) {
      const detail = `A provider configuration was already passed to ${name} at ${formatRange(earlier)}. Each child provider configuration can be assigned only once.`;
      reportError(report, "Duplicate provider address", detail, value.range);
      continue;
    }
    seen.set(name, rangeBetween(key.range, value.range));
    passed.push({ inChild, inParent });
  }
  return passed;
}
