// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { ProviderError } from "../error.ts";
import type { ClientCapabilities } from "../messages/common.ts";
import type { CallOptions } from "../provider.ts";
import type { ComponentType } from "./resource-type.ts";
import type { ResourceObject } from "./resource-object.ts";

/** What the provider is being asked to do. `planReplacement` is the second plan of a replacement, as if nothing existed. */
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

/** Told how an operation goes on. What it throws ends the operation. */
export interface LifecycleObserver {
  /** The provider is about to be asked. `address` is the one the operation was given. */
  onPhase?(phase: LifecyclePhase, address: string): void;
  /**
   * Within an apply, the object has become this, or ceased to exist: the moment to save it. Called after each step of a
   * replacement, so that an interrupted one is not forgotten, and also for the last step before the operation returns.
   */
  onObject?(object: ResourceObject | undefined, address: string): void | Promise<void>;
  /** The provider on the old SDK did what no other may; the cores write it to their log. */
  onTolerated?(message: string, address: string): void;
}

/** What every operation takes. */
export interface OperationOptions extends CallOptions {
  /** How messages name the thing, such as `aws_instance.web[0]`; the type name where nothing is said. */
  readonly address?: string;
  /** The module's `provider_meta`. */
  readonly providerMeta?: Value;
  /** Write-only attributes are understood, deferral is not, where nothing is said. */
  readonly clientCapabilities?: ClientCapabilities;
  readonly observer?: LifecycleObserver;
}

export const defaultClientCapabilities: ClientCapabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

export function addressOf(type: ComponentType, options: OperationOptions): string {
  return options.address ?? type.typeName;
}

export function clientCapabilitiesOf(options: OperationOptions): ClientCapabilities {
  return options.clientCapabilities ?? defaultClientCapabilities;
}

/** Tells the observer, unless the operation has been given up. @throws ProviderError `CANCELLED`. */
export function enter(phase: LifecyclePhase, type: ComponentType, options: OperationOptions): void {
  const { signal } = options;
  if (signal?.aborted)
    throw new ProviderError("CANCELLED", `${phase} of ${addressOf(type, options)} was given up before it began`, { cause: signal.reason });
  options.observer?.onPhase?.(phase, addressOf(type, options));
}

/** The part of a request that carries `provider_meta`, where there is any. */
export function withProviderMeta(options: OperationOptions): { readonly providerMeta?: Value } {
  return options.providerMeta ? { providerMeta: options.providerMeta } : {};
}

/** The part of a request that carries an identity, where there is one. */
export function identityAs<Name extends string>(name: Name, identity: Value | undefined): { readonly [Key in Name]?: Value } {
  return (identity && identity.payload !== null ? { [name]: identity } : {}) as { readonly [Key in Name]?: Value };
}
