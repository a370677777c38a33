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

/** The desired state of a configuration. */
export interface ProviderConfigSpec {
  /** Fields of the provider's configuration. */
  readonly configuration?: JsonObject;
  readonly credentials?: ProviderCredentials;
}

/** The source of further configuration: a JSON object. */
export interface ProviderCredentials {
  /** Default: `None`. `InjectedIdentity` means the same: the provider finds the identity of the control plane itself. */
  readonly source?: "None" | "Secret" | "Environment" | "Filesystem" | "InjectedIdentity";
  readonly secretRef?: SecretKeyReference;
  readonly env?: { readonly name: string };
  readonly fs?: { readonly path: string };
}

/** The status of a configuration. */
export interface ProviderConfigStatus {
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
  readonly provider?: { readonly address?: string; readonly version?: string };
  readonly users?: number;
}

/** Finalizer of configurations, as in Crossplane. */
export const configFinalizer = "in-use.crossplane.io";

/** The address of a configuration. */
export interface ConfigReference {
  readonly kind: string;
  /** Absent for a cluster-scoped configuration. */
  readonly namespace?: string;
  readonly name: string;
}

/** The key of a configuration, such as `ProviderConfig/team-a/default`. Unique among all kinds of configurations. */
export function configKey({ kind, namespace, name }: ConfigReference): string {
  return `${kind}/${objectKey({ namespace, name })}`;
}

/** The name of a configuration in messages. */
export function configName({ kind, namespace, name }: ConfigReference): string {
  return `${kind} ${objectKey({ namespace, name })}`;
}

/** The kinds of configurations and usages, as resources of the API. */
export interface ConfigResources {
  /** The kinds of configurations; first the default kind of references. */
  readonly configs: readonly ApiResource[];
  readonly usages: ApiResource;
}

/** Returns the kinds of configurations and usages, as resources of the API. */
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
