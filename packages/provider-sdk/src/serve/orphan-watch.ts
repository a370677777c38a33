// SPDX-License-Identifier: Apache-2.0

/** How long a provider waits for its host to come back after the last connection ended, in milliseconds. */
const abandonedAfterMs = 10_000;

/** How often the parent process is checked, in milliseconds. */
const parentIntervalMs = 1_000;

/** Statistics of a closed connection. */
interface EndedSession {
  readonly completedCalls: number;
}

/** Detects that the host is gone. go-plugin has no such mechanism: the providers of a crashed host keep running. */
export interface OrphanWatch {
  sessionOpened(): void;
  sessionClosed(session: EndedSession): void;
}

/**
 * Calls `orphaned` when the process has lost its parent, or when ten seconds have passed since the last connection ended. The second rule
 * applies after a connection has completed a call: a connection without calls is only a probe.
 *
 * Its timers do not keep the process alive.
 *
 * @param parent id of the parent process when this process started: the parent may end while the provider is still loading
 */
export function watchForOrphaning(parent: number, orphaned: () => void): OrphanWatch {
  if (process.platform !== "win32") watchParent(parent, orphaned);
  let open = 0;
  let served = false;
  let abandoned: NodeJS.Timeout | undefined;
  return {
    sessionOpened() {
      open += 1;
      clearTimeout(abandoned);
    },
    sessionClosed({ completedCalls }) {
      open -= 1;
      served ||= completedCalls > 0;
      if (open === 0 && served) abandoned = setTimeout(orphaned, abandonedAfterMs).unref();
    },
  };
}

/** When a parent process ends, the system assigns another parent id. Windows keeps the old id. */
function watchParent(parent: number, orphaned: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    orphaned();
  }, parentIntervalMs).unref();
}
