// SPDX-License-Identifier: Apache-2.0
// The provider definition that every component uses. It imports no component, to avoid a circular import.
import { attr, defineProvider, type ProviderDefinition } from "@tenon/provider-sdk";
import { atLeast, stringLength } from "@tenon/provider-sdk/validators";
import { Notebook } from "./store.ts";

export const notebook: ProviderDefinition<Notebook> = defineProvider({
  name: "notebook",
  version: "1.0.0",
  schema: {
    path: attr.string({
      required: true,
      description: "Path of the SQLite file, which is created when it does not exist.",
      validators: [stringLength({ min: 1 })],
    }),
    latency_ms: attr.number({ optional: true, description: "Milliseconds to wait before each write.", validators: [atLeast(0)] }),
  },
  configure: ({ config }) => new Notebook(config.path, { latencyMs: config.latency_ms ?? 0 }),
});
