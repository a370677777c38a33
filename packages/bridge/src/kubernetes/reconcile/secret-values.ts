// SPDX-License-Identifier: Apache-2.0
import type { ApiClient } from "../machinery/client/api-client.ts";
import { secrets } from "../machinery/client/api-resource.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import type { Secret } from "../state/state-secret.ts";
import { secretKeyReferences, type SecretKeyReference } from "../values/secret-reference.ts";
import type { ManagedResource } from "./managed-resource.ts";

/** Returns the text under a key of a Secret; undefined if the Secret or the key does not exist. */
export type SecretValues = (reference: SecretKeyReference) => string | undefined;

/** Reads the Secrets to which the parameters of a resource refer. A namespaced object can refer only to Secrets of its own namespace. */
export async function secretValues(
  client: ApiClient,
  kind: KindMapping,
  owner: ManagedResource,
  signal: AbortSignal,
): Promise<SecretValues> {
  const { forProvider, initProvider = {} } = owner.spec;
  const placeOf = ({ name, namespace }: SecretKeyReference): string => `${owner.metadata.namespace ?? namespace ?? ""}/${name}`;
  const references = [...secretKeyReferences(kind, forProvider), ...secretKeyReferences(kind, initProvider)];
  const found = new Map<string, Secret | undefined>();
  await Promise.all(
    [...new Set(references.map(placeOf))].map(async (place) => {
      const [namespace, name] = place.split("/") as [string, string];
      found.set(place, await client.find<Secret>(secrets, { namespace, name }, { signal }));
    }),
  );
  return (reference) => {
    const data = found.get(placeOf(reference))?.data?.[reference.key];
    return data === undefined ? undefined : Buffer.from(data, "base64").toString("utf8");
  };
}
