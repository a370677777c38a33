// SPDX-License-Identifier: Apache-2.0
import { CtyError, isNull, isWhollyKnown, string, type Type, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { goQuote } from "@tenon/cty/unstable/payload";
import { hasErrors, type Diagnostic, type Expression } from "@tenon/hcl";
import { formatProvider } from "../address/provider.ts";
import { formatConfigResource } from "../address/resource.ts";
import type { ImportBlock } from "../configuration/import-block.ts";
import { reportAll, reportError, type Report } from "../configuration/report.ts";
import { conversionText } from "../configuration/value-path.ts";
import type { ScopeData } from "../evaluation/scope-data.ts";
import { containsMarkOf, EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";
import { importIdentityType } from "../plan/import-identity.ts";
import { importRepetitions } from "../plan/import-targets.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import type { ValidationScope } from "./validation-scope.ts";

/**
 * Validates the `id` or `identity` of an `import` block.
 *
 * @param root The root module, which has the block.
 * @see OpenTofu context_import.go, ImportResolver.ValidateImportIDs
 */
export async function validateImport(root: ValidationScope, block: ImportBlock, pool: ProviderPool, report: Report): Promise<void> {
  const { forEach, id, identity } = block;
  const own: Report = [];
  const repetitions = await importRepetitions(root, forEach, { allowUnknown: true }, own);
  for (const data of hasErrors(own) ? [] : repetitions) {
    if (id !== undefined) await validateArgument(root, id, data, { name: "id", type: string }, own);
    else if (identity !== undefined) {
      const type = await typeOfIdentity(block, identity, pool, own);
      if (type !== undefined) await validateArgument(root, identity, data, { name: "identity", type }, own);
    }
  }
  report.push(...own);
}

async function typeOfIdentity(
  { provider, resource }: ImportBlock,
  identity: Expression,
  pool: ProviderPool,
  report: Report,
): Promise<Type | undefined> {
  if (provider === undefined || resource === undefined) return undefined;
  const { type } = resource.resource;
  const { identitySchemas } = await (await pool.unconfigured(provider)).getResourceIdentitySchemas({});
  const schema = identitySchemas.get(type);
  if (schema !== undefined) return importIdentityType(schema);
  const detail = `The provider ${goQuote(formatProvider(provider))} does not provide an identity schema for the resource type ${goQuote(type)}, which is required when trying to import the resource ${goQuote(formatConfigResource(resource))} using identity-based import. Please ensure the resource type supports identity-based import.`;
  reportError(report, "Unable to determine identity schema for import identity", detail, identity.range);
  return undefined;
}

async function validateArgument(
  root: ValidationScope,
  expression: Expression,
  data: ScopeData,
  { name, type }: { readonly name: "id" | "identity"; readonly type: Type },
  report: Report,
): Promise<void> {
  const { value: given, diagnostics, scope } = await root.evaluate(expression, data);
  if (reportAll(report, diagnostics)) return;
  const error = (summary: string, detail: string, more: Partial<Diagnostic> = {}): void =>
    void report.push({ severity: "error", summary, detail, subject: expression.range, ...more });
  let value: Value;
  try {
    value = convert(given, type);
  } catch (conversionError) {
    if (!(conversionError instanceof CtyError)) throw conversionError;
    return error("Incorrect value type", `Invalid expression value: ${conversionText(conversionError)}.`, { expression, scope });
  }
  const summary = `Invalid import ${name} argument`;
  if (isNull(value)) return error(summary, `The import ${name} cannot be null.`);
  if (!isWhollyKnown(value)) return;
  if (containsMarkOf(value, SENSITIVE)) return error(summary, `The import ${name} cannot be sensitive.`);
  if (containsMarkOf(value, EPHEMERAL)) error(summary, `The import ${name} cannot be ephemeral.`);
}
