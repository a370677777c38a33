// SPDX-License-Identifier: Apache-2.0
import { attr, importById, type Resource } from "../../../src/index.ts";
import type { Note, Notebook } from "../client.ts";
import { notebook } from "./notebook.ts";

/** The optional second type parameter is the type of the resource's state. The compiler checks it. */
export const note: Resource<Notebook, Note> = notebook.resource("note", {
  schema: {
    id: attr.string({ computed: true }),
    title: attr.string({ required: true }),
    tags: attr.map(attr.string(), { optional: true }),
  },
  create: ({ planned, client }) => client.insert(planned),
  read: ({ state, client }) => client.find(state.id),
  update: ({ planned, client }) => client.save(planned),
  delete: ({ state, client }) => client.remove(state.id),
  importState: importById("id"),
});
