// SPDX-License-Identifier: Apache-2.0
import type { FunctionSignature, GetProviderSchemaResponse, Provider } from "@tenon/schema";
import {
  dataSourceType,
  ephemeralResourceType,
  openEphemeralResource,
  openStateStore,
  readDataSource,
  stateStoreType,
} from "@tenon/schema/lifecycle";
import type { InstalledProvider } from "../install/install-provider.ts";
import { ActionClient } from "./action-client.ts";
import { configValue } from "./config-value.ts";
import { createEphemeralHandle, type EphemeralHandle } from "./ephemeral-handle.ts";
import { callWithData } from "./function-call.ts";
import { listResources, type ListedResource, type ListSettings } from "./listed-resource.ts";
import { assertOffered, lookUp, notOffered, Operation, type ClientContext, type OperationSettings } from "./operation.ts";
import type { AnyProvider, Arguments, ConfigInput, NameOf, ProviderTypes, ResourceTypes } from "./provider-types.ts";
import { ProviderFunctions } from "./provider-functions.ts";
import { ResourceClient } from "./resource-client.ts";
import { stateData } from "./state-data.ts";
import { StateStoreHandle } from "./state-store-handle.ts";

/** The types of the resources that a list resource lists. */
type ListedTypes<Types extends ProviderTypes, Name> = Name extends keyof Types["resources"] ? Types["resources"][Name] : ResourceTypes;

/**
 * The client of a configured provider. It checks configurations against the schema, and the provider's responses against the rules of the
 * protocol. Operations throw a `PluginHostError` with the provider's diagnostics, or a `ProviderError` if a call failed.
 */
export class ProviderClient<Types extends ProviderTypes = AnyProvider> implements AsyncDisposable {
  readonly #context: ClientContext;
  readonly #functions: ProviderFunctions;

  constructor(context: ClientContext) {
    this.#context = context;
    this.#functions = new ProviderFunctions(context.provider, context.schema, context.name, context.onWarning);
  }

  /** Name of the provider in messages. */
  get name(): string {
    return this.#context.name;
  }

  /** The raw provider. */
  get provider(): Provider {
    return this.#context.provider;
  }

  /** The installed package, with its source and its verification; undefined if the source was not a source address. */
  get installed(): InstalledProvider | undefined {
    return this.#context.installed;
  }

  /** The provider's schema. {@link functions} also returns functions that only the configured provider has. */
  get schema(): GetProviderSchemaResponse {
    return this.#context.schema;
  }

  /** The client of a resource type. @throws PluginHostError `NOT_OFFERED` */
  resource<Name extends NameOf<Types["resources"]>>(typeName: Name): ResourceClient<Types["resources"][Name]> {
    assertOffered(this.#context, "managed resource", this.schema.resources, typeName);
    return new ResourceClient<Types["resources"][Name]>(this.#context, typeName);
  }

  /** Reads a data source. @throws PluginHostError `DIAGNOSTICS`, `INVALID_CONFIG`, `NOT_OFFERED` */
  async data<Name extends NameOf<Types["dataSources"]>>(
    typeName: Name,
    config: ConfigInput<Types["dataSources"][Name]["config"]>,
    settings: OperationSettings = {},
  ): Promise<Types["dataSources"][Name]["state"]> {
    assertOffered(this.#context, "data source", this.schema.dataSources, typeName);
    const type = await dataSourceType(this.provider, typeName, lookUp(this.#context, settings));
    const operation = new Operation(this.#context, "read", typeName, settings);
    const value = configValue(type.schema.block, config, operation.address);
    const { value: state, diagnostics } = await readDataSource(type, value, operation.options);
    operation.settle(diagnostics);
    return stateData(state!, type.schema.block) as Types["dataSources"][Name]["state"];
  }

  /**
   * Calls a function.
   *
   * @throws PluginHostError `DIAGNOSTICS` with the function's error; `INVALID_CONFIG` for invalid arguments; `NOT_OFFERED`
   */
  async function<Name extends NameOf<Types["functions"]>>(
    name: Name,
    ...args: Arguments<Types["functions"][Name]["parameters"]>
  ): Promise<Types["functions"][Name]["result"]> {
    const signature = await this.#functions.signature(name);
    if (signature === undefined) throw notOffered(this.#context, "function", await this.functions(), name);
    return await callWithData(this.#context, name, signature, args);
  }

  /**
   * Returns all functions by name: those of the schema, and those that only the configured provider has.
   *
   * @throws PluginHostError `DIAGNOSTICS`
   */
  async functions(): Promise<ReadonlyMap<string, FunctionSignature>> {
    return await this.#functions.all();
  }

  /**
   * Opens an ephemeral resource. `await using` closes it.
   *
   * @throws PluginHostError `DIAGNOSTICS`, `INVALID_CONFIG`, `NOT_OFFERED`
   */
  async ephemeral<Name extends NameOf<Types["ephemeralResources"]>>(
    typeName: Name,
    config: ConfigInput<Types["ephemeralResources"][Name]["config"]>,
    settings: OperationSettings = {},
  ): Promise<EphemeralHandle<Types["ephemeralResources"][Name]["state"]>> {
    assertOffered(this.#context, "ephemeral resource", this.schema.ephemeralResources, typeName);
    const type = await ephemeralResourceType(this.provider, typeName, lookUp(this.#context, settings));
    const operation = new Operation(this.#context, "open", typeName, settings);
    const value = configValue(type.schema.block, config, operation.address);
    const { resource, diagnostics } = await openEphemeralResource(type, value, operation.options);
    operation.settle(diagnostics);
    const state = stateData(resource!.result, type.schema.block) as Types["ephemeralResources"][Name]["state"];
    const closing = new Operation(this.#context, "renewal or close", typeName, settings);
    return createEphemeralHandle(typeName, resource!, state, closing);
  }

  /**
   * Lists existing resources. Breaking out of the loop ends the listing.
   *
   * @throws PluginHostError `NOT_OFFERED` at once; while iterating, `DIAGNOSTICS`, `INVALID_CONFIG`, `INVALID_OPTIONS`
   */
  list<Name extends NameOf<Types["listResources"]>>(
    typeName: Name,
    config: ConfigInput<Types["listResources"][Name]["config"]>,
    settings: ListSettings = {},
  ): AsyncIterable<ListedResource<ListedTypes<Types, Name>["state"], ListedTypes<Types, Name>["identity"]>> {
    assertOffered(this.#context, "list resource", this.schema.listResources, typeName);
    return listResources(this.#context, typeName, config, settings);
  }

  /** The client of an action. @throws PluginHostError `NOT_OFFERED` */
  action<Name extends NameOf<Types["actions"]>>(typeName: Name): ActionClient<Types["actions"][Name]> {
    assertOffered(this.#context, "action", this.schema.actions, typeName);
    return new ActionClient<Types["actions"][Name]>(this.#context, typeName);
  }

  /**
   * Opens a state store. A provider has one open store of each type: opening it again reconfigures it for all its handles.
   *
   * @throws PluginHostError `DIAGNOSTICS`, `INVALID_CONFIG`, `NOT_OFFERED`
   */
  async stateStore<Name extends NameOf<Types["stateStores"]>>(
    typeName: Name,
    config: ConfigInput<Types["stateStores"][Name]["config"]>,
    settings: OperationSettings = {},
  ): Promise<StateStoreHandle> {
    assertOffered(this.#context, "state store", this.schema.stateStores, typeName);
    const type = await stateStoreType(this.provider, typeName, lookUp(this.#context, settings));
    const operation = new Operation(this.#context, "open", typeName, settings);
    const value = configValue(type.schema.block, config, operation.address);
    const { store, diagnostics } = await openStateStore(type, value, operation.options);
    operation.settle(diagnostics);
    return new StateStoreHandle(this.#context, store!, typeName, operation.address);
  }

  /** Asks the provider to finish its work gracefully (StopProvider). Operations in flight still return. */
  async stop(): Promise<void> {
    await this.provider.stop({});
  }

  /** Shuts the provider down. */
  async close(): Promise<void> {
    await this.provider.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
