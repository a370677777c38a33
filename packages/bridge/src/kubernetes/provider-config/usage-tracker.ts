// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { ObjectCache, type ObjectCacheSettings } from "../machinery/cache/object-cache.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { isAlreadyExists, isNamespaceTerminating, isNotFound } from "../machinery/client/api-error.ts";
import type { ApiResource } from "../machinery/client/api-resource.ts";
import type { KubernetesObject } from "../machinery/client/kubernetes-object.ts";
import { objectReference, ownerUid, type StateOwner } from "../state/state-secret.ts";
import { configKey, type ConfigReference } from "./provider-config.ts";

/** A `ProviderConfigUsage`: the record that an object uses a configuration. Its name is the UID of the object. */
export interface ProviderConfigUsage extends KubernetesObject {
  readonly providerConfigRef: { readonly kind: string; readonly name: string };
  readonly resourceRef: { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly uid: string };
}

/** Labels of usages, as in Crossplane. */
export const usageLabels = { name: "crossplane.io/provider-config", kind: "crossplane.io/provider-config-kind" } as const;

const byConfig = "config";

/** Records usages of configurations in the API, and caches them. */
export class UsageTracker {
  readonly cache: ObjectCache<ProviderConfigUsage>;
  readonly #client: ApiClient;
  readonly #resource: ApiResource;
  /** Configuration by UID of the object, for usages that this process has written and the cache may not have yet. */
  readonly #tracked = new Map<string, string>();

  /** @param watch - Options of the cache. Default: the usages of all namespaces. */
  constructor(
    client: ApiClient,
    resource: ApiResource,
    watch: Pick<ObjectCacheSettings<ProviderConfigUsage>, "namespace" | "onStep"> = {},
  ) {
    this.#client = client;
    this.#resource = resource;
    const indexes = { [byConfig]: (usage: ProviderConfigUsage) => [configOf(usage)] };
    this.cache = new ObjectCache<ProviderConfigUsage>(client, resource, { ...watch, indexes });
  }

  /** The usages of a configuration. */
  usagesOf(reference: ConfigReference): readonly ProviderConfigUsage[] {
    return this.cache.objects.byIndex(byConfig, configKey(reference));
  }

  /**
   * Records that an object uses a configuration, unless that is recorded already. For an object that is being deleted, a refusal is ignored: in a
   * namespace that is being deleted, the API server refuses new objects.
   */
  async track(reference: ConfigReference, owner: StateOwner, signal?: AbortSignal): Promise<void> {
    const key = configKey(reference);
    const uid = ownerUid(owner);
    const known = this.#tracked.get(uid) ?? this.#knownConfig(owner, uid);
    if (known === key) return;
    const usage = usageOf(reference, owner, this.#resource.namespaced);
    const { namespace, name, labels } = usage.metadata;
    if (known === undefined) {
      try {
        await this.#client.create(this.#resource, usage, { signal });
        this.#tracked.set(uid, key);
        return;
      } catch (error) {
        if (isNamespaceTerminating(error) && owner.metadata.deletionTimestamp !== undefined) return;
        if (!isAlreadyExists(error)) throw error;
      }
    }
    const patch = { metadata: { labels }, providerConfigRef: usage.providerConfigRef };
    await this.#client.mergePatch(this.#resource, { namespace, name }, patch, { signal });
    this.#tracked.set(uid, key);
  }

  /** Removes the record of an object that was deleted. */
  async release(owner: StateOwner): Promise<void> {
    const uid = ownerUid(owner);
    this.#tracked.delete(uid);
    await this.#delete({ namespace: owner.metadata.namespace, name: uid });
  }

  /** Removes a record whose object no longer exists. */
  async remove({ metadata: { namespace, name } }: ProviderConfigUsage): Promise<void> {
    this.#tracked.delete(name);
    await this.#delete({ namespace, name });
  }

  async #delete({ namespace, name }: { readonly namespace: string | undefined; readonly name: string }): Promise<void> {
    try {
      await this.#client.delete(this.#resource, { name, ...(this.#resource.namespaced ? { namespace } : {}) });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #knownConfig({ metadata: { namespace } }: StateOwner, uid: string): string | undefined {
    const usage = this.cache.objects.get(this.#resource.namespaced ? `${namespace}/${uid}` : uid);
    return usage && configOf(usage);
  }
}

/** The key of the configuration in a usage. */
export function configOf({ metadata: { namespace }, providerConfigRef: { kind, name } }: ProviderConfigUsage): string {
  return configKey({ kind, name, ...(kind === "ProviderConfig" && namespace !== undefined ? { namespace } : {}) });
}

function usageOf({ kind, name }: ConfigReference, owner: StateOwner, isNamespaced: boolean): ProviderConfigUsage {
  const reference = objectReference(owner);
  const { metadata } = owner;
  return {
    metadata: {
      name: reference.uid,
      ...(isNamespaced && metadata.namespace !== undefined ? { namespace: metadata.namespace } : {}),
      labels: { [usageLabels.name]: labelValue(name), [usageLabels.kind]: kind },
      ownerReferences: [{ ...reference, controller: true, blockOwnerDeletion: true }],
    },
    providerConfigRef: { kind, name },
    resourceRef: reference,
  };
}

/** Shortens a name of up to 253 characters to the 63 characters of a label. */
function labelValue(name: string): string {
  return name.length <= 63 ? name : `${name.slice(0, 46)}-${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}
