// SPDX-License-Identifier: Apache-2.0

/** Time limit for a graceful shutdown, in milliseconds. A host kills a plugin that has not ended after two seconds. */
const shutdownTimeoutMs = 900;

/** Shutdown of the process. */
export interface Lifetime {
  /** Registers a hook that runs at shutdown, before the hooks registered earlier. Errors of a hook are ignored. */
  readonly onEnd: (hook: () => void | Promise<void>) => void;
  /** Ends the process with exit code 0 in under a second. A second call has no effect. */
  readonly end: () => void;
  /**
   * Sends the responses of all running handlers that have saved state: see `endHandlers`. Returns whether there is such a handler; false
   * before the server has started.
   */
  endHandlers: (reason: Error) => boolean;
}

/** Creates a lifetime. It listens to no signal: callers end the process with {@link Lifetime.end}. */
export function createLifetime(): Lifetime {
  const hooks: (() => void | Promise<void>)[] = [];
  let ending = false;
  return {
    endHandlers: () => false,
    onEnd(hook) {
      hooks.unshift(hook);
    },
    end() {
      if (ending) return;
      ending = true;
      // A handler that ignores its abort signal must not keep the process alive.
      setTimeout(() => process.exit(0), shutdownTimeoutMs);
      void runAll(hooks).then(() => process.exit(0));
    },
  };
}

async function runAll(hooks: readonly (() => void | Promise<void>)[]): Promise<void> {
  for (const hook of hooks) {
    try {
      await hook();
    } catch {
      // The failure has already been logged, and the remaining hooks must still run.
    }
  }
}
