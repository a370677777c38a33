// SPDX-License-Identifier: Apache-2.0
import { attr, importById, type Resource } from "@tenon/provider-sdk";
import { requiresReplace } from "@tenon/provider-sdk/plan-modifiers";
import { between, oneOf, size } from "@tenon/provider-sdk/validators";
import { path, type Client } from "./client.ts";
import { dns } from "./dns.ts";

/** A record set as the service returns it. */
export interface RecordSet {
  readonly zone: string;
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly values: readonly string[];
}

export interface RecordIdentity {
  readonly zone: string;
  readonly name: string;
  readonly type: string;
}

const pathOf = ({ zone, name, type }: RecordIdentity): string => path("records", zone, name, type);

export const record: Resource<Client, RecordSet, RecordIdentity> = dns.resource("record", {
  description: "The records of one name and type in a zone.",
  schema: {
    zone: attr.string({ required: true, planModifiers: [requiresReplace()] }),
    name: attr.string({ required: true, planModifiers: [requiresReplace()] }),
    type: attr.string({ required: true, validators: [oneOf(["A", "AAAA", "CNAME", "TXT"])], planModifiers: [requiresReplace()] }),
    ttl: attr.number({ default: 300, description: "Seconds that a resolver may cache the records.", validators: [between(30, 86_400)] }),
    // A set, because the service may return the values in another order, which is not drift.
    values: attr.set(attr.string(), { required: true, validators: [size({ min: 1 })] }),
  },
  identity: { zone: attr.string(), name: attr.string(), type: attr.string() },
  validate: ({ config, error }) => {
    if (config.type === "CNAME" && Array.isArray(config.values) && config.values.length > 1) error("values", "A CNAME has one value.");
  },
  create: async ({ planned, client, signal, privateState }) => {
    // `put` creates or overwrites; a create must not overwrite existing records.
    if ((await client.get(pathOf(planned), { signal })) !== undefined) {
      throw new Error(
        `${planned.name} already has ${planned.type} records: import them as ${planned.zone}/${planned.name}/${planned.type}`,
      );
    }
    const { object, version } = await client.put<RecordSet>(pathOf(planned), {
      body: { ttl: planned.ttl, values: planned.values },
      signal,
    });
    privateState.set("version", version);
    return object;
  },
  read: async ({ state, client, signal, privateState }) => {
    const found = await client.get<RecordSet>(pathOf(state), { signal });
    if (found === undefined) return undefined;
    privateState.set("version", found.version);
    return found.object;
  },
  update: async ({ planned, client, signal, privateState }) => {
    const body = { ttl: planned.ttl, values: planned.values };
    // The version of the plan: if another client has changed the records since, the service rejects the update.
    const known = privateState.get("version");
    const { object, version } = await client.put<RecordSet>(pathOf(planned), { body, signal, version: known as string | undefined });
    privateState.set("version", version);
    return object;
  },
  delete: ({ state, client, signal }) => client.delete(pathOf(state), { signal }),
  importState: importById("zone", "name", "type"),
});
