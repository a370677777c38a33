// SPDX-License-Identifier: Apache-2.0
import { EngineError } from "./error.ts";

/**
 * Loads a package that only some uses need, and that the application installs.
 *
 * @throws EngineError `INVALID_OPTIONS` if the package is not installed.
 */
export async function loadOptional<Module>(name: string, purpose: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    throw new EngineError("INVALID_OPTIONS", `${purpose} needs the package ${name}, which is not installed; install it`, { cause: error });
  }
}
