// SPDX-License-Identifier: Apache-2.0
import { unmarkDeep, type Value } from "@tenon/cty";
import type { Block } from "@tenon/schema";
import { modulePathOf } from "../address/module.ts";
import { formatProvider, type ProviderAddress } from "../address/provider.ts";
import { formatResource, type ResourceInstance } from "../address/resource.ts";
import { descendant } from "../configuration/configuration.ts";
import { resourceBlock } from "../configuration/module.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import { RemovedModuleScope } from "./removed-module-scope.ts";

/**
 * The value of the `provider_meta` block for a provider in the module of an instance, as an option of lifecycle operations. Absent if the module
 * has no such block, or does not declare the resource any more. Such a block has no references, so that it waits for nothing, also not for the
 * instances of its module.
 *
 * @param schemaOf Gives the schema of the provider's `provider_meta` blocks; undefined if it does not support them.
 * @see OpenTofu transform_attach_config_resource.go
 */
export async function evaluateProviderMeta(
  root: ModuleScope,
  { module, resource }: ResourceInstance,
  provider: ProviderAddress,
  schemaOf: () => Promise<Block | undefined>,
): Promise<{ readonly providerMeta?: Value }> {
  const configuration = descendant(root.configuration, modulePathOf(module));
  const block = configuration?.module.providerMetas.get(formatProvider(provider));
  if (block === undefined || resourceBlock(configuration!.module, resource) === undefined) return {};
  const scope = RemovedModuleScope.of(root, module)!;
  const schema = await schemaOf();
  if (schema === undefined) {
    const summary = `Provider ${formatProvider(provider)} doesn't support provider_meta`;
    const detail = `The resource ${formatResource(resource)} belongs to a provider that doesn't support provider_meta blocks`;
    return scope.settle({}, [{ severity: "error", summary, detail, subject: block.range }]);
  }
  const { value, diagnostics } = await scope.decode(block.config, schema);
  return { providerMeta: scope.settle(unmarkDeep(value)[0], diagnostics) };
}
