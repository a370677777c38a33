// SPDX-License-Identifier: Apache-2.0
import { attr, importById, requiresReplace, timeouts, useStateForUnknown, type Resource } from "@tenon/provider-sdk";
import { waitForState, waitUntilGone } from "@tenon/provider-sdk/remote";
import { path, type Client } from "./client.ts";
import { dns } from "./dns.ts";

/** As the service tells of it. */
interface Zone {
  readonly name: string;
  readonly contact: string;
  readonly status: "provisioning" | "active" | "deleting";
  readonly nameservers: readonly string[];
}

const limits = timeouts({ create: "5m", delete: "5m" });

export const zone: Resource<Client> = dns.resource("zone", {
  description: "A zone. It takes the service a while to set one up, and to take it down.",
  schema: {
    name: attr.string({ required: true, planModifiers: [requiresReplace()] }),
    contact: attr.string({ required: true, description: "Who is written to when something is wrong." }),
    nameservers: attr.list(attr.string(), { computed: true, planModifiers: [useStateForUnknown()] }),
    timeouts: limits.attribute,
  },
  create: async ({ planned, client, signal: interrupted, saveState, answer }) => {
    const signal = limits.signal(planned.timeouts, "create", interrupted);
    const { name, contact } = planned;
    await client.post<Zone>("/zones", { body: { name, contact }, signal });
    // From here on it exists, whatever happens while it is waited for: a run that is interrupted does not lose it.
    saveState({ name, contact });
    const { nameservers } = await waitForState({
      refresh: async () => (await client.get<Zone>(path("zones", name), { signal }))?.object,
      stateOf: (found) => found.status,
      pending: ["provisioning"],
      target: ["active"],
      backOff: { first: 50 },
      signal,
    });
    return answer({ ...planned, nameservers });
  },
  read: async ({ state, client, signal }) => {
    const found = await client.get<Zone>(path("zones", state.name), { signal });
    if (found === undefined || found.object.status === "deleting") return undefined;
    const { name, contact, nameservers } = found.object;
    return { name, contact, nameservers, timeouts: state.timeouts };
  },
  update: async ({ planned, state, client, signal, answer }) => {
    await client.put(path("zones", state.name), { body: { contact: planned.contact }, signal });
    return answer({ ...planned, nameservers: state.nameservers });
  },
  delete: async ({ state, client, signal: interrupted }) => {
    const signal = limits.signal(state.timeouts, "delete", interrupted);
    await client.delete(path("zones", state.name), { signal });
    await waitUntilGone({
      refresh: async () => (await client.get<Zone>(path("zones", state.name), { signal }))?.object,
      stateOf: (found) => found.status,
      pending: ["deleting"],
      backOff: { first: 50 },
      signal,
    });
  },
  importState: importById("name"),
});
