// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, ValidateContext } from "../definition/call-context.ts";
import type { ConfigureContext } from "../definition/provider.ts";
import type { Config, Schema, Sound, Views } from "../definition/schema.ts";

/** Whether a capability waits for a known configuration, or takes it as it is. */
export type UnknownConfig = "wait" | "pass";

/** What a capability connects with. `N` is what it needs of those before it. */
export interface ConnectContext<S extends Schema, N, U extends UnknownConfig = "wait"> extends ConfigureContext<
  U extends "pass" ? Views<S>["configDraft"] : Config<S>
> {
  /** What the capabilities before it provide, together. */
  readonly provided: N;
}

/** What `defineCapability` takes. */
export interface CapabilityDefinition<S extends Schema, N extends object, T extends object, U extends UnknownConfig = "wait"> {
  /** Attributes and blocks that it adds. */
  readonly schema: S & Sound<S>;
  /** Asked with those of the whole, before its own. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  /**
   * `"pass"`: it can connect with a configuration that is not wholly known, so that a provider with `unknownConfig: "pass"` can have it.
   * Default: `"wait"`.
   */
  readonly unknownConfig?: U;
  /** Makes what it provides, when the provider is configured. A name that is provided already is taken over: so a client is wrapped. */
  readonly connect?: (context: ConnectContext<S, N, U>) => Awaitable<T>;
  /** When the provider is closed: the last that connected is the first to go. Not called where `connect` never answered. */
  readonly disconnect?: (provided: T) => Awaitable<void>;
}

/**
 * A bundle of schema, validation and behaviour. A provider takes it through `withCapabilities`; a component spreads its `schema`
 * into its own, and calls its `validate` in its own.
 */
export interface Capability<S extends Schema, in N extends object, out T extends object, out U extends UnknownConfig = "wait"> {
  readonly schema: S;
  readonly validate: (context: ValidateContext<S>) => Awaitable<void>;
  readonly connect: (context: ConnectContext<S, N>) => Awaitable<T>;
  readonly unknownConfig: U;
  /** Type only: what capabilities before it have to provide. */
  readonly "~needs": (needed: N) => void;
  /** Type only: what it provides. */
  readonly "~provides": T;
}

/**
 * Defines a capability. What it needs of the capabilities before it is the type of `provided` in
 * the parameter of `connect`, which is written out then: `ConnectContext<typeof schema, { readonly http: Http }>`.
 *
 * @example
 * const signing = defineCapability({
 *   schema: { token: attr.string({ required: true, sensitive: true }) },
 *   connect: ({ config }) => ({ headers: { authorization: `Bearer ${config.token}` } }),
 * });
 * Object.keys(signing.schema)
 * // => ["token"]
 */
export function defineCapability<S extends Schema, N extends object = {}, T extends object = {}, U extends UnknownConfig = "wait">(
  definition: CapabilityDefinition<S, N, T, U>,
): Capability<S, N, T, U> {
  const { schema, validate = () => {}, connect = () => ({}) as T, disconnect, unknownConfig = "wait" } = definition;
  const connected = async (context: ConnectContext<S, N, U>): Promise<T> => {
    const provided = await connect(context);
    if (disconnect !== undefined) context.onCleanup(() => disconnect(provided));
    return provided;
  };
  // What it needs and provides exists in the types only.
  return { schema, validate, connect: connected, unknownConfig } as unknown as Capability<S, N, T, U>;
}
