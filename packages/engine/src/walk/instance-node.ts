// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import { formatInModulePath } from "../address/module.ts";
import { formatResource, type ResourceInstance } from "../address/resource.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import type { ScopeData } from "../evaluation/scope-data.ts";

/** One instance of a resource that the configuration declares. */
export interface InstanceNode {
  readonly scope: ModuleScope;
  readonly block: ResourceBlock;
  readonly address: ResourceInstance;
  /** The address as text, for maps and diagnostics. */
  readonly text: string;
  /** The address of the block, which all instances have in common, as text. */
  readonly configText: string;
  /** The values of `count` and `each`. */
  readonly data: ScopeData;
}

/** The address of the block that declares an instance. */
export function configAddressOf({ scope, block }: Pick<InstanceNode, "scope" | "block">): string {
  return formatInModulePath(scope.configuration.path, formatResource(block.address));
}

/** Reports diagnostics of an instance. @throws UpstreamError if one of them is an error. */
export function settleInstance({ scope, block }: Pick<InstanceNode, "scope" | "block">, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0) scope.settleBlock(formatResource(block.address), undefined, diagnostics);
}
