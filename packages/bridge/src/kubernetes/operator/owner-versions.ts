// SPDX-License-Identifier: Apache-2.0
import type { ApiClient } from "../machinery/client/api-client.ts";
import { isConflict, isNotFound } from "../machinery/client/api-error.ts";
import { secrets, type ApiResource } from "../machinery/client/api-resource.ts";
import type { KubernetesObject } from "../machinery/client/kubernetes-object.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import { configResources } from "../provider-config/provider-config.ts";
import type { ProviderConfigUsage } from "../provider-config/usage-tracker.ts";
import { ephemeralOwnerLabel } from "../read/ephemeral-secret.ts";
import { connectionOwnerLabel } from "../reconcile/connection-cache.ts";
import { ownerLabel } from "../state/state-secret.ts";
import type { ConfigMigration } from "../versions/migrate-config-definitions.ts";

/** A kind, and the version that its objects have. */
interface VersionedKind {
  readonly kind: KindMapping;
  readonly version: string;
}

/** An object that may name other objects with a version: as its owners, or as the user of a configuration. */
type Referring = KubernetesObject & Partial<Pick<ProviderConfigUsage, "resourceRef">>;

/**
 * Corrects the versions in references to the objects of these kinds: in Secrets with states, connection details and ephemeral values, and in usages of
 * configurations.
 *
 * The garbage collector of Kubernetes asks the API server for the owner in the version that the reference names, before it deletes an object. While that
 * version is not served, this fails, and is repeated.
 *
 * @see k8s.io/kubernetes pkg/controller/garbagecollector, `isDangling` and `apiResource`
 */
export async function updateOwnerVersions(
  client: ApiClient,
  kinds: readonly VersionedKind[],
  configs: readonly ConfigMigration[],
  signal?: AbortSignal,
): Promise<void> {
  const versions = new Map(kinds.map(({ kind, version }) => [`${kind.group}/${kind.names.kind}`, version]));
  for (const label of [ownerLabel, connectionOwnerLabel, ephemeralOwnerLabel]) {
    await updateAll(client, secrets, label, versions, signal);
  }
  const usage = configs.find(({ kind }) => kind === "ProviderConfigUsage");
  const [first] = kinds;
  if (usage && first) await updateAll(client, configResources(first.kind, usage.version).usages, undefined, versions, signal);
}

/** Corrects all objects of a resource with a label. */
async function updateAll(
  client: ApiClient,
  resource: ApiResource,
  label: string | undefined,
  versions: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let isComplete = false;
  while (!isComplete) {
    isComplete = true;
    let next: string | undefined;
    do {
      const page = await client.list<Referring>(resource, {
        limit: 500,
        labelSelector: label,
        signal,
        ...(next === undefined ? {} : { continue: next }),
      });
      for (const object of page.items) if (!(await update(client, resource, object, versions, signal))) isComplete = false;
      next = page.metadata.continue;
    } while (next !== undefined && next !== "");
  }
}

/** Corrects one object. Returns false if it was changed since it was read. */
async function update(
  client: ApiClient,
  resource: ApiResource,
  { metadata, resourceRef }: Referring,
  versions: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { namespace, name, resourceVersion, ownerReferences = [] } = metadata;
  const owners = ownerReferences.map((reference) => withServedVersion(reference, versions));
  const user = resourceRef && withServedVersion(resourceRef, versions);
  if (user === resourceRef && owners.every((owner, index) => owner === ownerReferences[index])) return true;
  const patch = { metadata: { resourceVersion, ownerReferences: owners }, ...(user ? { resourceRef: user } : {}) };
  try {
    await client.mergePatch(resource, { namespace, name }, patch, { signal });
    return true;
  } catch (error) {
    if (isNotFound(error)) return true;
    if (isConflict(error)) return false;
    throw error;
  }
}

/** Returns a reference with the version of its kind; the same reference if it has that version, or names another kind. */
function withServedVersion<Reference extends { readonly apiVersion: string; readonly kind: string }>(
  reference: Reference,
  versions: ReadonlyMap<string, string>,
): Reference {
  const [group, version] = reference.apiVersion.split("/");
  const served = versions.get(`${group}/${reference.kind}`);
  return served === undefined || served === version ? reference : { ...reference, apiVersion: `${group}/${served}` };
}
