// SPDX-License-Identifier: Apache-2.0
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { PluginHostError } from "../error.ts";

/**
 * Resolves the executable of a command to an absolute path. A name without a slash is looked up on `PATH`, any other path is relative to
 * the working directory. Checks for existence and permission are made here because the operating system gives no reason.
 *
 * @throws PluginHostError `EXECUTABLE_NOT_FOUND`, `EXECUTABLE_NOT_RUNNABLE`
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
    `there is no ${file} in any folder of PATH; if it is elsewhere, give its path, such as ./${file}`,
  );
}

/**
 * Refuses a working directory that does not exist: the operating system would report the executable as missing.
 *
 * @throws PluginHostError `INVALID_OPTIONS`
 */
export async function assertFolder(cwd: string | undefined): Promise<void> {
  if (cwd === undefined) return;
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new PluginHostError("INVALID_OPTIONS", `option cwd is ${cwd}, which is not a folder`);
}

async function isRunnable(path: string): Promise<boolean> {
  return await assertRunnable(path).then(
    () => true,
    () => false,
  );
}

async function assertRunnable(path: string): Promise<void> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new PluginHostError("EXECUTABLE_NOT_FOUND", `there is no file ${path}; is the provider installed, and the path correct?`, {
      cause,
    });
  });
  if (found.isDirectory()) {
    throw new PluginHostError("EXECUTABLE_NOT_RUNNABLE", `${path} is a folder; name the provider's executable in it`);
  }
  await access(path, constants.X_OK).catch((cause: unknown) => {
    throw new PluginHostError("EXECUTABLE_NOT_RUNNABLE", `${path} is not executable; run chmod +x ${path}`, { cause });
  });
}
