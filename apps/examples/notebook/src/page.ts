// SPDX-License-Identifier: Apache-2.0
import { attr, between, importById, nested, oneOf, requiresReplace, size, useStateForUnknown, type Resource } from "@tenon/provider-sdk";
import { notebook } from "./notebook.ts";
import type { Notebook, Page } from "./store.ts";

export const page: Resource<Notebook, Page> = notebook.resource("page", {
  description: "A page of a note.",
  schema: {
    id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
    note_id: attr.string({ required: true, description: "The note it belongs to.", planModifiers: [requiresReplace()] }),
    text: attr.string({ required: true }),
    layout: nested.single(
      {
        columns: attr.number({ default: 1, description: "1 to 4.", validators: [between(1, 4)] }),
        paper: attr.string({ required: true, validators: [oneOf(["a4", "a5", "letter"])] }),
      },
      { optional: true, description: "How it is printed." },
    ),
    labels: attr.set(attr.string(), {
      optional: true,
      description: "Lower case words; left out for none.",
      validators: [size({ min: 1 })],
    }),
  },
  create: async ({ planned, client, signal, saveState, answer }) => {
    const id = await client.createPage(planned, signal);
    // The page is there now, whatever becomes of its labels.
    saveState({ ...planned, id, labels: null });
    client.labelPage(id, planned.labels ?? []);
    return answer({ ...planned, id });
  },
  read: ({ state, client }) => client.findPage(state.id),
  update: async ({ state, planned, client, signal, answer }) => {
    await client.changePage(state.id, planned, signal);
    client.labelPage(state.id, planned.labels ?? []);
    return answer({ ...planned, id: state.id });
  },
  delete: ({ state, client, signal }) => client.removePage(state.id, signal),
  importState: importById("id"),
});
