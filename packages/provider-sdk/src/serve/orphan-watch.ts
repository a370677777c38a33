// SPDX-License-Identifier: Apache-2.0

/** How long a provider waits for its host to come back after the last connection ended, in milliseconds. */
const abandonedAfterMs = 10_000;

/** How often the parent process is looked at, in milliseconds. */
const parentIntervalMs = 1_000;

/** What a connection tells at its end. */
interface EndedSession {
  readonly completedCalls: number;
}

/** Notices that the host is gone, which go-plugin has no word for: a host that crashed leaves its providers behind. */
export interface OrphanWatch {
  sessionOpened(): void;
  sessionClosed(session: EndedSession): void;
}

/**
 * Calls `orphaned` when the process has lost its parent, or when ten seconds have passed since the last connection ended,
 * provided that one of them had completed a call: what only connects and leaves is a probe.
 *
 * Holds the process open no longer than it would stay anyway.
 *
 * @param parent the process that started this one, as it was at the start: it may end while the provider is still being loaded
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

/** A process whose parent has ended gets another one. Windows keeps the old number. */
function watchParent(parent: number, orphaned: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    orphaned();
  }, parentIntervalMs).unref();
}
