// SPDX-License-Identifier: Apache-2.0
// The provider of `pulumi-kills`: its objects are files with a name and a value. It takes some turns of the event loop for each change, so
// that a kill can hit before, within and after it.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attr, defineProvider, importById, type ServedProvider } from "@tenon/provider-sdk";
import { requiresReplace, useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import { serve } from "@tenon/provider-sdk/serve";

/** An object on the disk. */
interface DiskObject {
  readonly name: string;
  readonly value: string;
}

class Disk {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async create(object: DiskObject): Promise<void> {
    // A hard link is made only if there is no file of that name.
    await this.#change(object, linkSync);
  }

  async update(object: DiskObject): Promise<void> {
    await this.#change(object, renameSync);
  }

  async remove(name: string): Promise<void> {
    await turns();
    rmSync(join(this.#folder, name));
    await turns();
  }

  find(name: string): DiskObject | undefined {
    try {
      return JSON.parse(readFileSync(join(this.#folder, name), "utf8")) as DiskObject;
    } catch {
      return undefined;
    }
  }

  /** Writes a file that is there as a whole or not at all. */
  async #change(object: DiskObject, put: (from: string, to: string) => void): Promise<void> {
    await turns();
    const temporary = join(this.#folder, `.${object.name}`);
    writeFileSync(temporary, JSON.stringify(object));
    put(temporary, join(this.#folder, object.name));
    rmSync(temporary, { force: true });
    await turns();
  }
}

async function turns(): Promise<void> {
  for (let left = Math.floor(Math.random() * 6); left > 0; left--) await new Promise((resume) => setImmediate(resume));
}

const disk = defineProvider({
  name: "disk",
  version: "1.0.0",
  schema: { folder: attr.string({ required: true }) },
  configure: ({ config }) => new Disk(config.folder),
});

const file = disk.resource("file", {
  schema: {
    id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
    name: attr.string({ required: true, planModifiers: [requiresReplace()] }),
    value: attr.string({ required: true }),
  },
  create: async ({ planned: { name, value }, client }) => {
    await client.create({ name, value });
    return { id: name, name, value };
  },
  read: ({ state, client }) => {
    const found = client.find(state.id);
    return found && { id: state.id, ...found };
  },
  update: async ({ planned: { name, value }, client }) => {
    await client.update({ name, value });
    return { id: name, name, value };
  },
  delete: ({ state, client }) => client.remove(state.id),
  importState: importById("id"),
});

const provider: ServedProvider = disk.with([file]);

await serve(async () => ({ provider }));
