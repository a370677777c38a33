// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, ValidateContext } from "../definition/call-context.ts";
import type { ConfigureContext } from "../definition/provider.ts";
import type { Config, Schema, Sound } from "../definition/schema.ts";

/** What a capability connects with. `N` is what it needs of those before it. */
export interface ConnectContext<S extends Schema, N> extends ConfigureContext<Config<S>> {
  /** What the capabilities before it provide, together. */
  readonly provided: N;
}

/** What `defineCapability` takes. */
export interface CapabilityDefinition<S extends Schema, N extends object, T extends object> {
  /** Attributes and blocks that it adds. */
  readonly schema: S & Sound<S>;
  /** Asked with those of the whole, before its own. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  /** Makes what it provides, when the provider is configured. A name that is provided already is taken over: so a client is wrapped. */
  readonly connect?: (context: ConnectContext<S, N>) => Awaitable<T>;
}

/**
 * A bundle of schema, validation and behaviour. A provider takes it through `withCapabilities`; a component spreads its `schema`
 * into its own, and calls its `validate` in its own.
 */
export interface Capability<S extends Schema, in N extends object, out T extends object> {
  readonly schema: S;
  readonly validate: (context: ValidateContext<S>) => Awaitable<void>;
  readonly connect: (context: ConnectContext<S, N>) => Awaitable<T>;
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
export function defineCapability<S extends Schema, N extends object = {}, T extends object = {}>(
  definition: CapabilityDefinition<S, N, T>,
): Capability<S, N, T> {
  const { schema, validate = () => {}, connect = () => ({}) as T } = definition;
  // What it needs and provides exists in the types only.
  return { schema, validate, connect } as unknown as Capability<S, N, T>;
}
