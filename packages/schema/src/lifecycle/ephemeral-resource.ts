// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { errorDiagnostic, type Diagnostic } from "../diagnostic.ts";
import type { Deferred } from "../messages/common.ts";
import { closeEphemeral, openEphemeral, renewEphemeral } from "./ephemeral-calls.ts";
import { addressOf, type ConfigOptions, type OperationOptions } from "./operation.ts";
import type { ComponentType } from "./resource-type.ts";

/** Open ephemeral resource. It is renewed in time until it is closed. */
export interface EphemeralResource extends AsyncDisposable {
  /** Wholly known and not null. */
  readonly result: Value;
  /** Time of the next renewal; undefined where the resource never expires or is closed. */
  readonly renewAt: Date | undefined;
  /** Renews the resource now instead of at `renewAt`. Diagnostics of all renewals are returned by {@link close}. */
  renew(): Promise<void>;
  /**
   * Closes the resource, whether it was renewed or not. A second close does nothing and returns the same diagnostics.
   *
   * @returns Diagnostics of the renewals and the close.
   */
  close(): Promise<readonly Diagnostic[]>;
}

/** Result of opening an ephemeral resource. `resource` is absent where diagnostics hold errors, or the open was deferred. */
export interface OpenEphemeralOutcome {
  readonly resource?: EphemeralResource;
  /** Reason for which the open was deferred. Only where the caller allowed deferral. */
  readonly deferred?: Deferred;
  readonly diagnostics: readonly Diagnostic[];
}

/** Longest delay of a timer, in milliseconds. */
const longestDelay = 2_147_483_647;

/**
 * Validates the configuration and opens an ephemeral resource. The caller must close it; aborting `options.signal` closes it too. A resource
 * whose result breaks the protocol is closed at once.
 *
 * @throws ProviderError where a call fails.
 * @see OpenTofu internal/shared/ephemeral_resource.go
 */
export async function openEphemeralResource(
  type: ComponentType,
  config: Value,
  options: ConfigOptions = {},
): Promise<OpenEphemeralOutcome> {
  const { opened, ...outcome } = await openEphemeral(type, config, options);
  if (opened === undefined) return outcome;
  const resource = new OpenResource(type, opened.result, opened.private, options);
  resource.keepOpen(opened.renewAt);
  return { ...outcome, resource };
}

class OpenResource implements EphemeralResource {
  readonly result: Value;
  readonly #type: ComponentType;
  readonly #options: OperationOptions;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #aborted = (): void => void this.close();
  #private: Uint8Array | undefined;
  #renewAt: Date | undefined;
  #timer: NodeJS.Timeout | undefined;
  #renewal: Promise<void> = Promise.resolve();
  #closing: Promise<readonly Diagnostic[]> | undefined;

  constructor(type: ComponentType, result: Value, privateData: Uint8Array | undefined, options: OperationOptions) {
    this.result = result;
    this.#type = type;
    this.#private = privateData;
    this.#options = options;
  }

  keepOpen(renewAt: Date | undefined): void {
    const { signal } = this.#options;
    if (signal?.aborted) return this.#aborted();
    signal?.addEventListener("abort", this.#aborted, { once: true });
    this.#renewLater(renewAt);
  }

  get renewAt(): Date | undefined {
    return this.#closing ? undefined : this.#renewAt;
  }

  renew(): Promise<void> {
    if (this.#closing) return Promise.resolve();
    clearTimeout(this.#timer);
    return this.#renewNow();
  }

  close(): Promise<readonly Diagnostic[]> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #renewLater(renewAt: Date | undefined): void {
    this.#renewAt = renewAt;
    if (renewAt === undefined || this.#closing) return;
    const delay = Math.max(0, renewAt.getTime() - Date.now());
    const next = delay > longestDelay ? (): void => this.#renewLater(renewAt) : (): void => void this.#renewNow();
    this.#timer = setTimeout(next, Math.min(delay, longestDelay));
    // An open resource does not keep the process running.
    this.#timer.unref();
  }

  /** Renewals run one after the other: each may change the private data that the next one sends. */
  #renewNow(): Promise<void> {
    const before = this.#renewal;
    this.#renewal = (async () => {
      await before;
      await this.#renew();
    })();
    return this.#renewal;
  }

  async #renew(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const response = await renewEphemeral(this.#type, this.#private, this.#options);
      this.#diagnostics.push(...response.diagnostics);
      if (response.private) this.#private = response.private;
      this.#renewLater(response.renewAt);
    } catch (error) {
      this.#addFailure("Renewing ephemeral resource failed", error);
    }
    this.#options.observer?.onRenewed?.(addressOf(this.#type, this.#options));
  }

  async #close(): Promise<readonly Diagnostic[]> {
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#aborted);
    await this.#renewal;
    try {
      this.#diagnostics.push(...(await closeEphemeral(this.#type, this.#private, this.#options)));
    } catch (error) {
      this.#addFailure("Closing ephemeral resource failed", error);
    }
    return this.#diagnostics;
  }

  #addFailure(summary: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#diagnostics.push(errorDiagnostic(summary, `The ephemeral resource ${addressOf(this.#type, this.#options)}: ${why}`));
  }
}
