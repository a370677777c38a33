// SPDX-License-Identifier: Apache-2.0
import { readFile } from "node:fs/promises";
import type { ResourceDeclaration } from "./declaration.ts";

/**
 * Reads the declared resource types, by type name. Without the file there are none.
 *
 * @throws Error if the file is not valid JSON, or has an `id` of its own.
 */
export async function readDynamicResources(path: string): Promise<Readonly<Record<string, ResourceDeclaration>>> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  if (text === "") return {};
  let declared: Readonly<Record<string, ResourceDeclaration>>;
  try {
    declared = JSON.parse(text) as typeof declared;
  } catch (error) {
    throw new Error(`${path} is not valid JSON`, { cause: error });
  }
  for (const [name, { attributes = {} }] of Object.entries(declared)) {
    if (Object.hasOwn(attributes, "id")) throw new Error(`${path} declares an attribute id of ${name}, which every resource already has`);
    if (!name.startsWith("tfcoremock_")) throw new Error(`${path} declares ${name}, whose name does not start with tfcoremock_`);
  }
  return declared;
}
