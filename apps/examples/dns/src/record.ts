// SPDX-License-Identifier: Apache-2.0
import { attr, between, importById, oneOf, requiresReplace, size, type Resource } from "@tenon/provider-sdk";
import { path, type Client } from "./client.ts";
import { dns } from "./dns.ts";

/** What is said under one name, as the service tells of it. */
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
  description: "What a zone says under one name.",
  schema: {
    zone: attr.string({ required: true, planModifiers: [requiresReplace()] }),
    name: attr.string({ required: true, planModifiers: [requiresReplace()] }),
    type: attr.string({ required: true, validators: [oneOf(["A", "AAAA", "CNAME", "TXT"])], planModifiers: [requiresReplace()] }),
    ttl: attr.number({ default: 300, description: "Seconds that an answer may be kept.", validators: [between(30, 86_400)] }),
    // In no order: the service may answer them in another one, and that is no drift.
    values: attr.set(attr.string(), { required: true, validators: [size({ min: 1 })] }),
  },
  identity: { zone: attr.string(), name: attr.string(), type: attr.string() },
  validate: ({ config, error }) => {
    if (config.type === "CNAME" && Array.isArray(config.values) && config.values.length > 1) error("values", "A CNAME has one value.");
  },
  create: async ({ planned, client, signal, privateState }) => {
    // `put` makes and changes: what is there already is not ours to overwrite.
    if ((await client.get(pathOf(planned), { signal })) !== undefined) {
      throw new Error(
        `${planned.name} has ${planned.type} records already: import them as ${planned.zone}/${planned.name}/${planned.type}`,
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
    // The version that was planned with: whoever changed it since then is told of, and not overwritten.
    const known = privateState.get("version");
    const { object, version } = await client.put<RecordSet>(pathOf(planned), { body, signal, version: known as string | undefined });
    privateState.set("version", version);
    return object;
  },
  delete: ({ state, client, signal }) => client.delete(pathOf(state), { signal }),
  importState: importById("zone", "name", "type"),
});
