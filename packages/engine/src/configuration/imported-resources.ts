// SPDX-License-Identifier: Apache-2.0
import { parseConfig, type Body } from "@tenon/hcl";
import { nativeBody } from "@tenon/hcl/body";
import { formatResource } from "../address/resource.ts";
import type { Configuration } from "./configuration.ts";
import type { ImportBlock } from "./import-block.ts";
import { generatedBody, type ResourceBlock } from "./resource.ts";

/** The file name in the ranges of generated configuration. */
export const generatedFileName = "generated.tf";

/**
 * The configuration with a `resource` block for each import of a resource of the root module that it does not declare. The arguments of such
 * a block are generated from the imported object.
 *
 * @param contents The arguments of the blocks that are generated already, by address: `type.name`. Others have none yet.
 */
export function withImportedResources(
  configuration: Configuration,
  imports: readonly ImportBlock[],
  contents: ReadonlyMap<string, string> = new Map(),
): Configuration {
  const { module } = configuration;
  const managedResources = new Map(module.managedResources);
  for (const block of imports) {
    if (block.resource === undefined || block.resource.module.length > 0) continue;
    const text = formatResource(block.resource.resource);
    if (!managedResources.has(text)) managedResources.set(text, generatedBlock(block, contents.get(text) ?? ""));
  }
  return managedResources.size === module.managedResources.size
    ? configuration
    : { ...configuration, module: { ...module, managedResources } };
}

function generatedBlock({ resource, range, provider, providerReference }: ImportBlock, contents: string): ResourceBlock {
  return {
    address: resource!.resource,
    config: bodyOfContents(contents),
    ...(provider && { provider }),
    ...(providerReference && { providerReference }),
    preconditions: [],
    postconditions: [],
    dependsOn: [],
    managed: { provisioners: [], ignoreChanges: { all: false, paths: [] }, replaceTriggers: [] },
    isGenerated: true,
    range,
    typeRange: range,
  };
}

/** The arguments of a resource's type in the source of generated arguments. */
export function bodyOfContents(contents: string): Body {
  return generatedBody(nativeBody(parseConfig(contents, generatedFileName).body));
}
