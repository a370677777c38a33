// SPDX-License-Identifier: Apache-2.0
import { attr, nested, type Component } from "@tenon/provider-sdk";
import { notebook } from "./notebook.ts";
import type { Notebook } from "./store.ts";

export const search: Component<Notebook> = notebook.dataSource("search", {
  description: "Finds notes by title.",
  schema: {
    text: attr.string({ required: true, description: "Part of the title, case-insensitive." }),
    folder: attr.string({ optional: true, description: "Only notes in this folder." }),
    notes: nested.list(
      { id: attr.string({ computed: true }), title: attr.string({ computed: true }), folder: attr.string({ computed: true }) },
      { computed: true, description: "Notes found, oldest first." },
    ),
  },
  read: ({ config, client }) => ({
    ...config,
    notes: client.searchNotes(config.text, config.folder).map(({ id, title, folder }) => ({ id, title, folder })),
  }),
});
