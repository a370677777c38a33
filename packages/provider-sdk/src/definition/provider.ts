// SPDX-License-Identifier: Apache-2.0
import type { Log } from "../logger.ts";
import type { ConfigRule } from "../rules/rule.ts";
import { createComponent, refuseDuplicates, type CompiledComponent } from "../schema/component.ts";
import { compileProvider, type CompiledProvider } from "../schema/provider.ts";
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
import type { Config, Schema, Sound, State, Views } from "./schema.ts";
import type { StateStoreDefinition } from "./state-store.ts";

/** What a provider can be made of. */
export type ComponentKind = "resource" | "dataSource" | "ephemeralResource" | "listResource" | "action" | "stateStore" | "function";

/** Anything a provider is made of. `C` is the least client it works with. */
export interface Component<in C> {
  readonly kind: ComponentKind;
  /** As the author wrote it: `note`. */
  readonly name: string;
  /** As a configuration says it: `notebook_note`; a function's name has no prefix. */
  readonly typeName: string;
  /** Type only. */
  readonly "~client": (client: C) => void;
}

/** A managed resource. `T` is its state and `I` its identity, for `listResource`, tests and other code that handles it. */
export interface Resource<in C, out T = unknown, out I = unknown> extends Component<C> {
  readonly kind: "resource";
  /** Type only. */
  readonly "~state": T;
  /** Type only. */
  readonly "~identity": I;
}

/**
 * A component that is imported when it is first needed: the module's default export, or what the function picks. Or several of them, which
 * the function may put together from what it finds out, such as a description of the remote system: it is called after `setup`.
 */
export type Lazy<C> = () => Promise<Component<C> | { readonly default: Component<C> } | readonly Component<C>[]>;

/** A provider that can be served: see `createProvider` and `serve`. */
export interface ServedProvider {
  readonly name: string;
  readonly version: string;
  /** For the server. */
  readonly "~provider": CompiledProvider;
  /** For the server: components, and functions that load one. */
  readonly "~components": readonly (CompiledComponent | (() => Promise<unknown>))[];
}

/** What components are made from. Its only type parameter is the client, so an annotation is short. */
export interface ProviderDefinition<C> {
  /** @throws SdkError `INVALID_SCHEMA` or `INVALID_DEFINITION`, as its neighbours do. */
  readonly resource: <S extends Schema, K extends keyof S & string = keyof S & string, I extends IdentityTypes = {}>(
    name: string,
    definition: ResourceDefinition<C, S, K, I>,
  ) => Resource<C, State<S>, Identity<I>>;
  readonly dataSource: <S extends Schema>(name: string, definition: DataSourceDefinition<C, S>) => Component<C>;
  readonly ephemeralResource: <S extends Schema>(name: string, definition: EphemeralResourceDefinition<C, S>) => Component<C>;
  /** Lists resources of a type, which is handed to `with` as well, and which has an identity. */
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
  /** A function that sees the client. OpenTofu only; Terraform does not know of it. */
  readonly clientFunction: <P extends Parameters, R extends AnyType, V = never>(
    name: string,
    definition: ClientFunctionDefinition<C, P, R, V>,
  ) => Component<C>;
  /** The provider with its components. @throws SdkError `INVALID_DEFINITION` for two of one kind and name. */
  readonly with: (components: readonly (Component<C> | Lazy<C>)[]) => ServedProvider;
}

/** Hooks run in this order: `setup` before anything else is answered, `validate`, `configure`, …, `cleanup` at the end. */
export interface ProviderHead<S extends Schema> {
  /** Prefix of the names of its resources and data sources. */
  readonly name: string;
  readonly version: string;
  /** Its configuration: required and optional attributes, and blocks. */
  readonly schema?: S & Sound<S>;
  /** About more than one attribute of the configuration: `conflicting("token", "password")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** What modules may say to it in a `provider_meta` block: see `moduleMeta`. */
  readonly meta?: { readonly schema: Schema };
  /**
   * Protocol versions it promises to speak. With 5 among them, whatever that cannot carry (attributes with attributes) is refused
   * where it is defined. Default: 6, and 5 where everything fits.
   */
  readonly protocols?: readonly (5 | 6)[];
  /** What it is. Markdown. */
  readonly description?: string;
  /** Why and what to use instead; whoever configures it is warned with it. */
  readonly deprecated?: string;
  /** How what handlers put into the private state of a resource is stored. */
  readonly privateState?: PrivateStateOptions;
  /** Once, before the first answer. What it throws is answered by every call. */
  readonly setup?: (context: { readonly signal: AbortSignal; readonly log: Log }) => Awaitable<void>;
  /** Asked when everything the schema itself says holds. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
}

export interface ConfigureContext<T> extends DeferrableCall {
  readonly config: T;
  /** Version of the Terraform or OpenTofu that asks. */
  readonly terraformVersion: string;
  /** For the `User-Agent` header of the client's requests: names this provider, that version, and what `TF_APPEND_USER_AGENT` adds. */
  readonly userAgent: string;
  /**
   * Has something done when the provider is closed, after its `cleanup`; the last that was asked for comes first. Also where `configure`
   * fails later on: what was opened by then is closed.
   */
  readonly onCleanup: (hook: () => Awaitable<void>) => void;
  readonly signal: AbortSignal;
  readonly warn: (summary: string, detail?: string) => void;
  readonly log: Log;
}

/** What `defineProvider` takes. */
export interface Configured<S extends Schema, C, U extends "wait" | "pass"> extends ProviderHead<S> {
  /**
   * `"wait"` (default): `configure` runs when everything is known; until then what needs the client is deferred or a
   * diagnostic. `"pass"`: it runs at once and may meet unknown values.
   */
  readonly unknownConfig?: U;
  /** Answers the client that handlers are given. */
  readonly configure?: (context: ConfigureContext<U extends "pass" ? Views<S>["configDraft"] : Config<S>>) => Awaitable<C>;
  /**
   * When the provider is closed: by its host, by a signal, or by who has it in its own process. Not called where `configure` never
   * answered. It has 0.8 seconds; what it throws is logged.
   */
  readonly cleanup?: (context: { readonly client: C; readonly log: Log }) => Awaitable<void>;
}

/**
 * Defines a provider. Its components are made from what it answers, and handed to `with`.
 *
 * @throws SdkError `INVALID_SCHEMA`, `INVALID_DEFINITION`.
 *
 * @example
 * const notebook = defineProvider({
 *   name: "notebook",
 *   version: "1.0.0",
 *   schema: { path: attr.string({ required: true }) },
 *   configure: ({ config }) => openNotebook(config.path),
 * });
 */
export function defineProvider<S extends Schema = {}, C = undefined, U extends "wait" | "pass" = "wait">(
  definition: Configured<S, C, U>,
): ProviderDefinition<C> {
  const provider = compileProvider(definition);
  const component =
    (kind: ComponentKind) =>
    (name: string, body: object): never =>
      // What a component says of its client exists in the types only.
      createComponent(provider, kind, name, body) as never;
  return {
    resource: component("resource"),
    dataSource: component("dataSource"),
    ephemeralResource: component("ephemeralResource"),
    listResource: (resource, definition) => component("listResource")(resource.name, { ...definition, resource }),
    action: component("action"),
    stateStore: component("stateStore"),
    function: component("function"),
    clientFunction: (name, definition) => component("function")(name, { ...definition, needsClient: true }),
    with: (components) => {
      const parts = components as unknown as ServedProvider["~components"];
      const eager = parts.filter((component) => typeof component !== "function");
      refuseDuplicates(eager, provider.name);
      return { name: provider.name, version: provider.version, "~provider": provider, "~components": parts };
    },
  };
}
