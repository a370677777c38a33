// SPDX-License-Identifier: Apache-2.0
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { PluginHostError } from "../error.ts";

/**
 * The file a command names, as an absolute path: looked for on `PATH` when it has no slash in it, otherwise from this process's
 * working folder. What the operating system would refuse is refused here, as it gives no reason.
 *
 * @throws PluginHostError `EXECUTABLE_NOT_FOUND`, `EXECUTABLE_NOT_RUNNABLE`.
 */
export async function findExecutable(file: string, environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  if (/[/\\]/.test(file)) {
    const path = resolve(file);
    await assertRunnable(path);
    return path;
  }
  const folders = (environment["PATH"] ?? environment["Path"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const endings = process.platform === "win32" ? ["", ".exe"] : [""];
  for (const path of folders.flatMap((folder) => endings.map((ending) => resolve(join(folder, file + ending))))) {
    if (await isRunnable(path)) return path;
  }
  throw new PluginHostError(
    "EXECUTABLE_NOT_FOUND",
    `there is no ${file} in any folder of PATH; give the provider's path, such as ./${file}, if it is elsewhere`,
  );
}

/** @throws PluginHostError `INVALID_OPTIONS`: the operating system would call the executable missing. */
export async function assertFolder(cwd: string | undefined): Promise<void> {
  if (cwd === undefined) return;
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new PluginHostError("INVALID_OPTIONS", `option cwd names ${cwd}, which is no folder`);
}

async function isRunnable(path: string): Promise<boolean> {
  return await assertRunnable(path).then(
    () => true,
    () => false,
  );
}

async function assertRunnable(path: string): Promise<void> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new PluginHostError("EXECUTABLE_NOT_FOUND", `there is no file ${path}; is the provider installed, and the path right?`, {
      cause,
    });
  });
  if (found.isDirectory()) {
    throw new PluginHostError("EXECUTABLE_NOT_RUNNABLE", `${path} is a folder; name the provider's executable in it`);
  }
  await access(path, constants.X_OK).catch((cause: unknown) => {
    throw new PluginHostError("EXECUTABLE_NOT_RUNNABLE", `${path} may not be executed; make it so with: chmod +x ${path}`, { cause });
  });
}
