// SPDX-License-Identifier: Apache-2.0
// What every component of this provider is made from. It imports no component, so there is no circle.
import { atLeast, attr, defineProvider, stringLength, type ProviderDefinition } from "@tenon/provider-sdk";
import { Notebook } from "./store.ts";

export const notebook: ProviderDefinition<Notebook> = defineProvider({
  name: "notebook",
  version: "1.0.0",
  schema: {
    path: attr.string({
      required: true,
      description: "The SQLite file. It is made when it is not there.",
      validators: [stringLength({ min: 1 })],
    }),
    latency_ms: attr.number({ optional: true, description: "Milliseconds to wait before each write.", validators: [atLeast(0)] }),
  },
  configure: ({ config }) => new Notebook(config.path, { latencyMs: config.latency_ms ?? 0 }),
});
