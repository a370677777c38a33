// SPDX-License-Identifier: Apache-2.0
import type { Expression, SourceRange } from "@tenon/hcl";
import type { Block, BodySchema } from "@tenon/hcl/body";
import type { Traversal } from "@tenon/hcl/syntax";
import { attributesNamed, checkName, contentOf, readReferences, reportDependsOnOverride, withoutRequired } from "./block-content.ts";
import { readCheckRule, type CheckRule } from "./check-rule.ts";
import { readBool, readString } from "./literal.ts";
import { hasErrorsSince, reportError, type Report } from "./report.ts";

/** An output value of a module. */
export interface Output {
  readonly name: string;
  readonly description?: string;
  /** Absent if the block has no `value`. This is reported as an error, except in override files. */
  readonly expression?: Expression;
  readonly dependsOn: readonly Traversal[];
  readonly sensitive?: boolean;
  readonly ephemeral?: boolean;
  /** The deprecation message. */
  readonly deprecated?: string;
  readonly preconditions: readonly CheckRule[];
  readonly range: SourceRange;
}

const schema: BodySchema = {
  attributes: [...attributesNamed("description", "depends_on", "sensitive", "ephemeral", "deprecated"), { name: "value", required: true }],
  blocks: [{ type: "precondition" }, { type: "postcondition" }],
};

/** Reads an `output` block. @see OpenTofu configs, decodeOutputBlock */
export function readOutput(block: Block, isOverride: boolean, report: Report): Output {
  const start = report.length;
  const { attributes, blocks } = contentOf(block.body, isOverride ? withoutRequired(schema) : schema, report);
  checkName(block, 0, "Invalid output name", report);
  const text = (name: string): string | undefined => {
    const expression = attributes.get(name)?.expression;
    return expression && (readString(expression, report) ?? "");
  };
  const flag = (name: string): boolean | undefined => {
    const expression = attributes.get(name)?.expression;
    return expression && (readBool(expression, report) ?? false);
  };
  const description = text("description");
  const expression = attributes.get("value")?.expression;
  const sensitive = flag("sensitive");
  const deprecated = text("deprecated");
  if (deprecated?.trim() === "" && !hasErrorsSince(report, start)) {
    const detail =
      'The "deprecated" argument must not be empty, and should provide instructions on how to migrate away from usage of this deprecated output value.';
    reportError(report, "Invalid `deprecated` attribute", detail, attributes.get("deprecated")?.expression.range);
  }
  const ephemeral = flag("ephemeral");
  const dependsOnAttribute = attributes.get("depends_on");
  const dependsOn = readReferences(dependsOnAttribute, report);
  const preconditions: CheckRule[] = [];
  for (const condition of blocks) {
    if (condition.type === "precondition") preconditions.push(readCheckRule(condition, isOverride, report));
    else {
      const detail = "Output values can only have preconditions, not postconditions.";
      reportError(report, "Postconditions are not allowed", detail, condition.typeRange);
    }
  }
  return {
    name: block.labels[0]!,
    ...(description !== undefined && { description }),
    ...(expression && { expression }),
    dependsOn,
    ...(sensitive !== undefined && { sensitive }),
    ...(ephemeral !== undefined && { ephemeral }),
    ...(deprecated && { deprecated }),
    preconditions,
    range: block.declarationRange,
  };
}

/** Returns the output with the changes of an override file. @see OpenTofu configs, Output.merge */
export function overrideOutput(base: Output, override: Output, report: Report): Output {
  reportDependsOnOverride(override.dependsOn, report);
  return {
    ...base,
    ...(override.description && { description: override.description }),
    ...(override.expression && { expression: override.expression }),
    ...(override.sensitive !== undefined && { sensitive: override.sensitive }),
    ...(override.ephemeral !== undefined && { ephemeral: override.ephemeral }),
    ...(override.deprecated !== undefined && { deprecated: override.deprecated }),
  };
}
