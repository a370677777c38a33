// SPDX-License-Identifier: Apache-2.0
import { CtyError, isNull, isWhollyKnown, string, unmarkDeep, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { elements } from "@tenon/cty/operators";
import { hasErrors, type Expression } from "@tenon/hcl";
import type { Traversal } from "@tenon/hcl/syntax";
import { formatResourceInstance, type ConfigResource, type ResourceInstance } from "../address/resource.ts";
import { resourceInstanceOf } from "../address/target.ts";
import type { ImportBlock } from "../configuration/import-block.ts";
import type { Report } from "../configuration/report.ts";
import type { ScopedEvaluation } from "../evaluation/decode-body.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import { noScopeData, type ScopeData } from "../evaluation/scope-data.ts";
import { forEachValueOf } from "../expansion/repetition.ts";
import { containsMarkOf, EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";
import type { Importing } from "../change/planned-changes.ts";

/** An object to import, and the `import` block that asks for it. */
export interface ImportTarget {
  readonly address: ResourceInstance;
  readonly block: ImportBlock;
  readonly importing: Importing;
}

/** The objects to import, by the text of the address of the instance that gets the object. */
export type ImportTargets = ReadonlyMap<string, ImportTarget>;

/**
 * Evaluates the `import` blocks of the root module.
 *
 * @param includes Whether the plan includes a resource. The blocks of others are not evaluated.
 * @see OpenTofu eval_import.go
 */
export async function importTargets(
  root: ModuleScope,
  includes: (resource: ConfigResource) => boolean,
  report: Report,
): Promise<ImportTargets> {
  const targets = new Map<string, ImportTarget>();
  for (const block of root.configuration.module.imports) {
    if (block.resource !== undefined && !includes(block.resource)) continue;
    for (const data of await importRepetitions(root, block.forEach, {}, report)) {
      const target = await targetOf(root, block, data, report);
      if (target === undefined) continue;
      const text = formatResourceInstance(target.address);
      const earlier = targets.get(text);
      if (earlier === undefined) targets.set(text, target);
      else {
        const detail = `Multiple import blocks for the resource ${text}: an instance can be imported only once.`;
        report.push({ severity: "error", summary: "Duplicate import configuration", detail, subject: block.range });
      }
    }
  }
  return targets;
}

/**
 * The values of `each` in every repetition of an `import` block; empty after an error, which is reported.
 *
 * @param root The root module, which has the block.
 */
export async function importRepetitions(
  root: { readonly evaluate: (expression: Expression) => Promise<ScopedEvaluation> },
  forEach: Expression | undefined,
  options: { readonly allowUnknown?: boolean },
  report: Report,
): Promise<readonly ScopeData[]> {
  if (forEach === undefined) return [noScopeData];
  const evaluation = await root.evaluate(forEach);
  const value = forEachValueOf(forEach, evaluation, evaluation.scope, { allowTuple: true, ...options }, report);
  if (value === undefined) return [];
  // The elements of a tuple have no keys that an address could use.
  return Array.from(elements(value), ([key, eachValue]) => ({ eachKey: value.type.kind === "set" ? eachValue : key, eachValue }));
}

async function targetOf(root: ModuleScope, block: ImportBlock, data: ScopeData, report: Report): Promise<ImportTarget | undefined> {
  const { to, id, identity } = block;
  if (to === undefined) return undefined;
  const before = report.length;
  const traversal = await traversalOf(root, to, data, report);
  if (traversal === undefined || hasErrors(report.slice(before))) return undefined;
  const { address, diagnostics } = resourceInstanceOf(traversal);
  report.push(...diagnostics);
  if (address === undefined) return undefined;
  if (id !== undefined) {
    const value = await argument(root, id, data, "id", report);
    if (value === undefined) return undefined;
    try {
      return { address, block, importing: { id: convert(value, string).payload as string } };
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      const detail = `The import ID value is unsuitable: ${error.message}.`;
      report.push({ severity: "error", summary: "Invalid import ID argument", detail, subject: id.range });
      return undefined;
    }
  }
  const value = identity && (await argument(root, identity, data, "identity", report));
  return value && { address, block, importing: { identity: value } };
}

/** The known value of `id` or `identity`, without marks; undefined after an error, which is reported. */
async function argument(
  root: ModuleScope,
  expression: Expression,
  data: ScopeData,
  name: string,
  report: Report,
): Promise<Value | undefined> {
  const { value, diagnostics } = await root.evaluate(expression, data);
  report.push(...diagnostics);
  if (hasErrors(diagnostics)) return undefined;
  const invalid = (detail: string): undefined => {
    report.push({ severity: "error", summary: `Invalid import ${name} argument`, detail, subject: expression.range });
    return undefined;
  };
  if (isNull(value)) return invalid(`The import ${name} cannot be null.`);
  if (!isWhollyKnown(value)) {
    const detail = `The import block "${name}" argument depends on resource attributes that cannot be determined until apply, so OpenTofu cannot plan to import this resource.`;
    return invalid(detail);
  }
  if (containsMarkOf(value, SENSITIVE)) return invalid(`The import ${name} cannot be sensitive.`);
  if (containsMarkOf(value, EPHEMERAL)) return invalid(`The import ${name} cannot be ephemeral.`);
  return unmarkDeep(value)[0];
}

/** The address in `to` as a traversal that has the values of its instance keys; undefined after an error, which is reported. */
async function traversalOf(root: ModuleScope, expression: Expression, data: ScopeData, report: Report): Promise<Traversal | undefined> {
  switch (expression.kind) {
    case "index": {
      const collection = await traversalOf(root, expression.collection, data, report);
      const { value, diagnostics } = await root.evaluate(expression.key, data);
      report.push(...diagnostics);
      if (collection === undefined || hasErrors(diagnostics)) return undefined;
      const invalid = (detail: string): undefined => {
        report.push({
          severity: "error",
          summary: 'Import block "to" address contains an invalid key',
          detail,
          subject: expression.key.range,
        });
        return undefined;
      };
      const subject = "Import block contained a resource address using an index which";
      if (isNull(value)) return invalid(`${subject} is null. Please make sure the expression for the index is not null.`);
      if (!isWhollyKnown(value))
        return invalid(
          `${subject} will only be known after apply. Please ensure to use expressions that are known at plan time for the index of an import target address.`,
        );
      if (containsMarkOf(value, SENSITIVE))
        return invalid(
          `${subject} is sensitive. Please ensure indexes used in the resource address of an import target are not sensitive.`,
        );
      return [...collection, { kind: "index", key: unmarkDeep(value)[0], range: expression.bracketRange }];
    }
    case "relativeTraversal": {
      const source = await traversalOf(root, expression.source, data, report);
      return source && [...source, ...expression.traversal];
    }
    default:
      return expression.kind === "scopeTraversal" ? expression.traversal : undefined;
  }
}
