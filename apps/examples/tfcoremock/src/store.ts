// SPDX-License-Identifier: Apache-2.0
import { access, mkdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredValue } from "./stored-value.ts";

/** An object in a file. */
export interface StoredObject {
  readonly resource_type: string;
  readonly values: Readonly<Record<string, StoredValue>>;
}

/** Operations that the configuration of the provider makes fail, or defer, for some ids. */
export interface Exceptions {
  readonly create: readonly string[];
  readonly read: readonly string[];
  readonly update: readonly string[];
  readonly delete: readonly string[];
  readonly defer: readonly string[];
}

/** How often the creation of an object is tried while deletions remove the folder of all objects. */
const maximumTries = 100;

/** Folders with one JSON file for each object. */
export class Store {
  readonly exceptions: Exceptions;
  /** Undefined: the state of the core is the only record of resources. */
  readonly #resources: string | undefined;
  readonly #data: string;

  constructor(folders: { readonly resources: string | undefined; readonly data: string }, exceptions: Exceptions) {
    this.#resources = folders.resources;
    this.#data = folders.data;
    this.exceptions = exceptions;
  }

  /** Whether resources are in files. If not, what a core has recorded is what exists. */
  get hasFiles(): boolean {
    return this.#resources !== undefined;
  }

  /** Returns undefined if the object does not exist. */
  async read(id: string): Promise<StoredObject | undefined> {
    return this.#resources === undefined ? undefined : readObject(this.#resources, id);
  }

  /** Reads an object of the data folder. */
  async readData(id: string): Promise<StoredObject> {
    const object = await readObject(this.#data, id);
    if (object === undefined) throw new Error(`the data folder ${this.#data} has no file ${id}.json`);
    return object;
  }

  async create(id: string, object: StoredObject): Promise<void> {
    if (this.#resources === undefined) return;
    for (let tries = 1; ; tries++) {
      try {
        await mkdir(this.#resources, { recursive: true, mode: 0o700 });
        return await writeFile(join(this.#resources, `${id}.json`), textOf(object), { flag: "wx" });
      } catch (error) {
        // A deletion at the same time may have removed the folder, also between the two steps of mkdir: it finds the folder, then looks at it.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === maximumTries) throw error;
      }
    }
  }

  async update(id: string, object: StoredObject): Promise<void> {
    if (this.#resources === undefined) return;
    await access(join(this.#resources, `${id}.json`));
    await writeFile(join(this.#resources, `${id}.json`), textOf(object));
  }

  /** Also removes the folder after its last object. */
  async delete(id: string): Promise<void> {
    if (this.#resources === undefined) return;
    await rm(join(this.#resources, `${id}.json`));
    await rmdir(this.#resources).catch(() => undefined);
  }

  /** @throws Error if the configuration of the provider makes the operation fail for this id. */
  failIfTold(operation: "create" | "read" | "update" | "delete", id: string): void {
    if (this.exceptions[operation].includes(id)) throw new Error(`failed to ${operation} resource`, { cause: new Error("forced failure") });
  }
}

async function readObject(folder: string, id: string): Promise<StoredObject | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, `${id}.json`), "utf8")) as StoredObject;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function textOf(object: StoredObject): string {
  return JSON.stringify(object, undefined, 2);
}
