// SPDX-License-Identifier: Apache-2.0
import { isKnown, isNull, type Value } from "@tenon/cty";
import { elements } from "@tenon/cty/operators";
import { hasErrors, type SourceRange, type Traversal } from "@tenon/hcl";
import { absoluteTraversal } from "@tenon/hcl/analysis";
import type { Attribute, Block, BodySchema } from "@tenon/hcl/body";
import { evaluate } from "@tenon/hcl/evaluate";
import { traversalRange } from "@tenon/hcl/syntax";
import type { ParsedAddress } from "../address/address-diagnostic.ts";
import { modulePathPrefixOf } from "../address/module-prefix.ts";
import { formatModulePath, type ModulePath } from "../address/module.ts";
import { formatConfigResource, type ConfigResource } from "../address/resource.ts";
import { configResourceOfTraversal } from "../address/target.ts";
import { contentOf } from "../configuration/block-content.ts";
import { textOf } from "../configuration/literal.ts";
import { hasErrorsSince, reportAll, reportError, type Report } from "../configuration/report.ts";

/** Values by name that take the place of computed ones. */
export type SubstitutedValues = ReadonlyMap<string, Value>;

/** An `override_resource` or `override_data` block: values for a resource, whose provider is then not called. */
export interface ResourceOverride {
  readonly blockType: "override_resource" | "override_data";
  readonly target: ConfigResource;
  readonly targetRange: SourceRange;
  readonly values: SubstitutedValues;
}

/** An `override_module` block: outputs for a module, which is then not evaluated. */
export interface ModuleOverride {
  readonly target: ModulePath;
  readonly targetRange: SourceRange;
  readonly outputs: SubstitutedValues;
}

const resourceSchema: BodySchema = { attributes: [{ name: "target", required: true }, { name: "values" }] };
const moduleSchema: BodySchema = { attributes: [{ name: "target", required: true }, { name: "outputs" }] };

/** Whether a block overrides a resource. */
export function isResourceOverride(block: Block): boolean {
  return block.type === "override_resource" || block.type === "override_data";
}

/** Reads a block that overrides a resource. Returns undefined after errors. @see OpenTofu configs, decodeOverrideResourceBlock */
export function readResourceOverride(block: Block, report: Report): ResourceOverride | undefined {
  const start = report.length;
  const { attributes } = contentOf(block.body, resourceSchema, report);
  const parsed = readTarget(attributes.get("target"), configResourceOfTraversal, report);
  const values = readObject(attributes.get("values"), report);
  if (hasErrorsSince(report, start) || parsed === undefined) return undefined;
  return { blockType: block.type as ResourceOverride["blockType"], ...parsed, values };
}

/** Reads a block that overrides a module. Returns undefined after errors. @see OpenTofu configs, decodeOverrideModuleBlock */
export function readModuleOverride(block: Block, report: Report): ModuleOverride | undefined {
  const start = report.length;
  const { attributes } = contentOf(block.body, moduleSchema, report);
  const parsed = readTarget(attributes.get("target"), modulePathOfTraversal, report);
  const outputs = readObject(attributes.get("outputs"), report);
  return hasErrorsSince(report, start) || parsed === undefined ? undefined : { ...parsed, outputs };
}

function readTarget<T>(
  attribute: Attribute | undefined,
  parse: (traversal: Traversal) => ParsedAddress<T>,
  report: Report,
): { readonly target: T; readonly targetRange: SourceRange } | undefined {
  if (attribute === undefined) return undefined;
  const { traversal, diagnostics } = absoluteTraversal(attribute.expression);
  if (reportAll(report, diagnostics) || traversal === undefined) return undefined;
  const parsed = parse(traversal);
  reportAll(report, parsed.diagnostics);
  return parsed.address === undefined ? undefined : { target: parsed.address, targetRange: traversalRange(traversal)! };
}

/** @see OpenTofu addrs.ParseModule */
function modulePathOfTraversal(traversal: Traversal): ParsedAddress<ModulePath> {
  const { module, remain, diagnostics } = modulePathPrefixOf(traversal);
  if (hasErrors(diagnostics)) return { diagnostics };
  const [first] = remain;
  if (first === undefined) return { address: module, diagnostics: [] };
  const detail = "It's not allowed to reference anything other than module here.";
  return { diagnostics: [{ severity: "error", summary: "Module address expected", detail, subject: first.range }] };
}

/** Reads an object without references. Returns an empty map for an absent attribute, and after errors. @see OpenTofu configs, parseObjectAttrWithNoVariables */
export function readObject(attribute: Attribute | undefined, report: Report): SubstitutedValues {
  if (attribute === undefined) return new Map();
  const { value, diagnostics } = evaluate(attribute.expression);
  if (reportAll(report, diagnostics)) return new Map();
  if (value.type.kind === "object") return valuesOf(value);
  reportError(report, "Object expected", `The attribute \`${attribute.name}\` must be an object.`, attribute.range);
  return new Map();
}

/** The attributes of an object by name; empty for a null or unknown object. */
export function valuesOf(value: Value): SubstitutedValues {
  if (isNull(value) || !isKnown(value)) return new Map();
  return new Map(elements(value).map(([name, element]) => [textOf(name), element]));
}

/** Reports resources that have more than one override. @see OpenTofu configs, checkForDuplicatedOverrideResources */
export function reportDuplicateResources(overrides: readonly ResourceOverride[], report: Report): void {
  const targets = new Set<string>();
  for (const { blockType, target, targetRange } of overrides) {
    const address = formatConfigResource(target);
    if (targets.has(address)) {
      const detail = `It is not allowed to have multiple \`${blockType}\` blocks with the same target: \`${address}\`.`;
      reportError(report, `Duplicated \`${blockType}\` block`, detail, targetRange);
    }
    targets.add(address);
  }
}

/** Reports modules that have more than one override. @see OpenTofu configs, checkForDuplicatedOverrideModules */
export function reportDuplicateModules(overrides: readonly ModuleOverride[], report: Report): void {
  const targets = new Set<string>();
  for (const { target, targetRange } of overrides) {
    const address = formatModulePath(target);
    if (targets.has(address)) {
      const detail = `It is not allowed to have multiple \`override_module\` blocks with the same target: \`${address}\`.`;
      reportError(report, "Duplicated `override_module` block", detail, targetRange);
    }
    targets.add(address);
  }
}
