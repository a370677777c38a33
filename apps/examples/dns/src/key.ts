// SPDX-License-Identifier: Apache-2.0
import { attr, replaceInstead, type Resource } from "@tenon/provider-sdk";
import { useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import { path, type Client } from "./client.ts";
import { dns } from "./dns.ts";

interface Key {
  readonly id: string;
  readonly zone: string;
  readonly label: string;
}

export const key: Resource<Client> = dns.resource("key", {
  description: "A key that may change one zone. The service shows the secret once; afterwards it is only in the state.",
  schema: {
    id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
    zone: attr.string({ required: true }),
    label: attr.string({ required: true }),
    secret: attr.string({ computed: true, sensitive: true, planModifiers: [useStateForUnknown()] }),
  },
  create: async ({ planned: { zone, label }, client, signal }) =>
    // From here on, log lines mask the secret.
    client.post<Key & { readonly secret: string }>("/keys", { body: { zone, label }, signal }),
  read: async ({ state, client, signal }) => {
    const found = await client.get<Key>(path("keys", state.id), { signal });
    return found && { ...found.object, secret: state.secret };
  },
  update: replaceInstead,
  delete: ({ state, client, signal }) => client.delete(path("keys", state.id), { signal }),
});
