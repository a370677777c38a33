// SPDX-License-Identifier: Apache-2.0
import type { Body } from "@tenon/hcl";
import type { Diagnostic as ProviderDiagnostic } from "@tenon/schema";
import { locateDiagnostics } from "../provider/provider-diagnostic.ts";
import type { InstanceNode } from "./instance-node.ts";
import type { ResourceWalk } from "./resource-walk.ts";

/** Reports diagnostics of a provider. @throws UpstreamError if one of them is an error. */
export function settleProvider(
  walk: ResourceWalk,
  { text }: Pick<InstanceNode, "text">,
  diagnostics: readonly ProviderDiagnostic[],
  body: Body | undefined,
): void {
  walk.root.settle(undefined, locateDiagnostics(diagnostics, body, text));
}
