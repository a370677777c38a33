// SPDX-License-Identifier: Apache-2.0
import { attr, importById, nested, type Resource } from "@tenon/provider-sdk";
import { requiresReplace, useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import { between, oneOf, size } from "@tenon/provider-sdk/validators";
import { notebook } from "./notebook.ts";
import type { Notebook, Page } from "./store.ts";

export const page: Resource<Notebook, Page> = notebook.resource("page", {
  description: "A page of a note.",
  schema: {
    id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
    note_id: attr.string({ required: true, description: "Id of the note that contains the page.", planModifiers: [requiresReplace()] }),
    text: attr.string({ required: true }),
    layout: nested.single(
      {
        columns: attr.number({ default: 1, description: "Number of columns, 1 to 4.", validators: [between(1, 4)] }),
        paper: attr.string({ required: true, validators: [oneOf(["a4", "a5", "letter"])] }),
      },
      { optional: true, description: "Layout for printing." },
    ),
    labels: attr.set(attr.string(), {
      optional: true,
      description: "Labels in lower case.",
      validators: [size({ min: 1 })],
    }),
  },
  create: async ({ planned, client, signal, saveState, result }) => {
    const id = await client.createPage(planned, signal);
    // The page exists from here on, even if its labels are rejected.
    saveState({ ...planned, id, labels: null });
    client.labelPage(id, planned.labels ?? []);
    return result({ ...planned, id });
  },
  read: ({ state, client }) => client.findPage(state.id),
  update: async ({ state, planned, client, signal, result }) => {
    await client.changePage(state.id, planned, signal);
    client.labelPage(state.id, planned.labels ?? []);
    return result({ ...planned, id: state.id });
  },
  delete: ({ state, client, signal }) => client.removePage(state.id, signal),
  importState: importById("id"),
});
