// SPDX-License-Identifier: Apache-2.0
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { TestingError } from "../error.ts";
import type { Sweeper } from "./sweeper.ts";

/**
 * Loads the sweepers of modules.
 *
 * @throws TestingError `SWEEPERS_INVALID` for a module that cannot be loaded, or exports no array `sweepers`.
 */
export async function loadSweepers(files: readonly string[]): Promise<readonly Sweeper[]> {
  const sweepers: Sweeper[] = [];
  for (const file of files) {
    let module: { readonly sweepers?: unknown };
    try {
      module = (await import(pathToFileURL(resolve(file)).href)) as { readonly sweepers?: unknown };
    } catch (cause) {
      throw new TestingError("SWEEPERS_INVALID", `${file} cannot be loaded: ${(cause as Error).message}`, { cause });
    }
    if (!Array.isArray(module.sweepers) || !module.sweepers.every(isSweeper))
      throw new TestingError(
        "SWEEPERS_INVALID",
        `${file} exports no sweepers: export const sweepers = [{ name: "…", sweep: async (context) => { … } }]`,
      );
    sweepers.push(...(module.sweepers as readonly Sweeper[]));
  }
  return sweepers;
}

function isSweeper(value: unknown): boolean {
  const { name, sweep } = (value ?? {}) as Partial<Sweeper>;
  return typeof name === "string" && typeof sweep === "function";
}
