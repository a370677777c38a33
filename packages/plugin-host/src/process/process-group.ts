// SPDX-License-Identifier: Apache-2.0

/**
 * Whether each provider leads its own process group and session. Then its descendants can be killed with it, and Ctrl-C in a terminal
 * reaches only the host; most providers that are not written in Go would exit on Ctrl-C. Windows has neither groups nor sessions.
 */
export const ownGroup: boolean = process.platform !== "win32";

/** Kills a provider and its descendants, if any are left. */
export function killGroup(pid: number): void {
  signalProcess(ownGroup ? -pid : pid, "SIGKILL");
}

/** Whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Sends a signal. @returns whether the process exists and belongs to this user */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
