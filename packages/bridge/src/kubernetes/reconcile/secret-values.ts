// SPDX-License-Identifier: Apache-2.0
import type { ApiClient } from "../machinery/client/api-client.ts";
import { secrets } from "../machinery/client/api-resource.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import type { Secret } from "../state/state-secret.ts";
import { secretKeyReferences, type SecretKeyReference } from "../values/secret-reference.ts";
import type { ManagedResource } from "./managed-resource.ts";

/** Returns the text in the key of a Secret; undefined where there is none. */
export type SecretValues = (reference: SecretKeyReference) => string | undefined;

/** Reads the Secrets that the parameters of a resource refer to. A namespaced object refers to Secrets of its own namespace only. */
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
