// SPDX-License-Identifier: Apache-2.0
// A provider of 1,000 resource types, whose Pulumi schema has some 5 MB.
import { attr, defineProvider, nested, type ServedProvider } from "@tenon/provider-sdk";
import { serve } from "@tenon/provider-sdk/serve";

const large = defineProvider({ name: "large", version: "1.0.0", configure: () => undefined });

const description = (subject: string): string =>
  `The ${subject} of the object, as the service returns it. It is between 1 and 64 characters, or empty for the default of the project.`;

const computed = { location: "here", created_at: "now", endpoint: "localhost", revision: 1, status: "ready" };

const resources = Array.from({ length: 1000 }, (_, number) =>
  large.resource(`thing_${number}`, {
    description: `Thing number ${number} of the service.`,
    schema: {
      id: attr.string({ computed: true }),
      name: attr.string({ required: true, description: description("name") }),
      size: attr.number({ optional: true, description: description("size") }),
      enabled: attr.bool({ optional: true }),
      labels: attr.map(attr.string(), { optional: true }),
      zones: attr.list(attr.string(), { optional: true, description: description("zones") }),
      location: attr.string({ optional: true, computed: true, description: description("location") }),
      tier: attr.string({ optional: true, description: description("tier") }),
      owner: attr.string({ optional: true, sensitive: true, description: description("owner") }),
      created_at: attr.string({ computed: true, description: description("time of creation") }),
      endpoint: attr.string({ computed: true, description: description("endpoint") }),
      revision: attr.number({ computed: true, description: description("revision") }),
      status: attr.string({ computed: true, description: description("status") }),
      network: nested.single(
        { subnet_id: attr.string({ required: true, description: description("subnet") }), public: attr.bool({ optional: true }) },
        { optional: true },
      ),
    },
    create: ({ planned }) => ({ ...planned, ...computed, id: "one" }),
    read: ({ state }) => state,
    update: ({ planned, state }) => ({ ...planned, ...computed, id: state.id }),
    delete: () => {},
  }),
);

const provider: ServedProvider = large.with(resources);

await serve(async () => ({ provider }));
