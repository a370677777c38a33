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
import { assertOffered, lookUp, Operation, type ClientContext, type OperationSettings } from "./operation.ts";
import type { AnyProvider, Arguments, ConfigInput, NameOf, ProviderTypes, ResourceTypes } from "./provider-types.ts";
import { ResourceClient } from "./resource-client.ts";
import { stateData } from "./state-data.ts";
import { StateStoreHandle } from "./state-store-handle.ts";

/** The types of the resources that a list resource of a name finds. */
type ListedTypes<Types extends ProviderTypes, Name> = Name extends keyof Types["resources"] ? Types["resources"][Name] : ResourceTypes;

/**
 * A provider that is configured and ready: data in and out.
 *
 * Configurations are checked against the schema here, and everything the provider answers against the rules of its protocol. What
 * is wrong is thrown: `PluginHostError` with the provider's diagnostics, `ProviderError` where it could not be asked.
 */
export class ProviderClient<Types extends ProviderTypes = AnyProvider> implements AsyncDisposable {
  readonly #context: ClientContext;

  constructor(context: ClientContext) {
    this.#context = context;
  }

  /** How messages name it. */
  get name(): string {
    return this.#context.name;
  }

  /** The instance behind it, for what is not here. */
  get provider(): Provider {
    return this.#context.provider;
  }

  /** Where its package came from and how that was verified; undefined where it was not installed by its address. */
  get installed(): InstalledProvider | undefined {
    return this.#context.installed;
  }

  /** Everything it offers, with the functions that it has only once it is configured. */
  get schema(): GetProviderSchemaResponse {
    return this.#context.schema;
  }

  /** The resources of a type. @throws PluginHostError `NOT_OFFERED` */
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
    const wanted = configValue(type.schema.block, config, operation.address);
    const { value, diagnostics } = await readDataSource(type, wanted, operation.options);
    operation.settle(diagnostics);
    return stateData(value!, type.schema.block) as Types["dataSources"][Name]["state"];
  }

  /**
   * Calls a function.
   *
   * @throws PluginHostError `DIAGNOSTICS` with the function's own complaint; `INVALID_CONFIG` for arguments that are not what it
   *   takes; `NOT_OFFERED`
   */
  async function<Name extends NameOf<Types["functions"]>>(
    name: Name,
    ...args: Arguments<Types["functions"][Name]["parameters"]>
  ): Promise<Types["functions"][Name]["result"]> {
    assertOffered(this.#context, "function", this.schema.functions, name);
    const signature: FunctionSignature = this.schema.functions.get(name)!;
    return await callWithData(this.#context, name, signature, args);
  }

  /**
   * Opens an ephemeral resource: `await using` closes it.
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
    const wanted = configValue(type.schema.block, config, operation.address);
    const { resource, diagnostics } = await openEphemeralResource(type, wanted, operation.options);
    operation.settle(diagnostics);
    const state = stateData(resource!.result, type.schema.block) as Types["ephemeralResources"][Name]["state"];
    return createEphemeralHandle(typeName, resource!, state, operation);
  }

  /**
   * Lists resources that exist, one by one; breaking out of the loop ends it.
   *
   * @throws PluginHostError `NOT_OFFERED` at once; while listing, `DIAGNOSTICS`, `INVALID_CONFIG`
   */
  list<Name extends NameOf<Types["listResources"]>>(
    typeName: Name,
    config: ConfigInput<Types["listResources"][Name]["config"]>,
    settings: ListSettings = {},
  ): AsyncIterable<ListedResource<ListedTypes<Types, Name>["state"], ListedTypes<Types, Name>["identity"]>> {
    assertOffered(this.#context, "list resource", this.schema.listResources, typeName);
    return listResources(this.#context, typeName, config, settings);
  }

  /** An action. @throws PluginHostError `NOT_OFFERED` */
  action<Name extends NameOf<Types["actions"]>>(typeName: Name): ActionClient<Types["actions"][Name]> {
    assertOffered(this.#context, "action", this.schema.actions, typeName);
    return new ActionClient<Types["actions"][Name]>(this.#context, typeName);
  }

  /**
   * Opens a state store. A provider has one of a type open at a time: opening it again is for all who have it.
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
    const wanted = configValue(type.schema.block, config, operation.address);
    const { store, diagnostics } = await openStateStore(type, wanted, operation.options);
    operation.settle(diagnostics);
    return new StateStoreHandle(this.#context, store!, typeName, operation.address);
  }

  /** Asks the provider to give up in good order what it is doing. Operations under way still answer. */
  async stop(): Promise<void> {
    await this.provider.stop({});
  }

  /** Ends the provider. */
  async close(): Promise<void> {
    await this.provider.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
