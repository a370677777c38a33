// SPDX-License-Identifier: Apache-2.0
import { createRequire } from "node:module";

/** Locks of files between processes, compatible with those of the command lines. */
export interface FileLocks {
  /** Takes a write lock on the whole file. Returns whether it succeeded. Closing the descriptor releases the lock. */
  tryLock(descriptor: number): boolean;
}

/** The functions of koffi that this file uses. */
interface Koffi {
  struct(name: string, members: Readonly<Record<string, string>>): unknown;
  load(library: string | null): { func(declaration: string): (...args: readonly unknown[]) => number };
  errno(): number;
}

/**
 * The number of `F_OFD_SETLK` by platform. Locks of an open file description conflict with the process locks that the command lines
 * take, but closing another descriptor of the file does not release them.
 */
const commands: Readonly<Record<string, number>> = { linux: 37, darwin: 90 };
/** The number of `F_WRLCK` by platform. */
const writeLock: Readonly<Record<string, number>> = { linux: 1, darwin: 3 };

let locks: FileLocks | undefined | "absent";

/**
 * The file locks of this platform; undefined if the optional dependency `koffi` is not installed, or the platform has no such locks.
 *
 * @see fcntl(2), F_OFD_SETLK
 */
export function fileLocks(): FileLocks | undefined {
  locks ??= loadLocks() ?? "absent";
  return locks === "absent" ? undefined : locks;
}

function loadLocks(): FileLocks | undefined {
  const command = commands[process.platform];
  if (command === undefined) return undefined;
  let koffi: Koffi;
  try {
    koffi = createRequire(import.meta.url)("koffi") as Koffi;
  } catch {
    return undefined;
  }
  // The platforms order the fields differently.
  const fields: Readonly<Record<string, string>> =
    process.platform === "linux"
      ? { l_type: "short", l_whence: "short", l_start: "int64_t", l_len: "int64_t", l_pid: "int" }
      : { l_start: "int64_t", l_len: "int64_t", l_pid: "int", l_type: "short", l_whence: "short" };
  koffi.struct("tenon_flock", fields);
  const fcntl = koffi.load(null).func("int fcntl(int fd, int command, ...)");
  const whole = { l_type: writeLock[process.platform]!, l_whence: 0, l_start: 0, l_len: 0, l_pid: 0 };
  return { tryLock: (descriptor) => fcntl(descriptor, command, "tenon_flock *", whole) !== -1 };
}
