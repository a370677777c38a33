// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, get, isKnown, unmarkDeep, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { goQuote } from "@tenon/cty/unstable/payload";
import { hasErrors, type Expression } from "@tenon/hcl";
import { overrideBody } from "@tenon/hcl/body";
import { evaluate } from "@tenon/hcl/evaluate";
import { didYouMean, nearestName } from "@tenon/hcl/report";
import { rangeBetween } from "@tenon/hcl/syntax";
import { attributeAt, type Block, type Diagnostic as ProviderDiagnostic, ProviderError, type Provider } from "@tenon/schema";
import { builtInProvider, formatProviderForDisplay, isSameProvider, type ProviderAddress } from "../address/provider.ts";
import { formatConfigResource, formatResource, type ResourceMode } from "../address/resource.ts";
import { resourceBlock } from "../configuration/module.ts";
import type { Connection, Provisioner } from "../configuration/provisioner.ts";
import { reportAll, reportError, reportWarning, type Report } from "../configuration/report.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { conversionText, valuePathText } from "../configuration/value-path.ts";
import { referencesOf } from "../evaluation/references.ts";
import type { ScopeData } from "../evaluation/scope-data.ts";
import { validateTraversal } from "../evaluation/traversal-validation.ts";
import { pathOfTraversal } from "../plan/traversal-path.ts";
import { failedCall, locateDiagnostics, type AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import type { ProviderSchemas } from "../provider/provider-schemas.ts";
import { connectionSchema, provisionerTypes } from "./provisioner-schema.ts";
import { validateImport } from "./validate-import.ts";
import { countDiagnostics, forEachDiagnostics, validateDependsOn } from "./validate-references.ts";
import { unknownRepetition, type ValidationScope } from "./validation-scope.ts";

/** A resource that is validated. */
export interface ValidatedResource {
  readonly scope: ValidationScope;
  /** The root module, which has the `import` blocks. */
  readonly root: ValidationScope;
  readonly block: ResourceBlock;
  readonly address: string;
  /** The value of `self`. */
  readonly self: Value;
  readonly schemas: ProviderSchemas;
  readonly pool: ProviderPool;
}

/** Validates a `resource`, `data` or `ephemeral` block. @see OpenTofu node_resource_validate.go */
export async function validateResource(resource: ValidatedResource, report: Report): Promise<void> {
  const { scope, block, self, address } = resource;
  await validateArguments(resource, report);
  const data = unknownRepetition(block);
  for (const [rules, ruleData] of [
    [block.preconditions, data],
    [block.postconditions, { ...data, self, selfBlock: block }],
  ] as const) {
    for (const { condition, errorMessage } of rules) {
      for (const expression of [condition, errorMessage]) {
        if (expression !== undefined) report.push(...(await scope.diagnosticsOfRule(expression, ruleData)));
      }
    }
  }
  const preventDestroy = block.managed?.preventDestroy;
  if (preventDestroy !== undefined) validatePreventDestroy(preventDestroy, address, report);
  for (const provisioner of block.managed?.provisioners ?? []) {
    await validateProvisioner(resource, provisioner, report);
    if (hasErrors(report)) return;
  }
  for (const importBlock of resource.root.configuration.module.imports) {
    if (importBlock.resource !== undefined && formatConfigResource(importBlock.resource) === address)
      await validateImport(resource.root, importBlock, resource.pool, report);
  }
}

const words: Readonly<Record<ResourceMode, { readonly summary: string; readonly noun: string; readonly block: string }>> = {
  managed: { summary: "Invalid resource type", noun: "resource type", block: "resource" },
  data: { summary: "Invalid data source", noun: "data source", block: "data" },
  ephemeral: { summary: "Invalid ephemeral resource", noun: "ephemeral resource", block: "ephemeral" },
};

async function validateArguments({ scope, block, address, schemas, pool }: ValidatedResource, report: Report): Promise<void> {
  const { count, forEach, provider: source } = block;
  if (count !== undefined) {
    const { diagnostics, isKnown: isDetermined } = await countDiagnostics(scope, count);
    if (isDetermined && hasErrors(diagnostics)) report.push(...diagnostics);
  } else if (forEach !== undefined) {
    const { diagnostics, isKnown: isDetermined } = await forEachDiagnostics(scope, forEach);
    if (isDetermined) report.push(...diagnostics);
  }
  await validateDependsOn(scope, block.dependsOn, report);
  if (source === undefined) return;
  const { mode, type } = block.address;
  const schema = schemas.resource(source, block.address)?.block;
  if (schema === undefined) {
    const detail = `The provider ${formatProviderForDisplay(source)} does not support ${words[mode].noun} ${goQuote(type)}.${suggestion(schemas, source, mode, type)}`;
    reportError(report, words[mode].summary, detail, block.typeRange);
    return;
  }
  const { value, diagnostics } = await scope.decode(block.config, schema, unknownRepetition(block), {
    allowsEphemeral: mode === "ephemeral",
    ...(mode !== "ephemeral" && { address }),
  });
  if (reportAll(report, diagnostics)) return;
  if (mode === "managed") {
    validateIgnoreChanges(block, schema, report);
    for (const trigger of block.managed!.replaceTriggers) validateReplaceTrigger({ scope, block, address, schemas }, trigger, report);
  }
  let validated: readonly ProviderDiagnostic[];
  try {
    validated = await providerDiagnostics(await pool.unconfigured(source), block, unmarkDeep(value)[0]);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code === "CANCELLED") throw error;
    report.push(failedCall(address, error));
    return;
  }
  report.push(...locateDiagnostics(validated, block.config, address).map((one, index) => located(one, validated[index]!, source)));
}

/** Removes the range of a diagnostic of the built-in provider that is not about an attribute, as in OpenTofu. */
function located(diagnostic: AddressedDiagnostic, { attribute = [] }: ProviderDiagnostic, provider: ProviderAddress): AddressedDiagnostic {
  if (attribute.length > 0 || !isSameProvider(provider, builtInProvider("terraform"))) return diagnostic;
  const { subject: _, ...rest } = diagnostic;
  return rest;
}

async function providerDiagnostics(
  provider: Provider,
  { address: { mode, type } }: ResourceBlock,
  config: Value,
): Promise<readonly ProviderDiagnostic[]> {
  const request = { typeName: type, config };
  switch (mode) {
    case "managed":
      return (
        await provider.validateResourceConfig({
          ...request,
          clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
        })
      ).diagnostics;
    case "data":
      return (await provider.validateDataResourceConfig(request)).diagnostics;
    default:
      return (await provider.validateEphemeralResourceConfig(request)).diagnostics;
  }
}

/** Advice for a type that a provider does not have: a similar type, or the same type of another mode. */
function suggestion(schemas: ProviderSchemas, provider: ProviderAddress, mode: ResourceMode, type: string): string {
  const others = (["managed", "data", "ephemeral"] as const).filter((other) => other !== mode);
  const other = others.find((candidate) => schemas.types(provider, candidate).has(type));
  if (other !== undefined) {
    const kind = words[other].block;
    return `\n\nDid you intend to use a block of type ${goQuote(kind)} ${goQuote(type)}? If so, declare this using a block of type ${goQuote(kind)} instead of one of type ${goQuote(words[mode].block)}.`;
  }
  return didYouMean(nearestName(type, schemas.types(provider, "managed").keys()));
}

function validateIgnoreChanges({ managed, typeRange }: ResourceBlock, schema: Block, report: Report): void {
  for (const traversal of managed!.ignoreChanges.paths) {
    report.push(...validateTraversal(traversal, schema));
    if (hasErrors(report)) continue;
    const path = pathOfTraversal(traversal);
    const attribute = attributeAt(schema, path);
    if (attribute === undefined || attribute.optional || !attribute.computed) continue;
    const shown = valuePathText(path).replace(/^\./, "");
    const detail = `Adding an attribute name to ignore_changes tells OpenTofu to ignore future changes to the argument in configuration after the object has been created, retaining the value originally configured.\n\nThe attribute ${shown} is decided by the provider alone and therefore there can be no configured value to compare with. Including this attribute in ignore_changes has no effect. Remove the attribute from ignore_changes to quiet this warning.`;
    reportWarning(report, "Redundant ignore_changes element", detail, typeRange);
  }
}

function validateReplaceTrigger(
  { scope, block, address, schemas }: Pick<ValidatedResource, "scope" | "block" | "address" | "schemas">,
  trigger: Expression,
  report: Report,
): void {
  checkTriggerKeys(block, trigger, report);
  for (const { reference } of referencesOf(trigger).references) {
    const { subject } = reference;
    if (subject.kind !== "resource" && subject.kind !== "resourceInstance") continue;
    const target = resourceBlock(scope.configuration.module, subject.resource);
    const schema = target?.provider && schemas.resource(target.provider, target.address)?.block;
    if (schema === undefined) {
      const detail = `Resource ${address} refers to ${formatResource(subject.resource)} in replace_triggered_by, but it is not declared in this module.`;
      reportError(report, "Undeclared resource in replace_triggered_by", detail, trigger.range);
      continue;
    }
    const remaining = trigger.kind === "relativeTraversal" ? trigger.traversal : reference.remaining;
    const problems = validateTraversal(remaining, schema);
    if (hasErrors(problems)) report.push(...problems);
  }
}

/** Reports `count.index` in a resource without `count`, and `each.key` in one without `for_each`. @see OpenTofu evaluate_triggers.go */
function checkTriggerKeys({ count, forEach }: ResourceBlock, trigger: Expression, report: Report): void {
  let at = trigger;
  while (at.kind === "relativeTraversal") at = at.source;
  if (at.kind !== "index") return;
  const { key } = at;
  const subject = referencesOf(key).references[0]?.reference.subject;
  if (subject?.kind === "count" && count === undefined) {
    const detail = 'The "count" object can only be used in "resource" blocks when the "count" argument is set.';
    reportError(report, 'Reference to "count" in non-counted context', detail, key.range);
  }
  if (subject?.kind === "each" && forEach === undefined) {
    const detail = 'The "each" object can be used only in "resource" blocks when the "for_each" argument is set.';
    reportError(report, 'Reference to "each" in context without for_each', detail, key.range);
  }
}

/** Validates a constant. Other values are known only when a plan is made. */
function validatePreventDestroy(expression: Expression, address: string, report: Report): void {
  const { value, diagnostics } = evaluate(expression);
  if (hasErrors(diagnostics)) return;
  try {
    convert(value, bool);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const detail = `Resource instance ${address} has an invalid value for its prevent_destroy argument: ${conversionText(error)}.`;
    reportError(report, "Invalid value for prevent_destroy", detail, expression.range);
  }
}

async function validateProvisioner({ scope, block, self }: ValidatedResource, provisioner: Provisioner, report: Report): Promise<void> {
  const { schema, validate } = provisionerTypes.get(provisioner.type)!;
  const data: ScopeData = { ...unknownRepetition(block), self, selfBlock: block };
  const { value, diagnostics } = await scope.decode(provisioner.config, schema, data, { allowsEphemeral: true });
  report.push(...diagnostics, ...validate(unmarkDeep(value)[0]));
  const connection = connectionOf(block.managed?.connection, provisioner.connection);
  if (connection === undefined) return;
  const decoded = await scope.decode(connection.config, connectionSchema, data, { allowsEphemeral: true });
  report.push(...decoded.diagnostics);
  if (hasErrors(report)) return;
  const type = get(unmarkDeep(decoded.value)[0], "type");
  if (!isKnown(type) || type.payload !== "winrm") return;
  const subject = connection.config.justAttributes().attributes.get("type")?.expression.range ?? connection.range;
  const detail =
    "The winrm connection type is deprecated and will be removed in a future version of OpenTofu.\n\nModern Windows systems support SSH natively. Migrate your provisioners to use SSH instead.\n\nTo get started with OpenSSH on Windows, refer to https://learn.microsoft.com/en-us/windows-server/administration/openssh/openssh_install_firstuse";
  const context = rangeBetween(connection.range, connection.config.missingItemRange());
  reportWarning(report, "WinRM connection type is deprecated", detail, subject, context);
}

/** The connection of a provisioner: its own arguments over those of its resource. */
function connectionOf(resource: Connection | undefined, own: Connection | undefined): Connection | undefined {
  if (resource === undefined || own === undefined) return own ?? resource;
  return { ...own, config: overrideBody(resource.config, own.config) };
}
