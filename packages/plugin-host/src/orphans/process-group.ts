// SPDX-License-Identifier: Apache-2.0

/**
 * Whether providers lead a process group, in a session of their own. Everything they start is then found again, and Ctrl-C in
 * a terminal reaches the host alone, which decides what becomes of its calls; providers that are not written in Go mostly
 * die of it. Windows has neither.
 */
export const ownGroup: boolean = process.platform !== "win32";

/** Kills a provider and its descendants. Does nothing where there are none left. */
export function killGroup(pid: number): void {
  signalProcess(ownGroup ? -pid : pid, "SIGKILL");
}

/** Whether a process is there, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** False where there is no such process, or it is somebody else's. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
