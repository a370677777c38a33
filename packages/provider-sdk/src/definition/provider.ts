// SPDX-License-Identifier: Apache-2.0
import type { ProviderFactory } from "@tenon/schema";
import type { Log } from "../logger.ts";
import type { ConfigRule } from "./config-rule.ts";
import type { ActionDefinition } from "./action.ts";
import type { AnyType } from "./attribute.ts";
import type { Awaitable, ValidateContext } from "./call-context.ts";
import type { DataSourceDefinition } from "./data-source.ts";
import type { DeferrableCall } from "./defer.ts";
import type { EphemeralResourceDefinition } from "./ephemeral-resource.ts";
import type { ClientFunctionDefinition, FunctionDefinition, Parameters } from "./function.ts";
import type { Identity, IdentityTypes } from "./identity.ts";
import type { ListResourceDefinition } from "./list-resource.ts";
import type { PrivateStateOptions } from "./private-state.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { Config, Schema, State, ValidSchema, Views } from "./schema.ts";
import type { StateStoreDefinition } from "./state-store.ts";

/** The kinds of components of a provider. */
export type ComponentKind = "resource" | "dataSource" | "ephemeralResource" | "listResource" | "action" | "stateStore" | "function";

/** A component of a provider. `C` is the client type that it requires. */
export interface Component<in C> {
  readonly kind: ComponentKind;
  /** The name that the author gave it: `note`. */
  readonly name: string;
  /** The name in configurations: `notebook_note`. The name of a function has no prefix. */
  readonly typeName: string;
  /** Type only. */
  readonly "~client": (client: C) => void;
}

/** A managed resource. `T` is the type of its state and `I` that of its identity, for `listResource`, tests and other code that uses it. */
export interface Resource<in C, out T = unknown, out I = unknown> extends Component<C> {
  readonly kind: "resource";
  /** Type only. */
  readonly "~state": T;
  /** Type only. */
  readonly "~identity": I;
}

/**
 * A function that loads a component when it is first needed. It returns the component, a module with the component as its default
 * export, or several components. Because it is called after `setup`, it may define components from data that it fetches, such as a
 * description of the remote system.
 */
export type Lazy<C> = () => Promise<Component<C> | { readonly default: Component<C> } | readonly Component<C>[]>;

/** A provider that can be served: see `createProvider` and `serve`. */
export interface ServedProvider {
  readonly name: string;
  readonly version: string;
  /** Opens an instance in this process. The engine and the host use it where a definition is passed to them. */
  readonly open: ProviderFactory;
  /** For the server only: the compiled provider. */
  readonly "~provider": object;
  /** For the server only: components, and functions that load one. */
  readonly "~components": readonly unknown[];
}

/** Defines the components of a provider. Its only type parameter is the client, to keep annotations short. */
export interface ProviderDefinition<C> {
  /** @throws SdkError `INVALID_SCHEMA` or `INVALID_DEFINITION`, like the methods for the other kinds. */
  readonly resource: <S extends Schema, K extends keyof S & string = keyof S & string, I extends IdentityTypes = {}>(
    name: string,
    definition: ResourceDefinition<C, S, K, I>,
  ) => Resource<C, State<S>, Identity<I>>;
  readonly dataSource: <S extends Schema>(name: string, definition: DataSourceDefinition<C, S>) => Component<C>;
  readonly ephemeralResource: <S extends Schema>(name: string, definition: EphemeralResourceDefinition<C, S>) => Component<C>;
  /** Defines how to list resources of a type. The resource must have an identity, and must also be passed to `with`. */
  readonly listResource: <T, I, S extends Schema = {}>(
    resource: Resource<C, T, I>,
    definition: ListResourceDefinition<C, S, NoInfer<T>, NoInfer<I>>,
  ) => Component<C>;
  readonly action: <S extends Schema = {}>(name: string, definition: ActionDefinition<C, S>) => Component<C>;
  readonly stateStore: <St, S extends Schema = {}>(name: string, definition: StateStoreDefinition<C, S, St>) => Component<C>;
  readonly function: <P extends Parameters, R extends AnyType, V = never>(
    name: string,
    definition: FunctionDefinition<P, R, V>,
  ) => Component<C>;
  /** Defines a function that uses the client. OpenTofu only: Terraform does not list it. */
  readonly clientFunction: <P extends Parameters, R extends AnyType, V = never>(
    name: string,
    definition: ClientFunctionDefinition<C, P, R, V>,
  ) => Component<C>;
  /** Returns the provider with its components. @throws SdkError `INVALID_DEFINITION` if two components have the same kind and name. */
  readonly with: (components: readonly (Component<C> | Lazy<C>)[]) => ServedProvider;
}

/**
 * Options of a provider that do not depend on its client. The hooks run in this order: `setup` before the first response, `validate`,
 * `configure`, …, and `cleanup` last.
 */
export interface BaseProviderDeclaration<S extends Schema> {
  /** The provider's name: the prefix of the type names of its components. */
  readonly name: string;
  readonly version: string;
  /** Schema of the configuration: required and optional attributes, and blocks. */
  readonly schema?: S & ValidSchema<S>;
  /** Rules about several attributes of the configuration: `conflicting("token", "password")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** Schema of the `provider_meta` block in modules: see `moduleMeta`. */
  readonly meta?: { readonly schema: Schema };
  /**
   * Protocol versions that the provider must support. If 5 is one of them, the schemas cannot contain nested attributes, which protocol 5
   * lacks. Default: 6, and also 5 if all schemas fit it.
   */
  readonly protocols?: readonly (5 | 6)[];
  /** Description for the documentation. Markdown. */
  readonly description?: string;
  /** Warning for practitioners that configure it: the reason for the deprecation, and what to use instead. */
  readonly deprecated?: string;
  /** Storage options for the private state of resources. */
  readonly privateState?: PrivateStateOptions;
  /** Called once, before the first response. If it throws, every call fails with that error. */
  readonly setup?: (context: { readonly signal: AbortSignal; readonly log: Log }) => Awaitable<void>;
  /** Validates the configuration after the schema's own checks have passed. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
}

/** Context of the provider's `configure` handler. `T` is the configuration. */
export interface ConfigureContext<T> extends DeferrableCall {
  readonly config: T;
  /** Version of the calling Terraform or OpenTofu. */
  readonly terraformVersion: string;
  /** `User-Agent` header for the client's requests: this provider, the core's version, and the value of `TF_APPEND_USER_AGENT`. */
  readonly userAgent: string;
  /**
   * Registers a hook that runs when the provider is closed, after its `cleanup`, in reverse order of registration. The hooks also run
   * if `configure` fails later, to close what it has opened.
   */
  readonly onCleanup: (hook: () => Awaitable<void>) => void;
  readonly signal: AbortSignal;
  readonly warn: (summary: string, detail?: string) => void;
  readonly log: Log;
}

/** The argument of `defineProvider`. */
export interface ProviderDeclaration<S extends Schema, C, U extends "wait" | "pass"> extends BaseProviderDeclaration<S> {
  /**
   * Behaviour for a configuration with unknown values. `"wait"` (default): `configure` runs once the configuration is wholly known; until
   * then operations that need the client are deferred, or fail with a diagnostic. `"pass"`: `configure` runs with unknown values.
   */
  readonly unknownConfig?: U;
  /** Returns the `client` of the handlers. */
  readonly configure?: (context: ConfigureContext<U extends "pass" ? Views<S>["configDraft"] : Config<S>>) => Awaitable<C>;
  /**
   * Called when the provider is closed: by its host, by a signal, or by the program that runs it in process. Not called if `configure`
   * did not return. It must finish within 0.8 seconds. Its errors are logged.
   */
  readonly cleanup?: (context: { readonly client: C; readonly log: Log }) => Awaitable<void>;
}
