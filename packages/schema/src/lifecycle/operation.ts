// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { ProviderError } from "../error.ts";
import type { ClientCapabilities } from "../messages/common.ts";
import type { CallOptions } from "../provider/provider.ts";
import type { ComponentType } from "./resource-type.ts";
import type { ResourceObject } from "./resource-object.ts";

/** Phase of an operation: one call to the provider. `planReplacement` is the second plan of a replacement, without a prior state. */
export type LifecyclePhase =
  | "validate"
  | "upgrade"
  | "move"
  | "import"
  | "read"
  | "plan"
  | "planReplacement"
  | "planDestroy"
  | "create"
  | "update"
  | "delete"
  | "readData"
  | "open"
  | "renew"
  | "close"
  | "planAction"
  | "invoke"
  | "openStateStore";

/** Observer of an operation's progress. An error that it throws ends the operation. */
export interface LifecycleObserver {
  /** Called before each call to the provider. `address` is that of the operation. */
  onPhase?(phase: LifecyclePhase, address: string): void;
  /**
   * Called when an apply has changed, created or deleted the object, which is the time to save it. In a replacement it is called after
   * each of the two steps, so that an interrupted replacement is not lost.
   */
  onObject?(object: ResourceObject | undefined, address: string): void | Promise<void>;
  /** Called when a provider has returned the object of an import, before it is read. */
  onImported?(object: ResourceObject, address: string): void;
  /** Called after an ephemeral resource was renewed, or could not be renewed. */
  onRenewed?(address: string): void;
  /** Called for a violation of a rule that is tolerated because the provider is built on the legacy SDK. The cores log it. */
  onTolerated?(message: string, address: string): void;
}

/** Options of every operation. */
export interface OperationOptions extends CallOptions {
  /** Name of the object in messages, such as `aws_instance.web[0]`. Default: the name of its type. */
  readonly address?: string;
  /** Value of the module's `provider_meta` block. Default: none. */
  readonly providerMeta?: Value;
  /** Default: write-only attributes are allowed, deferral is not. */
  readonly clientCapabilities?: ClientCapabilities;
  /** Default: none. */
  readonly observer?: LifecycleObserver;
}

/** Options of an operation on a configuration. */
export interface ConfigOptions extends OperationOptions {
  /** Whether the provider has already validated this configuration. If true, the operation skips the validation.
   * Default: false.
   */
  readonly configValidated?: boolean;
}

/** Default client capabilities. */
export const defaultClientCapabilities: ClientCapabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

/** Returns the name of the object in messages. */
export function addressOf(type: ComponentType, options: OperationOptions): string {
  return options.address ?? type.typeName;
}

/** Returns the capabilities of the caller. */
export function clientCapabilitiesOf(options: OperationOptions): ClientCapabilities {
  return options.clientCapabilities ?? defaultClientCapabilities;
}

/** Begins a phase, and notifies the observer.
 *
 * @throws ProviderError `CANCELLED` where the signal is aborted already.
 */
export function enter(phase: LifecyclePhase, type: ComponentType, options: OperationOptions): void {
  const { signal } = options;
  if (signal?.aborted)
    throw new ProviderError("CANCELLED", `${phase} of ${addressOf(type, options)} was cancelled before it began`, {
      cause: signal.reason,
      requestSent: false,
    });
  options.observer?.onPhase?.(phase, addressOf(type, options));
}

/** Returns the field of a request for `provider_meta`, if there is a value. */
export function withProviderMeta(options: OperationOptions): { readonly providerMeta?: Value } {
  return options.providerMeta ? { providerMeta: options.providerMeta } : {};
}

/** Returns the field of a request for an identity, if there is one. */
export function identityAs<Name extends string>(name: Name, identity: Value | undefined): { readonly [Key in Name]?: Value } {
  return (identity && identity.payload !== null ? { [name]: identity } : {}) as { readonly [Key in Name]?: Value };
}
