// SPDX-License-Identifier: Apache-2.0
// Lives of resources that custom resources and tofu lead alike.
import { join } from "node:path";
import { Notebook } from "@tenon/example-notebook/store";
import { addForeignRecord, changeOnlyRecord, foreignRecordId, fullRecord } from "./framework-records.ts";

/** A configuration, with the names of the provider. */
export type Json = Readonly<Record<string, unknown>>;

/** A change of the configuration, or of the resource by somebody else, and what both sides do then. */
export interface Step {
  /** Configuration, with the names of the provider; undefined deletes the resource. */
  readonly config: Json | undefined;
  /** Other resources that exist from this step on, by name. Default: those of the step before. */
  readonly targets?: Readonly<Record<string, Json>>;
  /** Name of the other resource to which `reference` refers. */
  readonly refersTo?: string;
  /** Replaces the stored values by those that an older version of the provider would have stored. */
  readonly older?: { readonly schemaVersion: number; readonly values: (current: Json) => Json };
  /** Values of sensitive attributes: Secrets in the cluster. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Identifier of an existing resource that is imported. */
  readonly imports?: string;
  /** Changes the resource behind the back of each side. */
  readonly meanwhile?: (folder: string) => void | Promise<void>;
  /** Policy for a replacement that the step requires. `Refuse`: tofu only plans. */
  readonly replacement?: "Refuse" | "DeleteFirst" | "CreateFirst";
}

/** A life of one resource, which both sides call `it`. */
export interface Life {
  readonly peer: "framework-provider" | "sdkv2-provider" | "provider-time" | undefined;
  readonly type: string;
  /** Attribute that refers to other resources of this type, by their identifiers. */
  readonly reference?: { readonly attribute: string; readonly type: string };
  /** Configuration of the provider. */
  readonly provider: (folder: string) => Json;
  readonly lateInitializes?: boolean;
  readonly steps: readonly Step[];
}

async function inNotebook(folder: string, use: (store: Notebook) => unknown): Promise<void> {
  const store = new Notebook(join(folder, "notes.db"));
  try {
    await use(store);
  } finally {
    store.close();
  }
}

const server = {
  name: "WEB",
  image: "i",
  size: "big",
  disk: [{ gigabytes: 10, mount: [{ path: "/a" }] }],
  rule: [{ port: 80 }],
  contact: [{ mail: "m" }],
};
const time = "2026-01-02T03:04:05Z";
const secret = { secret: "hunter2" };

/** Lives by name. */
export const lives: Readonly<Record<string, Life>> = {
  "a record of the framework, changed by others and replaced": {
    peer: "framework-provider",
    type: "framework_record",
    provider: (directory) => ({ directory }),
    steps: [
      { config: fullRecord, secrets: secret },
      {
        config: { ...fullRecord, tags: ["b"], rule: [{ port: 443 }], entries: { two: { key: "f" } }, limits: { cpu: 1 } },
        secrets: { secret: "hunter3" },
      },
      {
        config: { ...fullRecord, tags: ["b"] },
        meanwhile: (folder) => changeOnlyRecord(folder, (text) => text.replace('"first"', '"taken over"').replace('"b"', '"z"')),
      },
      { config: { ...fullRecord, tags: ["b"], kind: "special" }, replacement: "Refuse" },
      { config: { ...fullRecord, tags: ["b"], kind: "special" }, replacement: "DeleteFirst" },
      { config: undefined },
    ],
  },
  "a record of the framework, imported": {
    peer: "framework-provider",
    type: "framework_record",
    provider: (directory) => ({ directory }),
    steps: [
      {
        config: { name: "adopted", tags: ["new"] },
        imports: foreignRecordId,
        meanwhile: addForeignRecord,
      },
      { config: undefined },
    ],
  },
  "a record of the framework that has vanished": {
    peer: "framework-provider",
    type: "framework_record",
    provider: (directory) => ({ directory }),
    steps: [
      { config: { name: "shared", tags: ["a"] } },
      {
        config: { name: "shared", tags: ["a"] },
        meanwhile: (folder) => changeOnlyRecord(folder, () => undefined),
      },
      { config: undefined },
    ],
  },
  "a server of the SDK version 2, replaced": {
    peer: "sdkv2-provider",
    type: "sdkv2_server",
    provider: (directory) => ({ directory }),
    steps: [
      { config: server },
      { config: { ...server, cores: 4, rule: [{ port: 80 }, { port: 81 }], contact: [] } },
      { config: { ...server, size: "small" }, replacement: "Refuse" },
      { config: { ...server, size: "small" }, replacement: "DeleteFirst" },
      { config: undefined },
    ],
  },
  "an offset of time": {
    peer: "provider-time",
    type: "time_offset",
    provider: () => ({}),
    steps: [
      { config: { base_rfc3339: time, offset_days: 7 } },
      { config: { base_rfc3339: time, offset_months: -3, offset_hours: 1 } },
      { config: { base_rfc3339: "2027-01-01T00:00:00Z", offset_months: -3 }, replacement: "CreateFirst" },
      { config: undefined },
    ],
  },
  "a static time, imported": {
    peer: "provider-time",
    type: "time_static",
    provider: () => ({}),
    steps: [
      // The provider imports an empty map, and replaces the resource if the configuration has none.
      { config: { rfc3339: time, triggers: {} }, imports: time },
      { config: { rfc3339: time }, replacement: "DeleteFirst" },
      { config: { rfc3339: "2027-01-01T00:00:00Z" }, replacement: "DeleteFirst" },
      { config: undefined },
    ],
  },
  "a note, with values that its provider has chosen": {
    peer: undefined,
    type: "notebook_note",
    provider: (folder) => ({ path: join(folder, "notes.db") }),
    lateInitializes: true,
    steps: [
      { config: { title: "one", tags: { a: "1" } }, secrets: { passphrase: "hunter2" } },
      // Late initialisation has added the folder to the parameters.
      { config: { title: "two", folder: "inbox" }, secrets: { passphrase: "hunter2" } },
      {
        config: { title: "two", folder: "inbox" },
        secrets: { passphrase: "hunter3" },
        meanwhile: (folder) =>
          inNotebook(folder, (store) => {
            const [note] = store.searchNotes("two", null);
            return store.changeNote(note!.id, { title: "theirs", folder: "inbox", body: "b", tags: null, passphrase: null });
          }),
      },
      { config: { title: "two", folder: "archive" }, replacement: "DeleteFirst" },
      { config: undefined },
    ],
  },
  "a page that refers to one note, and then to another": {
    peer: undefined,
    type: "notebook_page",
    reference: { attribute: "note_id", type: "notebook_note" },
    provider: (folder) => ({ path: join(folder, "notes.db") }),
    steps: [
      { config: { text: "t" }, refersTo: "one", targets: { one: { title: "one" } } },
      { config: { text: "t" }, refersTo: "one", targets: { one: { title: "one" }, other: { title: "other" } } },
      { config: { text: "t" }, refersTo: "other", replacement: "DeleteFirst" },
      { config: undefined },
      { config: undefined, targets: { one: { title: "one" } } },
      { config: undefined, targets: {} },
    ],
  },
  "a record of the framework, upgraded": {
    peer: "framework-provider",
    type: "framework_record",
    provider: (directory) => ({ directory }),
    steps: [
      { config: { name: "first", size: 2 } },
      {
        config: { name: "second", size: 3 },
        older: { schemaVersion: 0, values: ({ id, name, size }) => ({ id, title: name, size: String(size) }) },
      },
      { config: undefined },
    ],
  },
  "a server of the SDK version 2, upgraded": {
    peer: "sdkv2-provider",
    type: "sdkv2_server",
    provider: (directory) => ({ directory }),
    steps: [
      { config: { name: "web", image: "i", cores: 2 } },
      {
        config: { name: "web", image: "i", cores: 3 },
        older: { schemaVersion: 0, values: ({ id, name, image, cores }) => ({ id, title: name, image, cores: String(cores) }) },
      },
      { config: undefined },
    ],
  },
};
