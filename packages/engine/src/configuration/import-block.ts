// SPDX-License-Identifier: Apache-2.0
import { type Diagnostic, type Expression, type SourceRange } from "@tenon/hcl";
import { absoluteTraversal } from "@tenon/hcl/analysis";
import type { Block, BodySchema } from "@tenon/hcl/body";
import { rangeBetween, type Traversal } from "@tenon/hcl/syntax";
import type { ProviderAddress } from "../address/provider.ts";
import { configResourceOf, type ConfigResource, type ResourceInstance } from "../address/resource.ts";
import { resourceInstanceOf } from "../address/target.ts";
import { attributesNamed, contentOf } from "./block-content.ts";
import { readProviderReference, type ProviderReference } from "./provider-reference.ts";
import { nativeExpression } from "./quoted-reference.ts";
import { hasErrorsSince, reportAll, reportError, type Report } from "./report.ts";

/** An `import` block, which imports an existing object as a resource instance. */
export interface ImportBlock {
  readonly id?: Expression;
  readonly identity?: Expression;
  /** The address. Its keys can be any expressions. Absent if the block has no `to`. */
  readonly to?: Expression;
  /** The resource of {@link to}, without keys. Absent if the address is invalid. */
  readonly resource?: ConfigResource;
  /** The instance of {@link to}. Absent if its keys are not constant. */
  readonly instance?: ResourceInstance;
  readonly forEach?: Expression;
  readonly providerReference?: ProviderReference;
  /** The provider of the resource. Set when the files of the module are assembled. */
  readonly provider?: ProviderAddress;
  readonly range: SourceRange;
  readonly providerRange?: SourceRange;
}

const schema: BodySchema = { attributes: [...attributesNamed("provider", "id", "identity", "for_each"), { name: "to", required: true }] };

/** Reads an `import` block. @see OpenTofu configs, decodeImportBlock */
export function readImportBlock(block: Block, report: Report): ImportBlock {
  const range = block.declarationRange;
  const start = report.length;
  const { attributes } = contentOf(block.body, schema, report);
  const id = attributes.get("id");
  const identity = attributes.get("identity");
  const identification = { ...(id && { id: id.expression }), ...(identity && { identity: identity.expression }), range };

  let to = attributes.get("to")?.expression;
  if (to?.kind === "json") {
    to = nativeExpression(to, report);
    if (to === undefined || hasErrorsSince(report, start)) return identification;
  }
  let target: { readonly to: Expression; readonly resource: ConfigResource; readonly instance?: ResourceInstance } | undefined;
  if (to !== undefined) {
    const { traversal, diagnostics } = withoutDynamicKeys(to);
    const parsed = traversal === undefined ? { diagnostics } : resourceInstanceOf(traversal);
    reportAll(report, parsed.diagnostics);
    if (parsed.address === undefined) return { ...identification, to };
    const instance = constantInstance(to);
    target = { to, resource: configResourceOf(parsed.address), ...(instance && { instance }) };
  }
  const provider = attributes.get("provider");
  if (provider !== undefined && target !== undefined && target.resource.module.length > 0) {
    const detail =
      "The provider argument can only be specified in import blocks that will generate configuration.\n\nUse the providers argument within the module block to configure providers for all resources within a module, including imported resources.";
    reportError(report, "Invalid import provider argument", detail, provider.range);
  }
  const providerReference = provider && readProviderReference(provider.expression, "provider", report);
  const forEach = attributes.get("for_each")?.expression;
  if (id === undefined && identity === undefined) {
    const detail = "One of 'id' or 'identity' must be specified in an import block to identify the resource instance to import.";
    reportError(report, "Missing required import argument", detail, range);
  }
  if (id !== undefined && identity !== undefined) {
    const [first, second] = [id.range, identity.range].sort((a, b) => a.start.byte - b.start.byte);
    const detail =
      "Only one of 'id' or 'identity' can be specified in an import block. 'id' identifies the resource instance by its ID, while 'identity' identifies the resource instance by its Resource Identity. Choose one method to identify the resource instance to import.";
    reportError(report, "Conflicting import arguments", detail, rangeBetween(first!, second!));
  }
  return {
    ...identification,
    ...target,
    ...(forEach && { forEach }),
    ...(providerReference && { providerReference }),
    ...(provider && { providerRange: provider.range }),
  };
}

/** Returns the traversal of the address without its computed keys. @see OpenTofu configs, absTraversalForImportToExpr */
function withoutDynamicKeys(expression: Expression): { readonly traversal?: Traversal; readonly diagnostics: readonly Diagnostic[] } {
  switch (expression.kind) {
    case "index":
      return withoutDynamicKeys(expression.collection);
    case "relativeTraversal": {
      const { traversal, diagnostics } = withoutDynamicKeys(expression.source);
      return traversal === undefined ? { diagnostics } : { traversal: [...traversal, ...expression.traversal], diagnostics };
    }
    case "scopeTraversal":
      return { traversal: expression.traversal, diagnostics: [] };
    default: {
      const detail =
        "Import address must be a reference to a resource's address, and only allows for indexing with dynamic keys. For example: module.my_module[expression1].aws_s3_bucket.my_buckets[expression2] for resources inside of modules, or simply aws_s3_bucket.my_bucket for a resource in the root module";
      return { diagnostics: [{ severity: "error", summary: "Invalid import address expression", detail, subject: expression.range }] };
    }
  }
}

function constantInstance(expression: Expression): ResourceInstance | undefined {
  const { traversal } = absoluteTraversal(expression);
  return traversal && resourceInstanceOf(traversal).address;
}
