// SPDX-License-Identifier: Apache-2.0
// The provider from which components are created. It imports no component, so there is no import cycle.
import { attr, defineProvider, type ProviderDefinition } from "../../../src/index.ts";
import { openNotebook, type Notebook } from "../client.ts";

export const notebook: ProviderDefinition<Notebook> = defineProvider({
  name: "notebook",
  version: "1.0.0",
  schema: { path: attr.string({ required: true }) },
  configure: ({ config }) => openNotebook(config.path),
});
