// SPDX-License-Identifier: Apache-2.0
import { lstat, mkdir } from "node:fs/promises";
import { dirname } from "node:path";

const writableByOthers = 0o022;
const sticky = 0o1000;

/**
 * Creates a folder for this user if it does not exist, and returns whether only this user can change its content: a folder of another user,
 * a folder that others may write to, and a link are not private. On Windows every folder counts as private.
 *
 * @throws errors of the file system if the folder cannot be created or inspected
 */
export async function openPrivateFolder(path: string): Promise<boolean> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (process.platform === "win32") return true;
  const [folder, parent] = await Promise.all([lstat(path), lstat(dirname(path))]);
  const user = process.getuid?.();
  const isOwn = folder.isDirectory() && folder.uid === user && (folder.mode & writableByOthers) === 0;
  // A user who may write to the parent folder could replace this folder, unless the sticky bit forbids it.
  const isFixed = (parent.uid === user || parent.uid === 0) && ((parent.mode & writableByOthers) === 0 || (parent.mode & sticky) !== 0);
  return isOwn && isFixed;
}
