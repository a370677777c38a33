// SPDX-License-Identifier: Apache-2.0
import { attr, importById, requiresReplace, stringLength, useStateForUnknown, type Resource } from "@tenon/provider-sdk";
import { notebook } from "./notebook.ts";
import type { Note, Notebook } from "./store.ts";

export const note: Resource<Notebook, Note> = notebook.resource("note", {
  description: "One note.",
  schema: {
    id: attr.string({ computed: true, description: "Number of the note.", planModifiers: [useStateForUnknown()] }),
    title: attr.string({ required: true, description: "What the note is called.", validators: [stringLength({ min: 1, max: 80 })] }),
    folder: attr.string({ default: "inbox", description: "Where it is kept. A note cannot move.", planModifiers: [requiresReplace()] }),
    body: attr.string({ optional: true, description: "What it says." }),
    tags: attr.map(attr.string(), { optional: true, description: "Names and values." }),
    passphrase: attr.string({ optional: true, sensitive: true, description: "Who knows it may read the note." }),
    revision: attr.number({ computed: true, description: "1 at first, one more with each change." }),
  },
  create: ({ planned, client, signal, log }) => {
    log.debug("creating note", { title: planned.title });
    return client.createNote(planned, signal);
  },
  read: ({ state, client }) => client.findNote(state.id),
  update: ({ state, planned, client, signal }) => client.changeNote(state.id, planned, signal),
  delete: ({ state, client, signal }) => client.removeNote(state.id, signal),
  importState: importById("id"),
});
