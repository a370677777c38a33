// SPDX-License-Identifier: Apache-2.0
import { attr, importById, type Resource } from "@tenon/provider-sdk";
import { requiresReplace, useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import { timeouts } from "@tenon/provider-sdk/values";
import { waitForState, waitUntilGone } from "@tenon/provider-sdk/remote";
import { path, type Client } from "./client.ts";
import { dns } from "./dns.ts";

/** A zone as the service returns it. */
interface Zone {
  readonly name: string;
  readonly contact: string;
  readonly status: "provisioning" | "active" | "deleting";
  readonly nameservers: readonly string[];
}

const limits = timeouts({ create: "5m", delete: "5m" });

export const zone: Resource<Client> = dns.resource("zone", {
  description: "A zone. The service sets up and removes zones asynchronously.",
  schema: {
    name: attr.string({ required: true, planModifiers: [requiresReplace()] }),
    contact: attr.string({ required: true, description: "E-mail address of the person responsible." }),
    nameservers: attr.list(attr.string(), { computed: true, planModifiers: [useStateForUnknown()] }),
    timeouts: limits.attribute,
  },
  create: async ({ planned, client, signal: interrupted, saveState, result }) => {
    const signal = limits.signal(planned.timeouts, "create", interrupted);
    const { name, contact } = planned;
    await client.post<Zone>("/zones", { body: { name, contact }, signal });
    // The zone exists from here on: an interruption while waiting must not lose it.
    saveState({ name, contact });
    const { nameservers } = await waitForState({
      refresh: async () => (await client.get<Zone>(path("zones", name), { signal }))?.object,
      stateOf: (found) => found.status,
      pending: ["provisioning"],
      target: ["active"],
      backOff: { first: 50 },
      signal,
    });
    return result({ ...planned, nameservers });
  },
  read: async ({ state, client, signal }) => {
    const found = await client.get<Zone>(path("zones", state.name), { signal });
    if (found === undefined || found.object.status === "deleting") return undefined;
    const { name, contact, nameservers } = found.object;
    return { name, contact, nameservers, timeouts: state.timeouts };
  },
  update: async ({ planned, state, client, signal, result }) => {
    await client.put(path("zones", state.name), { body: { contact: planned.contact }, signal });
    return result({ ...planned, nameservers: state.nameservers });
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
