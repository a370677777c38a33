// SPDX-License-Identifier: Apache-2.0
import { attr, type Component } from "../../../src/index.ts";
import type { Notebook } from "../client.ts";
import { notebook } from "./notebook.ts";

export const page: Component<Notebook> = notebook.dataSource("page", {
  schema: { id: attr.string({ required: true }), total: attr.number({ computed: true }) },
  read: async ({ config, client }) => ({ ...config, total: await client.count() }),
});
