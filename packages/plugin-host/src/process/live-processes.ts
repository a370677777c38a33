// SPDX-License-Identifier: Apache-2.0
import { removeSocketFolder } from "./socket-folder.ts";
import { killGroup } from "./process-group.ts";
import { Watchdog } from "./watchdog.ts";

/** The running providers of this thread: their process ids and socket folders. */
const live = new Map<number, string | undefined>();
const watchdog = new Watchdog();

/**
 * Makes a provider's process end with this one: an exit hook ends it when this process exits, the watchdog when this process is killed. No
 * signal handler is installed, so that the host's own handling of Ctrl-C is unchanged.
 */
export function processStarted(pid: number, socketFolder: string | undefined): void {
  if (live.size === 0) process.on("exit", killAll);
  live.set(pid, socketFolder);
  watchdog.watch(pid, socketFolder);
}

/** Cleans up after a provider that has ended: kills its descendants and removes its socket folder. */
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
