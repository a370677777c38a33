// SPDX-License-Identifier: Apache-2.0
import { type SourceRange } from "@tenon/hcl";
import type { Block, BodySchema } from "@tenon/hcl/body";
import { removeEndpointOf, type RemoveEndpoint } from "../address/endpoint.ts";
import { contentOf, reportDuplicate } from "./block-content.ts";
import { readBool } from "./literal.ts";
import { readEndpoint } from "./moved-block.ts";
import { readProvisioner, type Provisioner } from "./provisioner.ts";
import { hasErrorsSince, reportError, reportWarning, type Report } from "./report.ts";

/** A `removed` block: a resource or module that the configuration no longer declares. */
export interface RemovedBlock {
  /** Absent if the address is invalid. */
  readonly from?: RemoveEndpoint;
  /** Whether the objects are destroyed. If false or absent, they are removed only from the state. */
  readonly destroy?: boolean;
  readonly provisioners: readonly Provisioner[];
  readonly range: SourceRange;
}

const schema: BodySchema = {
  attributes: [{ name: "from", required: true }],
  blocks: [{ type: "lifecycle" }, { type: "provisioner", labelNames: ["type"] }],
};

/** Reads a `removed` block. @see OpenTofu configs, decodeRemovedBlock */
export function readRemovedBlock(block: Block, report: Report): RemovedBlock {
  const start = report.length;
  const range = block.declarationRange;
  const { attributes, blocks } = contentOf(block.body, schema, report);
  const from = readEndpoint(attributes.get("from")?.expression, removeEndpointOf, report);
  let lifecycle: Block | undefined;
  let destroy: boolean | undefined;
  const provisioners: Provisioner[] = [];
  for (const nested of blocks) {
    if (nested.type === "provisioner") {
      const provisioner = readProvisioner(nested, report);
      if (provisioner === undefined) continue;
      if (provisioner.when !== "destroy") {
        const detail = '"removed" blocks can only contain destroy provisioners. "removed.provisioner.when = destroy" expected';
        reportError(report, 'Invalid "removed.provisioner" block', detail, nested.declarationRange);
      } else if (from?.subject.kind === "module") {
        const detail = '"removed" blocks containing "provisioner"s can only target resources. Found one block that is targeting a module';
        reportError(report, 'Invalid "removed" block', detail, range);
      } else provisioners.push(provisioner);
    } else if (lifecycle !== undefined) reportDuplicate("lifecycle", "The removed block", lifecycle, nested, report);
    else {
      lifecycle = nested;
      const expression = contentOf(nested.body, { attributes: [{ name: "destroy" }] }, report).attributes.get("destroy")?.expression;
      if (expression !== undefined) destroy = readBool(expression, report) ?? false;
    }
  }
  if (!hasErrorsSince(report, start)) {
    if (destroy === undefined) {
      const detail =
        "It is recommended for each 'removed' block configured to have also the 'lifecycle' block defined. By not specifying if the resource should be destroyed or not, could lead to unwanted behavior.";
      reportWarning(report, "Missing lifecycle from the removed block", detail, range);
    } else if (!destroy && provisioners.length > 0) {
      const detail =
        "The 'removed' block has marked the resource to be forgotten and not destroyed. Therefore, the provisioners configured for it will not be executed.";
      reportWarning(report, "Removed block provisioners will not be executed", detail, range);
    }
  }
  return { ...(from && { from }), ...(destroy !== undefined && { destroy }), provisioners, range };
}
