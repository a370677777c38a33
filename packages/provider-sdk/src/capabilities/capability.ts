// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, ValidateContext } from "../definition/call-context.ts";
import type { ConfigureContext } from "../definition/provider.ts";
import type { Config, Schema, ValidSchema, Views } from "../definition/schema.ts";

/** Whether a capability waits for a wholly known configuration, or accepts unknown values. */
export type UnknownConfig = "wait" | "pass";

/** Context of a capability's `connect`. `N` is the type that earlier capabilities must provide. */
export interface ConnectContext<S extends Schema, N, U extends UnknownConfig = "wait"> extends ConfigureContext<
  U extends "pass" ? Views<S>["configDraft"] : Config<S>
> {
  /** The members that earlier capabilities provide. */
  readonly provided: N;
}

/** The argument of `defineCapability`. */
export interface CapabilityDefinition<S extends Schema, N extends object, T extends object, U extends UnknownConfig = "wait"> {
  /** Attributes and blocks that it adds to the provider's schema. */
  readonly schema: S & ValidSchema<S>;
  /** Validates the configuration, after earlier capabilities and before the provider's own `validate`. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  /**
   * `"pass"`: `connect` accepts unknown values in the configuration, as a provider with `unknownConfig: "pass"` requires. Default:
   * `"wait"`.
   */
  readonly unknownConfig?: U;
  /** Returns the members that it provides, when the provider is configured. They replace earlier members, for example to wrap a client. */
  readonly connect?: (context: ConnectContext<S, N, U>) => Awaitable<T>;
  /** Called when the provider is closed, in reverse order of connecting. Not called if `connect` did not return. */
  readonly disconnect?: (provided: T) => Awaitable<void>;
}

/**
 * A bundle of schema, validation and behaviour. A provider includes it with `withCapabilities`. A component spreads the `schema` into its
 * own, and calls the `validate` from its own.
 */
export interface Capability<S extends Schema, in N extends object, out T extends object, out U extends UnknownConfig = "wait"> {
  readonly schema: S;
  readonly validate: (context: ValidateContext<S>) => Awaitable<void>;
  readonly connect: (context: ConnectContext<S, N>) => Awaitable<T>;
  readonly unknownConfig: U;
  /** Type only: the members that earlier capabilities must provide. */
  readonly "~needs": (needed: N) => void;
  /** Type only: the members that it provides. */
  readonly "~provides": T;
}

/**
 * Defines a capability. If it requires members of earlier capabilities, annotate the parameter of `connect` with their type:
 * `ConnectContext<typeof schema, { readonly http: Http }>`.
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
  // "~needs" and "~provides" exist in the types only.
  return { schema, validate, connect: connected, unknownConfig } as unknown as Capability<S, N, T, U>;
}
