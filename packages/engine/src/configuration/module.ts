// SPDX-License-Identifier: Apache-2.0
import type { LocalProviderConfig } from "../address/provider-config.ts";
import { impliedProvider, normalizeProviderPart, type ProviderAddress } from "../address/provider.ts";
import { formatResource, impliedProviderName, type Resource } from "../address/resource.ts";
import type { CheckBlock } from "./check-block.ts";
import type { EncryptionBlock } from "./encryption.ts";
import type { ImportBlock } from "./import-block.ts";
import type { LocalValue } from "./local-value.ts";
import type { ModuleCall } from "./module-call.ts";
import type { MovedBlock } from "./moved-block.ts";
import type { Output } from "./output.ts";
import type { ProviderBlock } from "./provider-block.ts";
import type { RemovedBlock } from "./removed-block.ts";
import type { RequiredProvider } from "./required-providers.ts";
import type { ResourceBlock } from "./resource.ts";
import type { BackendBlock, CloudBlock, ProviderMetaBlock } from "./terraform-block.ts";
import type { Variable } from "./variable.ts";

/** The declarations of a module, by name. */
export interface Module {
  /** The folder of the module's files, which is also the value of `path.module`. */
  readonly folder: string;
  readonly backend?: BackendBlock;
  readonly cloud?: CloudBlock;
  /** By local name, with the alias after a dot. */
  readonly providers: ReadonlyMap<string, ProviderBlock>;
  readonly requiredProviders: ReadonlyMap<string, RequiredProvider>;
  /** By the provider's address. */
  readonly providerMetas: ReadonlyMap<string, ProviderMetaBlock>;
  readonly encryption?: EncryptionBlock;
  readonly variables: ReadonlyMap<string, Variable>;
  readonly locals: ReadonlyMap<string, LocalValue>;
  readonly outputs: ReadonlyMap<string, Output>;
  readonly calls: ReadonlyMap<string, ModuleCall>;
  /** By `type.name`. */
  readonly managedResources: ReadonlyMap<string, ResourceBlock>;
  /** By `data.type.name`. Includes the data sources of `check` blocks. */
  readonly dataResources: ReadonlyMap<string, ResourceBlock>;
  /** By `ephemeral.type.name`. */
  readonly ephemeralResources: ReadonlyMap<string, ResourceBlock>;
  readonly moved: readonly MovedBlock[];
  readonly imports: readonly ImportBlock[];
  readonly removed: readonly RemovedBlock[];
  readonly checks: ReadonlyMap<string, CheckBlock>;
}

/** A {@link Module} while its files are assembled. */
export interface ModuleDraft {
  folder: string;
  backend?: BackendBlock | undefined;
  cloud?: CloudBlock | undefined;
  providers: Map<string, ProviderBlock>;
  requiredProviders: Map<string, RequiredProvider>;
  providerMetas: Map<string, ProviderMetaBlock>;
  encryption?: EncryptionBlock;
  variables: Map<string, Variable>;
  locals: Map<string, LocalValue>;
  outputs: Map<string, Output>;
  calls: Map<string, ModuleCall>;
  managedResources: Map<string, ResourceBlock>;
  dataResources: Map<string, ResourceBlock>;
  ephemeralResources: Map<string, ResourceBlock>;
  moved: MovedBlock[];
  imports: ImportBlock[];
  removed: RemovedBlock[];
  checks: Map<string, CheckBlock>;
}

/** Returns the resource with its provider, which its provider reference or its type determines. */
export function withProvider(module: Pick<Module, "requiredProviders">, resource: ResourceBlock): ResourceBlock {
  const provider = resource.providerReference
    ? providerOfLocalName(module, resource.providerReference.localName)
    : impliedProviderIn(module, impliedProviderName(resource.address.type));
  return provider === undefined ? resource : { ...resource, provider };
}

/** The provider of a resource type's default local name; undefined if the name is not a valid local name. */
export function impliedProviderIn(module: Pick<Module, "requiredProviders">, name: string): ProviderAddress | undefined {
  const normal = normalizeProviderPart(name);
  return "part" in normal ? providerOfLocalName(module, normal.part) : undefined;
}

/** The provider of a local name in a module. @see OpenTofu configs, Module.ProviderForLocalConfig */
export function providerOfLocalName({ requiredProviders }: Pick<Module, "requiredProviders">, localName: string): ProviderAddress {
  return requiredProviders.get(localName)?.provider ?? impliedProvider(localName);
}

/** The local name of the provider configuration that a resource uses. */
export function providerConfigOfResource({ providerReference, address }: ResourceBlock): LocalProviderConfig {
  if (providerReference === undefined) return { localName: impliedProviderName(address.type) };
  const { localName, alias } = providerReference;
  return alias === undefined ? { localName } : { localName, alias };
}

/** All resources that a module declares: managed, data and ephemeral. */
export function resourcesIn({ managedResources, dataResources, ephemeralResources }: Module): readonly ResourceBlock[] {
  return [...managedResources.values(), ...dataResources.values(), ...ephemeralResources.values()];
}

/** The block that declares a resource; undefined if the module has none. */
export function resourceBlock(module: Module, resource: Resource): ResourceBlock | undefined {
  const blocks = { managed: module.managedResources, data: module.dataResources, ephemeral: module.ephemeralResources };
  return blocks[resource.mode].get(formatResource(resource));
}
