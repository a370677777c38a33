// SPDX-License-Identifier: Apache-2.0
import type { Body, SourceRange } from "@tenon/hcl";
import { keywordOf, variables } from "@tenon/hcl/analysis";
import type { Block, BodySchema } from "@tenon/hcl/body";
import type { Traversal } from "@tenon/hcl/syntax";
import { attributesNamed, EscapedArguments, partialContentOf, reportDuplicate, reportReservedBlock } from "./block-content.ts";
import { withoutQuotes } from "./quoted-reference.ts";
import { reportError, type Report } from "./report.ts";

/** A `connection` block: how provisioners connect to an object. */
export interface Connection {
  readonly config: Body;
  readonly range: SourceRange;
}

/** A `provisioner` block. */
export interface Provisioner {
  readonly type: string;
  readonly config: Body;
  readonly connection?: Connection;
  readonly when: "create" | "destroy";
  readonly onFailure: "fail" | "continue";
  readonly range: SourceRange;
  readonly typeRange: SourceRange;
}

const schema: BodySchema = {
  attributes: attributesNamed("when", "on_failure"),
  blocks: [{ type: "_" }, { type: "connection" }, { type: "lifecycle" }],
};

const removedProvisioners: ReadonlySet<string> = new Set(["chef", "habitat", "puppet", "salt-masterless"]);

/** Reads a `provisioner` block. Returns undefined and reports an error for a provisioner that OpenTofu has removed. @see OpenTofu configs, decodeProvisionerBlock */
export function readProvisioner(block: Block, report: Report): Provisioner | undefined {
  const type = block.labels[0]!;
  const { content, remain } = partialContentOf(block.body, schema, report);
  if (removedProvisioners.has(type)) {
    const detail = `The "${type}" provisioner is deprecated and has been removed from OpenTofu.`;
    reportError(report, `The "${type}" provisioner has been removed`, detail, block.labelRanges[0]);
    return undefined;
  }
  const { attributes } = content;
  let when: Provisioner["when"] = "create";
  const whenExpression = attributes.get("when")?.expression;
  if (whenExpression !== undefined) {
    const expression = withoutQuotes(whenExpression, "keyword", report);
    const keyword = keywordOf(expression);
    if (keyword === "create" || keyword === "destroy") when = keyword;
    else {
      const detail = 'The "when" argument requires one of the following keywords: create or destroy.';
      reportError(report, 'Invalid "when" keyword', detail, expression.range);
    }
  }
  if (when === "destroy") checkOnlySelfReferences(remain, report);
  let onFailure: Provisioner["onFailure"] = "fail";
  const onFailureExpression = attributes.get("on_failure")?.expression;
  if (onFailureExpression !== undefined) {
    const keyword = keywordOf(withoutQuotes(onFailureExpression, "keyword", report));
    if (keyword === "continue" || keyword === "fail") onFailure = keyword;
    else {
      const detail = 'The "on_failure" argument requires one of the following keywords: continue or fail.';
      reportError(report, 'Invalid "on_failure" keyword', detail, onFailureExpression.range);
    }
  }

  let config = remain;
  let connection: Block | undefined;
  const escaped = new EscapedArguments("provisioner-type-specific", "provisioner");
  for (const nested of content.blocks) {
    if (nested.type === "_") config = escaped.add(config, nested, report);
    else if (nested.type !== "connection") reportReservedBlock(nested, "provisioner", report);
    else if (connection !== undefined) reportDuplicate("connection", "This provisioner", connection, nested, report);
    else {
      connection = nested;
      if (when === "destroy") checkOnlySelfReferences(nested.body, report);
    }
  }
  return {
    type,
    config,
    ...(connection && { connection: { config: connection.body, range: connection.declarationRange } }),
    when,
    onFailure,
    range: block.declarationRange,
    typeRange: block.labelRanges[0]!,
  };
}

/** Adds an error for each attribute that refers to anything except `self`. @see OpenTofu configs, onlySelfRefs */
export function checkOnlySelfReferences(body: Body, report: Report): void {
  for (const { expression } of body.justAttributes().attributes.values()) {
    for (const traversal of variables(expression)) {
      if (isSelfReference(traversal)) continue;
      reportError(
        report,
        "Invalid reference from destroy provisioner",
        "Destroy-time provisioners and their connection configurations may only reference attributes of the related resource, via 'self', 'count.index', or 'each.key'.\n\nReferences to other resources during the destroy phase can cause dependency cycles and interact poorly with create_before_destroy.",
        expression.range,
      );
    }
  }
}

function isSelfReference([root, step, ...rest]: Traversal): boolean {
  if (root?.kind !== "root") return false;
  if (["self", "path", "terraform", "tofu"].includes(root.name)) return true;
  if (rest.length > 0 || step?.kind !== "attribute") return false;
  return (root.name === "count" && step.name === "index") || (root.name === "each" && step.name === "key");
}
