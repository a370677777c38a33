// SPDX-License-Identifier: Apache-2.0
import type { BigFloat, Value } from "@tenon/cty";
import type { Unknown } from "@tenon/schema";
import type { Fields } from "../resource-handle.ts";

/** The types of one provider, as `generateTypes` writes them. */
export interface ProviderTypes {
  /** The provider's own configuration. */
  readonly config: object;
  readonly resources: Readonly<Record<string, ResourceTypes>>;
  readonly dataSources: Readonly<Record<string, ComponentTypes>>;
  readonly functions: Readonly<Record<string, FunctionTypes>>;
  readonly ephemeralResources: Readonly<Record<string, ComponentTypes>>;
  readonly listResources: Readonly<Record<string, ListTypes>>;
  readonly actions: Readonly<Record<string, ActionTypes>>;
  readonly stateStores: Readonly<Record<string, StateStoreTypes>>;
}

/** A component with a configuration and a state. */
export interface ComponentTypes {
  readonly config: object;
  readonly state: object;
}

/** A managed resource. */
export interface ResourceTypes extends ComponentTypes {
  /** Name of the type. It makes handles of different types incompatible. */
  readonly typeName: string;
  /** Undefined for a resource without an identity. */
  readonly identity: object | undefined;
}

/** A function. */
export interface FunctionTypes {
  readonly parameters: readonly unknown[];
  readonly result: unknown;
}

/** A list resource. It lists resources of the same type name. */
export interface ListTypes {
  readonly config: object;
}

/** An action. */
export interface ActionTypes {
  readonly config: object;
}

/** A state store. */
export interface StateStoreTypes {
  readonly config: object;
}

/** A resource type without generated types. */
export interface AnyResource extends ResourceTypes {
  readonly config: Fields;
  readonly state: Fields;
  readonly identity: Fields | undefined;
}

/** An action without generated types. */
export interface AnyAction extends ActionTypes {
  readonly config: Fields;
}

/** A provider without generated types. */
export interface AnyProvider extends ProviderTypes {
  readonly config: Fields;
  readonly resources: Readonly<Record<string, AnyResource>>;
  readonly dataSources: Readonly<Record<string, { readonly config: Fields; readonly state: Fields }>>;
  readonly functions: Readonly<Record<string, { readonly parameters: readonly unknown[]; readonly result: unknown }>>;
  readonly ephemeralResources: Readonly<Record<string, { readonly config: Fields; readonly state: Fields }>>;
  readonly listResources: Readonly<Record<string, { readonly config: Fields }>>;
  readonly actions: Readonly<Record<string, AnyAction>>;
  readonly stateStores: Readonly<Record<string, { readonly config: Fields }>>;
}

/** The names of a kind of components. */
export type NameOf<Components> = keyof Components & string;

type Atom = string | number | bigint | boolean | symbol | BigFloat | null | undefined;

/** Data that may contain cty values and unknown values at every depth. */
export type Input<T> = unknown extends T ? unknown : InputPart<T> | Value | Unknown;

type InputPart<T> = T extends Atom ? T : { readonly [Name in keyof T]: Input<T[Name]> };

/** A whole configuration: {@link Input} in which the object itself is known. */
export type ConfigInput<Config> = { readonly [Name in keyof Config]: Input<Config[Name]> } | Value;

/** The arguments of a function. */
export type Arguments<Parameters extends readonly unknown[]> = { readonly [Position in keyof Parameters]: Input<Parameters[Position]> };

/** A planned state, in which every part may be unknown. */
export type Planned<State> = { readonly [Name in keyof State]: PlannedPart<State[Name]> };

type PlannedPart<T> = unknown extends T ? unknown : Unknown | (T extends Atom ? T : { readonly [Name in keyof T]: PlannedPart<T[Name]> });
