// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import type { DefinitionOptions } from "../crd/definition.ts";
import type { KubernetesObject } from "../machinery/client/kubernetes-object.ts";
import { installManifest, type InstallOptions } from "../manifest/install-manifest.ts";
import { mapProviderKinds, type KindOptions } from "../mapping/map-kinds.ts";

/** An operator: a provider, and the resource types of it that become custom resources. */
export interface OperatorDefinition extends KindOptions, DefinitionOptions {
  /** Name of the operator: a DNS label such as `notes-operator`. */
  readonly name: string;
  /**
   * Opens the provider. With `configure: false`, only its schemas are used, and it need not be configured.
   *
   * @example
   * async (options) => (await openProvider("hashicorp/time", options)).provider
   */
  readonly open: (options: { readonly configure: boolean }) => Promise<Provider>;
  /** Source address of the provider, for stored states and messages. */
  readonly providerAddress: string;
}

/** Returns all objects that an operator needs, see {@link installManifest}. Opens the provider without configuring it. */
export async function operatorManifest(
  definition: OperatorDefinition,
  options: Omit<InstallOptions, "name" | keyof DefinitionOptions>,
): Promise<readonly KubernetesObject[]> {
  const provider = await definition.open({ configure: false });
  try {
    const kinds = await mapProviderKinds(provider, definition);
    return installManifest(kinds, { ...definitionOptionsOf(definition), ...options, name: definition.name });
  } finally {
    await provider.close();
  }
}

function definitionOptionsOf({ version, categories, preferredBytes, maxBytes }: OperatorDefinition): DefinitionOptions {
  return {
    ...(version === undefined ? {} : { version }),
    ...(categories === undefined ? {} : { categories }),
    ...(preferredBytes === undefined ? {} : { preferredBytes }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}
