// SPDX-License-Identifier: Apache-2.0
import type { LogLevel } from "@tenon/protocol/log-line";
import type { Provider } from "@tenon/schema";
import { BridgeError } from "../../error.ts";
import { providerSchemas } from "../../provider/provider-schemas.ts";
import type { ProviderSupply } from "../../provider/provider-supply.ts";
import type { DefinitionOptions } from "../crd/definition.ts";
import type { KubernetesObject } from "../machinery/client/kubernetes-object.ts";
import { installManifest, type InstallOptions } from "../manifest/install-manifest.ts";
import { mapComponents, type ComponentOptions } from "../mapping/map-components.ts";
import { mapKinds, type KindOptions } from "../mapping/map-kinds.ts";
import { mapProviderConfig, type ProviderConfigMapping } from "../mapping/map-provider-config.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import type { ProviderLogLine } from "../reconcile/running-operations.ts";

/** An operator: a provider, and the resource types and components of it that become custom resources. */
export type OperatorDefinition = OperatorKinds & (ConfiguredProvider | FixedProvider);

/** The name of an operator, and the kinds that it manages. */
export interface OperatorKinds extends KindOptions, DefinitionOptions, ComponentOptions {
  /** Name of the operator: a DNS label such as `notes-operator`. */
  readonly name: string;
}

/** A provider that takes its configuration from `ProviderConfig` objects, one instance for each. */
export interface ConfiguredProvider {
  /**
   * Returns the supply of instances.
   *
   * @example
   * (log) => installedSupply({ kind: "address", address: "hashicorp/time" }, log)
   */
  readonly supply: (log: ProviderLog) => ProviderSupply;
  readonly open?: undefined;
}

/** A provider with one configuration, which the program or the command has. It has no kinds that only read. */
export interface FixedProvider {
  /**
   * Opens the provider, and again after it has ended. With `configure: false`, only its schemas are used, and it need not be configured.
   *
   * @example
   * async (options) => (await openProvider("hashicorp/time", options)).provider
   */
  readonly open: (options: { readonly configure: boolean } & ProviderLog) => Promise<Provider>;
  /** Source address of the provider, for stored states and messages. */
  readonly providerAddress: string;
  readonly supply?: undefined;
}

/** The listener to the log of a provider, whose lines show the progress of long changes. */
export interface ProviderLog {
  readonly onLog: (line: ProviderLogLine) => void;
  readonly logLevel: LogLevel;
}

/** The mappings of an operator. */
export interface OperatorMappings {
  readonly kinds: readonly KindMapping[];
  /** The configuration of the provider; undefined if it is fixed. */
  readonly config: ProviderConfigMapping | undefined;
}

/** Maps the kinds of an operator from the schemas of its provider. @throws BridgeError `INVALID_ARGUMENTS`, `PROVIDER_FAILED` */
export async function operatorMappings(provider: Provider, definition: OperatorDefinition): Promise<OperatorMappings> {
  const source = await providerSchemas(provider, `group ${definition.group}`);
  const components = mapComponents(source, definition);
  const [component] = components;
  if (component && !definition.supply) {
    const message = `${component.component}.${component.typeName} only reads, which needs ProviderConfig objects: define the operator with a supply`;
    throw new BridgeError("INVALID_ARGUMENTS", message);
  }
  return {
    kinds: [...mapKinds(source, definition), ...components],
    config: definition.supply && mapProviderConfig(source.schemas.provider, definition),
  };
}

/** Maps the kinds of an operator. Opens the provider without configuring it, and closes it again. */
export async function readMappings(definition: OperatorDefinition): Promise<OperatorMappings> {
  const log: ProviderLog = { onLog: () => undefined, logLevel: "error" };
  const provider = await (definition.supply ? definition.supply(log).open() : definition.open({ configure: false, ...log }));
  try {
    return await operatorMappings(provider, definition);
  } finally {
    await provider.close();
  }
}

/** Returns all objects that an operator needs, see {@link installManifest}. Opens the provider without configuring it. */
export async function operatorManifest(
  definition: OperatorDefinition,
  options: Omit<InstallOptions, "name" | "config" | keyof DefinitionOptions>,
): Promise<readonly KubernetesObject[]> {
  const { kinds, config } = await readMappings(definition);
  return installManifest(kinds, { ...definitionOptionsOf(definition), ...options, config, name: definition.name });
}

/** Returns the options of an operator's definitions. */
export function definitionOptionsOf({ version, categories, preferredBytes, maxBytes }: OperatorDefinition): DefinitionOptions {
  return {
    ...(version === undefined ? {} : { version }),
    ...(categories === undefined ? {} : { categories }),
    ...(preferredBytes === undefined ? {} : { preferredBytes }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}
