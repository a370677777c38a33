// SPDX-License-Identifier: Apache-2.0
import { formatRange, type SourceRange } from "@tenon/hcl";
import type { Block, BodySchema } from "@tenon/hcl/body";
import { checkName, contentOf } from "./block-content.ts";
import { readCheckRule, type CheckRule } from "./check-rule.ts";
import { hasErrorsSince, reportError, type Report } from "./report.ts";
import { readDataResource } from "./resource-reading.ts";
import type { ResourceBlock } from "./resource.ts";

/** A `check` block: assertions whose failures are warnings, and a data source for them. */
export interface CheckBlock {
  readonly name: string;
  /** The nested data source; absent if the block has none. */
  readonly data?: ResourceBlock;
  readonly assertions: readonly CheckRule[];
  readonly range: SourceRange;
}

const schema: BodySchema = { blocks: [{ type: "data", labelNames: ["type", "name"] }, { type: "assert" }] };

/** Reads a `check` block. @see OpenTofu configs, decodeCheckBlock */
export function readCheckBlock(block: Block, isOverride: boolean, report: Report): CheckBlock {
  const name = block.labels[0]!;
  const range = block.declarationRange;
  if (isOverride) {
    reportError(report, "Can't override check blocks", "Override files cannot override check blocks.", range);
    return { name, assertions: [], range };
  }
  const { blocks } = contentOf(block.body, schema, report);
  checkName(block, 0, "Invalid check block name", report);
  let data: ResourceBlock | undefined;
  const assertions: CheckRule[] = [];
  for (const nested of blocks) {
    const start = report.length;
    if (nested.type === "assert") {
      const rule = readCheckRule(nested, isOverride, report);
      if (!hasErrorsSince(report, start)) assertions.push(rule);
    } else if (data !== undefined) {
      const detail = `This check block already has a data resource defined at ${formatRange(data.range)}.`;
      reportError(report, "Multiple data resource blocks", detail, nested.declarationRange);
    } else {
      const resource = readDataResource(nested, isOverride, report, name);
      if (!hasErrorsSince(report, start)) data = resource;
    }
  }
  if (assertions.length === 0) reportError(report, "Zero assert blocks", "Check blocks must have at least one assert block.", range);
  return { name, ...(data && { data }), assertions, range };
}
