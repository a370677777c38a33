// SPDX-License-Identifier: Apache-2.0
import { parseConfig, type Body } from "@tenon/hcl";
import { nativeBody } from "@tenon/hcl/body";
import { formatResource } from "../address/resource.ts";
import type { Configuration } from "./configuration.ts";
import type { ImportBlock } from "./import-block.ts";
import { generatedBody } from "./resource-reading.ts";
import type { ResourceBlock } from "./resource.ts";

/** The file name in the ranges of generated configuration. */
export const generatedFileName = "generated.tf";

/**
 * Returns the configuration with a generated `resource` block for each `import` block whose resource the root module does not declare. The
 * arguments of a generated block come from the imported object.
 *
 * @param contents The generated arguments by address: `type.name`. A block without an entry has no arguments yet.
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

/** Parses generated arguments. The body has the arguments of the resource's type, without meta-arguments such as `provider`. */
export function bodyOfContents(contents: string): Body {
  return generatedBody(nativeBody(parseConfig(contents, generatedFileName).body));
}
