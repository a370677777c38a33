// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { errorDiagnostic, hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { Deferred } from "../messages/common.ts";
import { addressOf, clientCapabilitiesOf, enter, type OperationOptions } from "./operation.ts";
import { resultFaults } from "./read-data-source.ts";
import { callOptions, type ComponentType } from "./resource-type.ts";
import { validateEphemeralConfig } from "./validate-config.ts";

/** An ephemeral resource that is open: renewed in time, until it is closed. */
export interface EphemeralResource extends AsyncDisposable {
  /** Wholly known and not null. */
  readonly result: Value;
  /** When it will be renewed; undefined where it never expires, and once it is closed. */
  readonly renewAt: Date | undefined;
  /** Renews it now, and not when it would be. What the provider says is answered by {@link close}, as with every renewal. */
  renew(): Promise<void>;
  /**
   * Closes it, whatever has happened to it. Closing again does nothing and answers the same.
   *
   * @returns What the provider said while it was renewed and closed.
   */
  close(): Promise<readonly Diagnostic[]>;
}

/** An open ephemeral resource, unless diagnostics hold errors or it was deferred. */
export interface OpenEphemeralOutcome {
  readonly resource?: EphemeralResource;
  /** Only where the caller allowed it. */
  readonly deferred?: Deferred;
  readonly diagnostics: readonly Diagnostic[];
}

/** How long the cores wait for a close, in milliseconds. */
const closeTimeout = 10_000;
/** The longest time a timer can wait, in milliseconds. */
const longestDelay = 2_147_483_647;

/**
 * Has the configuration validated, and opens an ephemeral resource. It must be closed; aborting `options.signal` closes it too.
 * Where the answer breaks the protocol it is closed at once.
 *
 * @throws ProviderError where the provider cannot be asked.
 * @see OpenTofu internal/shared/ephemeral_resource.go
 */
export async function openEphemeralResource(
  type: ComponentType,
  config: Value,
  options: OperationOptions = {},
): Promise<OpenEphemeralOutcome> {
  const diagnostics: Diagnostic[] = [...(await validateEphemeralConfig(type, config, options))];
  if (hasErrors(diagnostics)) return { diagnostics };
  enter("open", type, options);
  const response = await type.provider.openEphemeralResource(
    { typeName: type.typeName, config, clientCapabilities: clientCapabilitiesOf(options) },
    callOptions(options),
  );
  diagnostics.push(...response.diagnostics);
  if (hasErrors(diagnostics)) return { diagnostics };
  if (response.deferred && clientCapabilitiesOf(options).deferralAllowed) return { deferred: response.deferred, diagnostics };
  const resource = new OpenResource(type, response.result, response.private, options);
  const faults = resultFaults(type, response.result, addressOf(type, options));
  if (faults.length > 0) return { diagnostics: [...diagnostics, ...faults, ...(await resource.close())] };
  resource.keepOpen(response.renewAt);
  return { resource, diagnostics };
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
    // Being open is no reason for a process to stay alive.
    this.#timer.unref();
  }

  /** One after the other: each may change the private data that the next one takes along. */
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
      enter("renew", this.#type, this.#options);
      const response = await this.#type.provider.renewEphemeralResource(this.#request(), callOptions(this.#options));
      this.#diagnostics.push(...response.diagnostics);
      if (response.private) this.#private = response.private;
      this.#renewLater(response.renewAt);
    } catch (error) {
      this.#failed("Renewing ephemeral resource failed", error);
    }
  }

  async #close(): Promise<readonly Diagnostic[]> {
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#aborted);
    await this.#renewal;
    try {
      this.#options.observer?.onPhase?.("close", addressOf(this.#type, this.#options));
      // The operation's own signal may be what it is closed for.
      const response = await this.#type.provider.closeEphemeralResource(this.#request(), { signal: AbortSignal.timeout(closeTimeout) });
      this.#diagnostics.push(...response.diagnostics);
    } catch (error) {
      this.#failed("Closing ephemeral resource failed", error);
    }
    return this.#diagnostics;
  }

  #request(): { readonly typeName: string; readonly private?: Uint8Array } {
    return { typeName: this.#type.typeName, ...(this.#private ? { private: this.#private } : {}) };
  }

  #failed(summary: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#diagnostics.push(errorDiagnostic(summary, `The ephemeral resource ${addressOf(this.#type, this.#options)}: ${why}`));
  }
}
