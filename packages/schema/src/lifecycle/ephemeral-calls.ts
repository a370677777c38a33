// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { Deferred } from "../messages/common.ts";
import type { RenewEphemeralResourceResponse } from "../messages/ephemeral-resource.ts";
import { addressOf, clientCapabilitiesOf, enter, type ConfigOptions, type OperationOptions } from "./operation.ts";
import { resultFaults } from "./read-data-source.ts";
import { callOptions, type ComponentType } from "./resource-type.ts";
import { validateEphemeralConfig, validateOnce } from "./validate-config.ts";

/** Time limit of a close in the cores, in milliseconds. */
const closeTimeout = 10_000;

/** An open ephemeral resource that the caller renews and closes. Another process can do so, too: it needs only the private data. */
export interface OpenedEphemeral {
  /** Wholly known and not null. */
  readonly result: Value;
  /** Time before which it must be renewed; undefined if it never expires. */
  readonly renewAt: Date | undefined;
  /** Opaque data of the provider for the renewals and the close. */
  readonly private: Uint8Array | undefined;
}

/** Result of {@link openEphemeral}. `opened` is absent where diagnostics hold errors, or the open was deferred. */
export interface EphemeralOutcome {
  readonly opened?: OpenedEphemeral;
  /** Reason for which the open was deferred. Only where the caller allowed deferral. */
  readonly deferred?: Deferred;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Validates the configuration and opens an ephemeral resource, without renewals. A resource whose result breaks the protocol is closed at
 * once. `openEphemeralResource` also renews it.
 *
 * @throws ProviderError where a call fails.
 */
export async function openEphemeral(type: ComponentType, config: Value, options: ConfigOptions = {}): Promise<EphemeralOutcome> {
  const diagnostics: Diagnostic[] = [...(await validateOnce(validateEphemeralConfig, type, config, options))];
  if (hasErrors(diagnostics)) return { diagnostics };
  enter("open", type, options);
  const response = await type.provider.openEphemeralResource(
    { typeName: type.typeName, config, clientCapabilities: clientCapabilitiesOf(options) },
    callOptions(options),
  );
  diagnostics.push(...response.diagnostics);
  if (hasErrors(diagnostics)) return { diagnostics };
  if (response.deferred && clientCapabilitiesOf(options).deferralAllowed) return { deferred: response.deferred, diagnostics };
  const faults = resultFaults(type, response.result, addressOf(type, options));
  if (faults.length > 0) return { diagnostics: [...diagnostics, ...faults, ...(await closeEphemeral(type, response.private, options))] };
  return { opened: { result: response.result, renewAt: response.renewAt, private: response.private }, diagnostics };
}

/** Renews an open ephemeral resource. @throws ProviderError where the call fails. */
export async function renewEphemeral(
  type: ComponentType,
  privateData: Uint8Array | undefined,
  options: OperationOptions = {},
): Promise<RenewEphemeralResourceResponse> {
  enter("renew", type, options);
  return await type.provider.renewEphemeralResource(request(type, privateData), callOptions(options));
}

/**
 * Closes an ephemeral resource, also where the signal of the options is aborted already.
 *
 * @throws ProviderError where the call fails.
 */
export async function closeEphemeral(
  type: ComponentType,
  privateData: Uint8Array | undefined,
  options: OperationOptions = {},
): Promise<readonly Diagnostic[]> {
  options.observer?.onPhase?.("close", addressOf(type, options));
  const { diagnostics } = await type.provider.closeEphemeralResource(request(type, privateData), {
    signal: AbortSignal.timeout(closeTimeout),
  });
  return diagnostics;
}

function request(
  { typeName }: ComponentType,
  privateData: Uint8Array | undefined,
): { readonly typeName: string; readonly private?: Uint8Array } {
  return { typeName, ...(privateData ? { private: privateData } : {}) };
}
