// SPDX-License-Identifier: Apache-2.0
// A provider for the tests of this package. It keeps notes in memory.
import {
  attr,
  defineProvider,
  importById,
  parameter,
  type Component,
  type ProviderDefinition,
  type Resource,
  type ServedProvider,
} from "../src/index.ts";
import { requiresReplace, useStateForUnknown } from "../src/plan-modifiers/index.ts";
import { stringLength } from "../src/validators/index.ts";

export interface Note {
  readonly id: string;
  readonly title: string;
  readonly folder: string;
  readonly tags: Readonly<Record<string, string>> | null;
  readonly passphrase: string | null;
  readonly revision: number;
}

/** The remote system. Some titles make an operation fail: "refused", "leaky"; see also the handlers below. */
export class Shelf {
  readonly notes: Map<string, Note> = new Map<string, Note>();
  #last = 0;

  put(note: Omit<Note, "id" | "revision">, id: string = String(++this.#last)): Note {
    if (note.title === "refused") throw new Error("the shelf is full", { cause: new Error("disk error 5") });
    if (note.title === "leaky") throw new Error(`wrong passphrase ${note.passphrase}`);
    const made = { ...note, id, revision: (this.notes.get(id)?.revision ?? 0) + 1 };
    this.notes.set(id, made);
    return made;
  }
}

export const notebook: ProviderDefinition<Shelf> = defineProvider({
  name: "notebook",
  version: "1.0.0",
  schema: { path: attr.string({ optional: true }), token: attr.string({ optional: true, sensitive: true }) },
  configure: ({ config }) => {
    if (config.path === "missing") throw new Error(`no file ${config.path}, token ${config.token}`);
    return new Shelf();
  },
});

const fields = ({ title, folder, tags, passphrase }: Omit<Note, "id" | "revision">): Omit<Note, "id" | "revision"> => ({
  title,
  folder,
  tags,
  passphrase,
});

export const note: Resource<Shelf, Note> = notebook.resource("note", {
  description: "One note.",
  schema: {
    id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
    title: attr.string({ required: true, validators: [stringLength({ min: 1, max: 20 })] }),
    folder: attr.string({ default: "inbox", planModifiers: [requiresReplace()] }),
    tags: attr.map(attr.string(), { optional: true }),
    passphrase: attr.string({ optional: true, sensitive: true }),
    revision: attr.number({ computed: true }),
  },
  create: ({ planned, client, saveState, log, privateState, warn }) => {
    log.info("creating", { title: planned.title, passphrase: planned.passphrase });
    if (planned.title === "half") {
      const { id } = client.put(fields(planned));
      saveState({ id, title: planned.title });
      throw new Error("the connection was lost");
    }
    if (planned.title === "warned") warn("Deprecated", "Such notes are deprecated.");
    privateState.set("etag", { of: planned.title });
    return client.put(fields(planned));
  },
  read: ({ state, client }) => client.notes.get(state.id),
  update: ({ state, planned, client, privateState }) => {
    privateState.set("before", privateState.get("etag") ?? null);
    return client.put(fields(planned), state.id);
  },
  delete: ({ state, client }) => {
    if (state.title === "stuck") throw new Error("the note cannot be deleted");
    client.notes.delete(state.id);
  },
  importState: importById("id"),
});

export const search: Component<Shelf> = notebook.dataSource("search", {
  schema: { text: attr.string({ required: true }), titles: attr.list(attr.string(), { computed: true }) },
  read: ({ config, client }) => {
    if (config.text === "!") throw new Error("no such text");
    return { ...config, titles: [...client.notes.values()].map(({ title }) => title).filter((title) => title.includes(config.text)) };
  },
});

export const join: Component<Shelf> = notebook.function("join", {
  parameters: {
    separator: parameter(attr.string({ validators: [stringLength({ max: 3 })] })),
    first: parameter(attr.string(), { allowNull: true }),
  },
  variadic: parameter(attr.string()),
  returns: attr.string(),
  call: ({ separator, first }, rest) => [first ?? "none", ...rest].join(separator),
});

export const provider: ServedProvider = notebook.with([note, search, join]);
