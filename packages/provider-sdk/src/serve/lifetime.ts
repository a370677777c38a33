// SPDX-License-Identifier: Apache-2.0

/** How long an end in good order may take, in milliseconds. A host kills a plugin that takes two seconds. */
const endWithinMs = 900;

/** From the first line to the end of the process. */
export interface Lifetime {
  /** Has something done at the end, before what was asked for earlier. What throws or takes too long is passed over. */
  readonly onEnd: (hook: () => void | Promise<void>) => void;
  /** Ends the process, with exit code 0, in under a second. Asking again changes nothing. */
  readonly end: () => void;
  /** Handlers at work answer what they have saved: see `endHandlers`. Says whether there is any. Nothing before a server is there. */
  lastAnswers: (reason: Error) => boolean;
}

/** Starts a lifetime. Nothing is listened to yet: what may end it calls {@link Lifetime.end}. */
export function createLifetime(): Lifetime {
  const hooks: (() => void | Promise<void>)[] = [];
  let ending = false;
  return {
    lastAnswers: () => false,
    onEnd(hook) {
      hooks.unshift(hook);
    },
    end() {
      if (ending) return;
      ending = true;
      // Work that ignores its signal must not hold the process.
      setTimeout(() => process.exit(0), endWithinMs);
      void runAll(hooks).then(() => process.exit(0));
    },
  };
}

async function runAll(hooks: readonly (() => void | Promise<void>)[]): Promise<void> {
  for (const hook of hooks) {
    try {
      await hook();
    } catch {
      // It has been logged where it failed; what comes after it still has to run.
    }
  }
}
