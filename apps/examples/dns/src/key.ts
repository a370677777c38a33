// SPDX-License-Identifier: Apache-2.0
import { attr, replaceInstead, useStateForUnknown, type Resource } from "@tenon/provider-sdk";
import { path, type Client } from "./client.ts";
import { dns } from "./dns.ts";

interface Key {
  readonly id: string;
  readonly zone: string;
  readonly label: string;
}

export const key: Resource<Client> = dns.resource("key", {
  description: "A key that may change one zone. The service shows its secret once; the state has it from then on.",
  schema: {
    id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
    zone: attr.string({ required: true }),
    label: attr.string({ required: true }),
    secret: attr.string({ computed: true, sensitive: true, planModifiers: [useStateForUnknown()] }),
  },
  create: async ({ planned: { zone, label }, client, signal }) =>
    // A secret that comes with an answer is masked in log lines from then on.
    client.post<Key & { readonly secret: string }>("/keys", { body: { zone, label }, signal }),
  read: async ({ state, client, signal }) => {
    const found = await client.get<Key>(path("keys", state.id), { signal });
    return found && { ...found.object, secret: state.secret };
  },
  update: replaceInstead,
  delete: ({ state, client, signal }) => client.delete(path("keys", state.id), { signal }),
});
