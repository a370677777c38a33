// SPDX-License-Identifier: Apache-2.0
import { type Expression, type SourceRange } from "@tenon/hcl";
import { absoluteTraversal } from "@tenon/hcl/analysis";
import type { Block, BodySchema } from "@tenon/hcl/body";
import type { Traversal } from "@tenon/hcl/syntax";
import type { ParsedAddress } from "../address/address-diagnostic.ts";
import { moveEndpointOf, moveEndpointsUnify, type MoveEndpoint } from "../address/endpoint.ts";
import { contentOf } from "./block-content.ts";
import { hasErrorsSince, reportAll, reportError, type Report } from "./report.ts";

/** A `moved` block: a resource or module with a new address. Invalid endpoints are absent. */
export interface MovedBlock {
  readonly from?: MoveEndpoint;
  readonly to?: MoveEndpoint;
  readonly range: SourceRange;
}

const schema: BodySchema = {
  attributes: [
    { name: "from", required: true },
    { name: "to", required: true },
  ],
};

/** Reads a `moved` block. @see OpenTofu configs, decodeMovedBlock */
export function readMovedBlock(block: Block, report: Report): MovedBlock {
  const start = report.length;
  const range = block.declarationRange;
  const { attributes } = contentOf(block.body, schema, report);
  const from = readEndpoint(attributes.get("from")?.expression, moveEndpointOf, report);
  const to = readEndpoint(attributes.get("to")?.expression, moveEndpointOf, report);
  for (const [name, endpoint] of [
    ["from", from],
    ["to", to],
  ] as const) {
    if (isMovable(endpoint)) continue;
    const detail = `The resource referenced by the "${name}" attribute is not allowed to be moved.`;
    reportError(report, 'Invalid "moved" address', detail, range);
  }
  if (from !== undefined && to !== undefined && !hasErrorsSince(report, start) && !moveEndpointsUnify(from, to)) {
    const detail = 'The "from" and "to" addresses must either both refer to resources or both refer to modules.';
    reportError(report, 'Invalid "moved" addresses', detail, range);
  }
  return { ...(from && { from }), ...(to && { to }), range };
}

function isMovable(endpoint: MoveEndpoint | undefined): boolean {
  if (endpoint === undefined) return false;
  return endpoint.subject.kind === "module" || endpoint.subject.instance.resource.mode !== "ephemeral";
}

/** Reads an address that is written as a reference. Returns undefined and reports errors if it is invalid. */
export function readEndpoint<T>(
  expression: Expression | undefined,
  parse: (traversal: Traversal) => ParsedAddress<T>,
  report: Report,
): T | undefined {
  if (expression === undefined) return undefined;
  const { traversal, diagnostics } = absoluteTraversal(expression);
  reportAll(report, diagnostics);
  if (traversal === undefined) return undefined;
  const parsed = parse(traversal);
  reportAll(report, parsed.diagnostics);
  return parsed.address;
}
