// SPDX-License-Identifier: Apache-2.0
// An operator in one file: defines a provider, chooses its resources, and runs.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { manifestText, operatorManifest, ownSupply, runOperator, type OperatorDefinition } from "@tenon/bridge/kubernetes";
import { attr, createProvider, defineProvider, importById } from "@tenon/provider-sdk";

const textfile = defineProvider({
  name: "textfile",
  version: "1.0.0",
  schema: { folder: attr.string({ required: true, description: "Folder that contains the files." }) },
  configure: ({ config }) => ({ at: (name: string) => join(config.folder, name) }),
});

const file = textfile.resource("file", {
  description: "A text file.",
  schema: { name: attr.string({ required: true }), text: attr.string({ required: true }) },
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

const operator: OperatorDefinition = {
  name: "textfile-operator",
  group: "textfile.example.org",
  resources: ["textfile_file"],
  // A file has the name of its object.
  rules: { textfile_file: { externalName: { attribute: "name", isArgument: true } } },
  supply: () => ownSupply({ address: "example.org/tenon/textfile" }, () => createProvider(textfile.with([file]))),
};

const [command] = process.argv.slice(2);
if (command !== "manifest") await runOperator(operator);
else console.log(manifestText(await operatorManifest(operator, { image: "registry.example.org/textfile-operator:1" })));
