// SPDX-License-Identifier: Apache-2.0
import { removeSocketFolder } from "../launch/socket-folder.ts";
import { killGroup } from "./process-group.ts";
import { Watchdog } from "./watchdog.ts";

/** Providers of this thread that may still run, by process id, with the folders of their sockets. */
const live = new Map<number, string | undefined>();
const watchdog = new Watchdog();

/**
 * Makes a provider's process end with this one: at once when it exits, through the watchdog when it is killed, by whatever
 * signal. No signal is listened for, so the host's own handling of Ctrl-C and the like is untouched.
 */
export function processStarted(pid: number, socketFolder: string | undefined): void {
  if (live.size === 0) process.on("exit", killAll);
  live.set(pid, socketFolder);
  watchdog.watch(pid, socketFolder);
}

/** Ends what a provider that has ended leaves behind: its descendants and its socket. */
export function processEnded(pid: number): void {
  if (!live.has(pid)) return;
  killGroup(pid);
  removeSocketFolder(live.get(pid));
  live.delete(pid);
  watchdog.release(pid);
  if (live.size === 0) process.off("exit", killAll);
}

function killAll(): void {
  for (const [pid, folder] of live) {
    killGroup(pid);
    removeSocketFolder(folder);
    watchdog.release(pid);
  }
}
