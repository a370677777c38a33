// SPDX-License-Identifier: Apache-2.0
import type { CallOptions, Provider } from "@tenon/schema";

/**
 * A provider whose changes end in good order: where the signal of an apply or of an action is aborted, the provider is asked to stop, and its
 * answer is waited for, so that what exists is known. Only when that takes longer than `graceMs` is the call given up.
 *
 * StopProvider is for everything that an instance does. Where it has changes under way that nobody wants to end, the call alone is given up.
 * Calls that change nothing are given up at once, in any case.
 *
 * @see OpenTofu internal/command/meta.go, RunOperation: the first interrupt
 */
export function stoppingProvider(provider: Provider, graceMs: number): Provider {
  const stopper = new Stopper(provider, graceMs);
  return {
    ...provider,
    applyResourceChange: async (request, options) => {
      using change = stopper.begin(options);
      return await provider.applyResourceChange(request, change.options);
    },
    invokeAction: async function* (request, options) {
      using change = stopper.begin(options);
      yield* provider.invokeAction(request, change.options);
    },
  };
}

interface Change extends Disposable {
  readonly options: CallOptions;
}

class Stopper {
  readonly #provider: Provider;
  readonly #graceMs: number;
  /** What may end each change that is under way; undefined: nothing. */
  readonly #underWay = new Set<{ readonly signal: AbortSignal | undefined }>();

  #isStopping = false;

  constructor(provider: Provider, graceMs: number) {
    this.#provider = provider;
    this.#graceMs = graceMs;
  }

  begin({ signal }: CallOptions = {}): Change {
    const change = { signal };
    this.#underWay.add(change);
    const end = (): unknown => this.#underWay.delete(change);
    if (signal === undefined || signal.aborted || this.#graceMs === 0) {
      return { options: signal ? { signal } : {}, [Symbol.dispose]: end };
    }
    const given = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const giveUp = (): void => given.abort(signal.reason);
    const onAbort = (): void => {
      if (this.#isAnyWanted()) {
        giveUp();
        return;
      }
      timer = setTimeout(giveUp, this.#graceMs);
      this.#stop();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    return {
      options: { signal: given.signal },
      [Symbol.dispose]: () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        end();
      },
    };
  }

  /** Asks once for all changes that end together. Where it cannot be asked, the grace is all there is. */
  #stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const asked = (): void => {
      this.#isStopping = false;
    };
    this.#provider.stop({}).then(asked, asked);
  }

  /** Whether there is a change under way that is not to end. */
  #isAnyWanted(): boolean {
    return [...this.#underWay].some(({ signal }) => signal?.aborted !== true);
  }
}
