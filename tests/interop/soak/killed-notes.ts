// SPDX-License-Identifier: Apache-2.0
// A provider for notes whose resource types differ in how a note is found again: by a number that the notebook chooses, by the name of the custom
// resource, or by an identity that is planned. Notes of a fourth type cannot be imported.
import { Notebook, type Note } from "@tenon/example-notebook/store";
import { attr, defineProvider, importById, type ServedProvider } from "@tenon/provider-sdk";
import { useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import type { ResourceRules } from "@tenon/bridge/kubernetes";

const notebook = defineProvider({
  name: "notebook",
  version: "1.0.0",
  schema: { path: attr.string({ required: true }), latency_ms: attr.number({ optional: true }) },
  configure: ({ config }) => new Notebook(config.path, { latencyMs: config.latency_ms ?? 0 }),
});

const title = attr.string({ required: true });
const name = attr.string({ required: true });
const id = attr.string({ computed: true, planModifiers: [useStateForUnknown()] });

/** Declares a type of notes that are known by a number after their creation only. */
function numberedNote(typeName: string, isImportable: boolean) {
  return notebook.resource(typeName, {
    schema: { id, title },
    create: async ({ planned, client, signal }) => ({ ...planned, ...numbered(await client.createNote(fieldsOf(planned), signal)) }),
    read: ({ state, client }) => {
      const found = client.findNote(state.id);
      return found && numbered(found);
    },
    update: async ({ state, planned, client, signal }) => numbered(await client.changeNote(state.id, fieldsOf(planned), signal)),
    delete: ({ state, client, signal }) => client.removeNote(state.id, signal),
    ...(isImportable ? { importState: importById("id") } : {}),
  });
}

const note = numberedNote("note", true);

/** Notes without import: without their state, they are lost. */
const unimportableNote = numberedNote("unimportable_note", false);

/** Notes whose name is the external name. */
const namedNote = notebook.resource("named_note", {
  schema: { name, title },
  create: async ({ planned, client, signal }) => {
    await client.createNote(fieldsOf(planned), signal);
    return planned;
  },
  read: ({ state, client }) => {
    const found = noteOf(client, state.name);
    return found && { name: state.name, title: found.title };
  },
  update: async ({ state, planned, client, signal }) => {
    await client.changeNote(noteOf(client, state.name)?.id ?? "", fieldsOf(planned), signal);
    return planned;
  },
  delete: async ({ state, client, signal }) => {
    const found = noteOf(client, state.name);
    if (found) await client.removeNote(found.id, signal);
  },
  importState: importById("name"),
});

/** Notes with an identity, which the plan of a creation knows, and a number that it does not know. */
const identifiedNote = notebook.resource("identified_note", {
  schema: { id, name, title },
  identity: { name: attr.string() },
  // With a planned identity, an interrupted creation is found.
  plan: ({ planned, setIdentity }) => {
    if (typeof planned.name === "string") setIdentity({ name: planned.name });
  },
  create: async ({ planned, client, signal }) => ({ ...planned, ...numbered(await client.createNote(fieldsOf(planned), signal)) }),
  read: ({ state, client }) => {
    const found = noteOf(client, state.name);
    return found && { name: state.name, ...numbered(found) };
  },
  update: async ({ state, planned, client, signal }) => ({
    name: state.name,
    ...numbered(await client.changeNote(state.id, fieldsOf(planned), signal)),
  }),
  delete: async ({ state, client, signal }) => {
    const found = noteOf(client, state.name);
    if (found) await client.removeNote(found.id, signal);
  },
  importState: importById("name"),
});

/** The provider. Its resource types are the keys of {@link noteRules}. */
export const provider: ServedProvider = notebook.with([note, namedNote, identifiedNote, unimportableNote]);

/** Rules of the resource types. */
export const noteRules: Readonly<Record<string, ResourceRules>> = {
  notebook_note: {},
  notebook_named_note: { externalName: { attribute: "name", isArgument: true } },
  notebook_identified_note: {},
  notebook_unimportable_note: {},
};

/** Finds the note whose title begins with a name. */
function noteOf(client: Notebook, ofName: string): Note | undefined {
  return client.searchNotes(`${ofName} `, null).find((found) => found.title.startsWith(`${ofName} `));
}

function fieldsOf(planned: { readonly title: string }) {
  return { title: planned.title, folder: "inbox", body: null, tags: null, passphrase: null };
}

function numbered({ id: number, title: text }: Note): { readonly id: string; readonly title: string } {
  return { id: number, title: text };
}
