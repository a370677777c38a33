// SPDX-License-Identifier: Apache-2.0
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attr, defineProvider, importById, type ServedProvider } from "@tenon/provider-sdk";
import { requiresReplace } from "@tenon/provider-sdk/plan-modifiers";

const textfile = defineProvider({
  name: "textfile",
  version: "1.0.0",
  schema: { folder: attr.string({ required: true, description: "Folder that contains the files." }) },
  configure: ({ config }) => ({ at: (name: string) => join(config.folder, name) }),
});

const file = textfile.resource("file", {
  description: "A text file.",
  schema: {
    name: attr.string({ required: true, planModifiers: [requiresReplace()] }),
    text: attr.string({ required: true }),
  },
  create: async ({ planned, client }) => {
    await writeFile(client.at(planned.name), planned.text, { flag: "wx" });
    return planned;
  },
  read: async ({ state, client }) => {
    const text = await readFile(client.at(state.name), "utf8").catch(() => undefined);
    return text === undefined ? undefined : { name: state.name, text };
  },
  update: async ({ planned, client }) => {
    await writeFile(client.at(planned.name), planned.text);
    return planned;
  },
  delete: ({ state, client }) => rm(client.at(state.name), { force: true }),
  importState: importById("name"),
});

export const provider: ServedProvider = textfile.with([file]);
