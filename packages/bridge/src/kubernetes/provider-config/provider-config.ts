// SPDX-License-Identifier: Apache-2.0
import type { ApiResource } from "../machinery/client/api-resource.ts";
import { objectKey, type KubernetesObject } from "../machinery/client/kubernetes-object.ts";
import type { ProviderConfigMapping } from "../mapping/map-provider-config.ts";
import type { Condition } from "../reconcile/conditions.ts";
import type { JsonObject } from "../values/json-value.ts";
import type { SecretKeyReference } from "../values/secret-reference.ts";

/** A configuration of a provider: a `ProviderConfig` or `ClusterProviderConfig`. */
export interface ProviderConfig extends KubernetesObject {
  readonly spec: ProviderConfigSpec;
  readonly status?: ProviderConfigStatus;
}

/** What the user writes. */
export interface ProviderConfigSpec {
  /** Fields of the provider's configuration. */
  readonly configuration?: JsonObject;
  readonly credentials?: ProviderCredentials;
}

/** Where further configuration comes from, as a JSON object. */
export interface ProviderCredentials {
  /** Default: `None`. `InjectedIdentity` is the same: the provider finds the identity of the control plane by itself. */
  readonly source?: "None" | "Secret" | "Environment" | "Filesystem" | "InjectedIdentity";
  readonly secretRef?: SecretKeyReference;
  readonly env?: { readonly name: string };
  readonly fs?: { readonly path: string };
}

/** What is known of a configuration. */
export interface ProviderConfigStatus {
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
  readonly provider?: { readonly address?: string; readonly version?: string };
  readonly users?: number;
}

/** Finalizer of configurations, as Crossplane's. */
export const configFinalizer = "in-use.crossplane.io";

/** Place of a configuration. */
export interface ConfigReference {
  readonly kind: string;
  /** Absent for a configuration that is not namespaced. */
  readonly namespace?: string;
  readonly name: string;
}

/** Key of a configuration among those of all kinds: `ProviderConfig/team-a/default`. */
export function configKey({ kind, namespace, name }: ConfigReference): string {
  return `${kind}/${objectKey({ namespace, name })}`;
}

/** Name of a configuration in messages. */
export function configName({ kind, namespace, name }: ConfigReference): string {
  return `${kind} ${objectKey({ namespace, name })}`;
}

/** The kinds of configurations as the API serves them. */
export interface ConfigResources {
  /** Kinds of configurations, the default of references first. */
  readonly configs: readonly ApiResource[];
  readonly usages: ApiResource;
}

/** Returns the kinds of configurations as the API serves them. */
export function configResources({ group, scope }: Pick<ProviderConfigMapping, "group" | "scope">, version: string): ConfigResources {
  const resource = (kind: string, namespaced: boolean): ApiResource => ({
    group,
    version,
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced,
  });
  const isNamespaced = scope === "Namespaced";
  return {
    configs: isNamespaced
      ? [resource("ClusterProviderConfig", false), resource("ProviderConfig", true)]
      : [resource("ProviderConfig", false)],
    usages: resource("ProviderConfigUsage", isNamespaced),
  };
}
