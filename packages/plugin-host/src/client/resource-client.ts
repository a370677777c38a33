// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import { hasErrors, identityType, ProviderError, type Diagnostic } from "@tenon/schema";
import {
  applyChange,
  decodeObject,
  importObject,
  moveObject,
  planChange,
  planDestroy,
  readObject,
  resourceType,
  storedObject,
  upgradeObject,
  validateConfig,
  type PlannedChange,
  type ResourceObject,
  type ResourceType,
} from "@tenon/schema/lifecycle";
import { PluginHostError } from "../error.ts";
import { configValue, typedValue } from "./config-value.ts";
import { diagnosticsError } from "./diagnostics.ts";
import { lookUp, Operation, type ClientContext, type OperationSettings } from "./operation.ts";
import type { AnyResource, ConfigInput, ResourceTypes } from "./provider-types.ts";
import type { SerializedResource } from "../resource-handle.ts";
import { createHandle, type HandleOf } from "./resource-handle.ts";
import { stateData } from "./state-data.ts";
import { createPlan, type ApplySettings, type ResourcePlan } from "./resource-plan.ts";

/** Settings for planning a change. */
export interface PlanSettings<Types extends ResourceTypes = AnyResource> extends OperationSettings {
  /** The current object. Default: none, to plan a create. */
  readonly prior?: HandleOf<Types> | undefined;
  /** Whether to replace the object even if it could be changed in place. Default: false. */
  readonly forceReplace?: boolean;
}

/** Settings for creating or deleting an object. */
export type ChangeSettings<Types extends ResourceTypes = AnyResource> = OperationSettings & ApplySettings<Types>;

/** Settings for updating an object. */
export type UpdateSettings<Types extends ResourceTypes = AnyResource> = ChangeSettings<Types> & {
  /**
   * Whether the object may be replaced if it cannot be changed in place, as in the CLIs. Default: true. If false, such an update throws
   * `REPLACEMENT_REQUIRED`.
   */
  readonly replace?: boolean;
};

/** Settings for moving an object from another type. */
export interface MoveSettings extends OperationSettings {
  /** Full source address of the old provider, such as `registry.terraform.io/hashicorp/time`. Default: the name of this provider. */
  readonly providerAddress?: string;
}

/** The id or identity of a remote object. */
export type ImportName<Types extends ResourceTypes = AnyResource> = string | { readonly identity: NonNullable<Types["identity"]> | Value };

/** The client of one resource type. It keeps no state: objects are arguments and results, as handles. */
export class ResourceClient<Types extends ResourceTypes = AnyResource> {
  readonly typeName: string;
  readonly #context: ClientContext;

  constructor(context: ClientContext, typeName: string) {
    this.#context = context;
    this.typeName = typeName;
  }

  /** Validates a configuration. @returns the warnings. @throws PluginHostError `DIAGNOSTICS`, `INVALID_CONFIG` */
  async validate(config: ConfigInput<Types["config"]>, settings: OperationSettings = {}): Promise<readonly Diagnostic[]> {
    const { type, operation } = await this.#begin("validate", settings);
    return operation.settle(await validateConfig(type, this.#config(type, operation, config), operation.options));
  }

  /**
   * Plans the creation of an object, or the change of `prior` to a configuration.
   *
   * @throws PluginHostError `DIAGNOSTICS` with errors of the provider, or broken rules of the protocol; `INVALID_CONFIG`
   */
  async plan(config: ConfigInput<Types["config"]>, settings: PlanSettings<Types> = {}): Promise<ResourcePlan<Types>> {
    const { type, operation } = await this.#begin("plan", settings);
    const { planned, value, warnings } = await this.#plan(type, operation, config, settings);
    return createPlan<Types>({
      type,
      planned,
      config: value,
      warnings,
      address: operation.address,
      toConfig: (data) => this.#config(type, operation, data),
      apply: (config, replan, apply) => this.#apply(type, this.#applyOperation(settings), planned, config, replan, apply),
    });
  }

  /** Plans the deletion of an object. @throws PluginHostError `DIAGNOSTICS` */
  async planDelete(handle: HandleOf<Types>, settings: OperationSettings = {}): Promise<ResourcePlan<Types>> {
    const { type, operation } = await this.#begin("delete", settings);
    const { planned, diagnostics } = await planDestroy(type, this.#object(handle), operation.options);
    const warnings = operation.settle(diagnostics);
    return createPlan<Types>({
      type,
      planned: planned!,
      config: undefined,
      warnings,
      address: operation.address,
      toConfig: (data) => this.#config(type, operation, data),
      apply: (_config, _replan, apply) => this.#apply(type, this.#applyOperation(settings), planned!, undefined, false, apply),
    });
  }

  /**
   * Creates an object.
   *
   * @throws PluginHostError `DIAGNOSTICS`, with an object that exists nevertheless in `remaining`; `INVALID_CONFIG`
   */
  async create(config: ConfigInput<Types["config"]>, settings: ChangeSettings<Types> = {}): Promise<HandleOf<Types>> {
    const { type, operation } = await this.#begin("create", settings);
    const { planned, value } = await this.#plan(type, operation, config, {}, "known");
    return (await this.#apply(type, operation, planned, value, false, settings))!;
  }

  /** Reads an object. @returns its current handle; undefined if it no longer exists. @throws PluginHostError `DIAGNOSTICS` */
  async read(handle: HandleOf<Types>, settings: OperationSettings = {}): Promise<HandleOf<Types> | undefined> {
    const { type, operation } = await this.#begin("read", settings);
    const { object, diagnostics } = await readObject(type, this.#object(handle), operation.options);
    const warnings = operation.settle(diagnostics);
    return object && this.#handle(type, object, warnings);
  }

  /**
   * Updates an object to a configuration. If nothing changes, the same handle is returned.
   *
   * @throws PluginHostError `DIAGNOSTICS`, with the object that exists afterwards in `remaining`; `REPLACEMENT_REQUIRED`; `INVALID_CONFIG`
   */
  async update(
    handle: HandleOf<Types>,
    config: ConfigInput<Types["config"]>,
    settings: UpdateSettings<Types> = {},
  ): Promise<HandleOf<Types>> {
    const { type, operation } = await this.#begin("update", settings);
    const { planned, value } = await this.#plan(type, operation, config, { prior: handle }, "known");
    if (planned.action === "noOp") return handle;
    if (planned.action === "replace" && settings.replace === false) throw replacementRequired(operation, planned);
    return (await this.#apply(type, operation, planned, value, false, settings))!;
  }

  /** Deletes an object. @throws PluginHostError `DIAGNOSTICS`, with the object that still exists in `remaining` */
  async delete(handle: HandleOf<Types>, settings: ChangeSettings<Types> = {}): Promise<void> {
    const { type, operation } = await this.#begin("delete", settings);
    const { planned, diagnostics } = await planDestroy(type, this.#object(handle), operation.options);
    operation.settle(diagnostics);
    await this.#apply(type, operation, planned!, undefined, false, settings);
  }

  /**
   * Imports an existing object, by its id in the format of the provider's documentation, or by its identity.
   *
   * @throws PluginHostError `DIAGNOSTICS`; ProviderError `UNIMPLEMENTED` if the provider does not support imports
   */
  async import(name: ImportName<Types>, settings: OperationSettings = {}): Promise<HandleOf<Types>> {
    const { type, operation } = await this.#begin("import", settings);
    const target = typeof name === "string" ? { id: name } : { identity: this.#identity(type, operation, name.identity) };
    const { object, diagnostics } = await importObject(type, target, operation.options);
    const warnings = operation.settle(diagnostics);
    return this.#handle(type, object!, warnings);
  }

  /**
   * Reads a handle that was stored as JSON. The provider upgrades an object of an older schema version.
   *
   * @throws PluginHostError `DIAGNOSTICS`; `INVALID_CONFIG` for an object of another type
   */
  async fromJson(json: SerializedResource, settings: OperationSettings = {}): Promise<HandleOf<Types>> {
    const { type, operation } = await this.#begin("upgrade", settings);
    if (json.typeName !== this.typeName) {
      const message = `the stored object is a ${JSON.stringify(json.typeName)}, and not a ${JSON.stringify(this.typeName)}`;
      throw new PluginHostError("INVALID_CONFIG", message);
    }
    const isCurrent =
      json.schemaVersion === type.schema.version &&
      (json.identity === undefined || json.identitySchemaVersion === type.identitySchema?.version);
    if (isCurrent) return this.#handle(type, decodeObject(type, json), []);
    const { object, diagnostics } = await upgradeObject(type, storedObject(json), operation.options);
    const warnings = operation.settle(diagnostics);
    return this.#handle(type, object!, warnings);
  }

  /**
   * Moves an object from another type, of this provider or another one, given as the JSON of its handle. Nothing is created or deleted.
   *
   * @throws PluginHostError `DIAGNOSTICS` if the provider refuses the move; ProviderError `UNIMPLEMENTED` if it does not support moves
   */
  async move(source: SerializedResource, settings: MoveSettings = {}): Promise<HandleOf<Types>> {
    const { type, operation } = await this.#begin("move", settings);
    const { providerAddress = this.#context.name } = settings;
    const from = { providerAddress, typeName: source.typeName, stored: storedObject(source) };
    const { object, diagnostics } = await moveObject(type, from, operation.options);
    const warnings = operation.settle(diagnostics);
    return this.#handle(type, object!, warnings);
  }

  /**
   * Generates a configuration for an object, such as a first draft for an imported object.
   *
   * @throws PluginHostError `DIAGNOSTICS`; ProviderError `UNIMPLEMENTED` if the provider does not support it
   */
  async generateConfig(handle: HandleOf<Types>, settings: OperationSettings = {}): Promise<Types["config"]> {
    const { type, operation } = await this.#begin("configuration", settings);
    const options = settings.signal ? { signal: settings.signal } : {};
    const request = { typeName: this.typeName, state: this.#object(handle).value };
    const { config, diagnostics } = await type.provider.generateResourceConfig(request, options);
    operation.settle(diagnostics);
    if (config === undefined) {
      throw new ProviderError("INVALID_RESPONSE", `${operation.subject}: the provider returned neither a configuration nor an error`);
    }
    return stateData(config, type.schema.block) as Types["config"];
  }

  async #begin(what: string, settings: OperationSettings): Promise<{ readonly type: ResourceType; readonly operation: Operation }> {
    const operation = new Operation(this.#context, what, this.typeName, settings);
    return { type: await resourceType(this.#context.provider, this.typeName, lookUp(this.#context, settings)), operation };
  }

  /** The operation that a plan's `apply` starts. */
  #applyOperation(settings: OperationSettings): Operation {
    return new Operation(this.#context, "apply", this.typeName, settings);
  }

  async #plan(
    type: ResourceType,
    operation: Operation,
    config: unknown,
    { prior, forceReplace }: Pick<PlanSettings<Types>, "prior" | "forceReplace">,
    known?: "known",
  ): Promise<{ readonly planned: PlannedChange; readonly value: Value; readonly warnings: readonly Diagnostic[] }> {
    const value = this.#config(type, operation, config);
    if (known && !isWhollyKnown(value))
      throw new PluginHostError(
        "INVALID_CONFIG",
        `${operation.subject}: the configuration has values that are not known yet; plan it first`,
      );
    const { planned, diagnostics } = await planChange(type, {
      ...operation.options,
      config: value,
      prior: prior && this.#object(prior),
      ...(forceReplace ? { forceReplace } : {}),
    });
    return { value, warnings: operation.settle(diagnostics), planned: planned! };
  }

  async #apply(
    type: ResourceType,
    operation: Operation,
    planned: PlannedChange,
    config: Value | undefined,
    replan: boolean,
    settings: ApplySettings<Types>,
  ): Promise<HandleOf<Types> | undefined> {
    const { onObject, signal } = settings;
    const { object, diagnostics } = await applyChange(type, planned, {
      ...operation.options,
      ...(signal ? { signal } : {}),
      ...(config ? { config } : {}),
      ...(replan ? { replan } : {}),
      ...(onObject ? { observer: { onObject: (object) => onObject(object && this.#handle(type, object, [])) } } : {}),
    });
    if (hasErrors(diagnostics)) throw diagnosticsError(diagnostics, operation.subject, object && createHandle(type, object, diagnostics));
    const warnings = operation.settle(diagnostics);
    return object && this.#handle(type, object, warnings);
  }

  #config(type: ResourceType, operation: Operation, data: unknown): Value {
    return configValue(type.schema.block, data, operation.address);
  }

  #identity(type: ResourceType, operation: Operation, data: unknown): Value {
    if (type.identitySchema === undefined) throw new PluginHostError("INVALID_CONFIG", `${this.typeName} has no identity: import it by id`);
    const names = Object.keys(type.identitySchema.attributes);
    const full =
      typeof data === "object" && data !== null && !("payload" in data)
        ? { ...Object.fromEntries(names.map((name) => [name, null])), ...data }
        : data;
    return typedValue(identityType(type.identitySchema), full, `identity of ${operation.address}`);
  }

  /** The object of a handle. @throws PluginHostError `INVALID_CONFIG` for a handle of another type, which only generated types exclude */
  #object(handle: HandleOf<Types>): ResourceObject {
    if (handle.typeName === this.typeName) return handle.object;
    throw new PluginHostError("INVALID_CONFIG", `the handle is of a ${handle.typeName}, and not of a ${this.typeName}`);
  }

  #handle(type: ResourceType, object: ResourceObject, warnings: readonly Diagnostic[]): HandleOf<Types> {
    return createHandle(type, object, warnings);
  }
}

function replacementRequired({ subject }: Operation, planned: PlannedChange): PluginHostError {
  const why = planned.reason === "tainted" ? "the object is tainted" : "the change cannot be made in place";
  return new PluginHostError(
    "REPLACEMENT_REQUIRED",
    `${subject} would delete the object and create another: ${why}, and replacing is not allowed`,
  );
}
