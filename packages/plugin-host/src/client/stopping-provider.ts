// SPDX-License-Identifier: Apache-2.0
import { isKnown, isWhollyKnown, nullOf } from "@tenon/cty";
import { transform } from "@tenon/cty/paths";
import { TurnoverSet } from "@tenon/protocol/turnover";
import {
  errorDiagnostic,
  hasErrors,
  ProviderError,
  type ApplyResourceChangeRequest,
  type ApplyResourceChangeResponse,
  type CallOptions,
  type Provider,
} from "@tenon/schema";

/**
 * Lets changes end gracefully: when the signal of an apply or an action is aborted, the host calls StopProvider and waits at most `graceMs`
 * for the response to the change, which contains the object that exists. After that the call is cancelled.
 *
 * StopProvider stops all calls of an instance. While another change is in flight whose signal is not aborted, only the aborted call
 * is cancelled. Calls that change nothing are always cancelled at once.
 *
 * @see OpenTofu internal/command/meta.go, RunOperation: the first interrupt
 */
export function stoppingProvider(provider: Provider, graceMs: number): Provider {
  const stopper = new Stopper(provider, graceMs);
  return {
    ...provider,
    applyResourceChange: async (request, options) => {
      using change = stopper.begin(options);
      const response = await provider.applyResourceChange(request, change.options);
      return options?.signal?.aborted ? stoppedResponse(request, response) : response;
    },
    invokeAction: async function* (request, options) {
      using change = stopper.begin(options);
      let isCompleted = false;
      for await (const event of provider.invokeAction(request, change.options)) {
        isCompleted = event.kind === "completed";
        yield event;
      }
      if (isCompleted || !options?.signal?.aborted) return;
      const message = `invokeAction of ${request.actionType} was cancelled by its caller, and the provider did not report its result`;
      throw new ProviderError("CANCELLED", message, { cause: options.signal.reason });
    },
  };
}

/** Returns the response of a stopped apply. An unfinished object is reported as cancelled, not as a fault of the provider. */
function stoppedResponse(request: ApplyResourceChangeRequest, response: ApplyResourceChangeResponse): ApplyResourceChangeResponse {
  const { newState, diagnostics } = response;
  if (newState === undefined || hasErrors(diagnostics)) return response;
  const isMissing = newState.payload === null && request.plannedState.payload !== null;
  if (!isMissing && isWhollyKnown(newState)) return response;
  const detail = "The caller cancelled the operation, and the provider stopped before the change was complete.";
  return {
    ...response,
    newState: transform(newState, (_, value) => (isKnown(value) ? value : nullOf(value.type))),
    diagnostics: [...diagnostics, errorDiagnostic("Operation cancelled", detail)],
  };
}

interface Change extends Disposable {
  readonly options: CallOptions;
}

/** The changes of one provider that are in flight. */
class Stopper {
  readonly #provider: Provider;
  readonly #graceMs: number;
  /** The signal of each change in flight; undefined for a change without a signal. */
  readonly #inFlight = new TurnoverSet<{ readonly signal: AbortSignal | undefined }>();

  #isStopping = false;

  constructor(provider: Provider, graceMs: number) {
    this.#provider = provider;
    this.#graceMs = graceMs;
  }

  begin({ signal }: CallOptions = {}): Change {
    const change = { signal };
    this.#inFlight.add(change);
    const end = (): unknown => this.#inFlight.delete(change);
    if (signal === undefined || signal.aborted || this.#graceMs === 0) {
      return { options: signal ? { signal } : {}, [Symbol.dispose]: end };
    }
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const cancel = (): void => controller.abort(signal.reason);
    const onAbort = (): void => {
      if (this.#mustKeepRunning()) {
        cancel();
        return;
      }
      timer = setTimeout(cancel, this.#graceMs);
      this.#stop();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    return {
      options: { signal: controller.signal },
      [Symbol.dispose]: () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        end();
      },
    };
  }

  /** Sends one StopProvider for all changes that are aborted together. If it fails, the changes still have their grace period. */
  #stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const stopped = (): void => {
      this.#isStopping = false;
    };
    this.#provider.stop({}).then(stopped, stopped);
  }

  /** Whether a change is in flight that is not aborted. */
  #mustKeepRunning(): boolean {
    return [...this.#inFlight].some(({ signal }) => signal?.aborted !== true);
  }
}
