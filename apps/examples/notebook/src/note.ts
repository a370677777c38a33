// SPDX-License-Identifier: Apache-2.0
import { attr, importById, type Resource } from "@tenon/provider-sdk";
import { requiresReplace, useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import { stringLength } from "@tenon/provider-sdk/validators";
import { notebook } from "./notebook.ts";
import type { Note, Notebook } from "./store.ts";

export const note: Resource<Notebook, Note> = notebook.resource("note", {
  description: "A note.",
  schema: {
    id: attr.string({ computed: true, description: "Number of the note.", planModifiers: [useStateForUnknown()] }),
    title: attr.string({ required: true, description: "Title of the note.", validators: [stringLength({ min: 1, max: 80 })] }),
    folder: attr.string({
      default: "inbox",
      description: "Folder of the note. A note cannot move to another folder.",
      planModifiers: [requiresReplace()],
    }),
    body: attr.string({ optional: true, description: "Text of the note." }),
    tags: attr.map(attr.string(), { optional: true, description: "Tags by name." }),
    passphrase: attr.string({ optional: true, sensitive: true, description: "Passphrase that protects the note." }),
    revision: attr.number({ computed: true, description: "Number of the revision, from 1." }),
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
