// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import type { Diagnostic } from "@tenon/schema";
import { actionType, invokeAction, planAction, type ComponentType } from "@tenon/schema/lifecycle";
import { PluginHostError } from "../error.ts";
import { notifyListener } from "../listener.ts";
import { configValue } from "./config-value.ts";
import { lookUp, Operation, type ClientContext, type OperationSettings } from "./operation.ts";
import type { ActionTypes, AnyAction, ConfigInput } from "./provider-types.ts";

/** Settings for invoking an action. */
export interface InvokeSettings extends OperationSettings {
  /** Called with each progress message of the action. An exception it throws is uncaught. Default: no listener. */
  readonly onProgress?: (message: string) => void;
}

/** An event of an action: any number of `progress`, then one `completed` with the warnings. */
export type ActionEvent =
  | { readonly kind: "progress"; readonly message: string }
  | { readonly kind: "completed"; readonly warnings: readonly Diagnostic[] };

/** An action: an operation of the provider that leaves no state. */
export class ActionClient<Types extends ActionTypes = AnyAction> {
  readonly typeName: string;
  readonly #context: ClientContext;

  constructor(context: ClientContext, typeName: string) {
    this.#context = context;
    this.typeName = typeName;
  }

  /**
   * Has the provider validate and plan the action, without invoking it. Values may be unknown.
   *
   * @returns the warnings. @throws PluginHostError `DIAGNOSTICS`, `INVALID_CONFIG`
   */
  async plan(config: ConfigInput<Types["config"]>, settings: OperationSettings = {}): Promise<readonly Diagnostic[]> {
    const { type, operation, value } = await this.#begin("plan", config, settings);
    return operation.settle((await planAction(type, value, operation.options)).diagnostics);
  }

  /**
   * Invokes the action.
   *
   * @returns the warnings
   * @throws PluginHostError `DIAGNOSTICS` if the action was refused or failed; `INVALID_CONFIG`, also for unknown values
   */
  async invoke(config: ConfigInput<Types["config"]>, settings: InvokeSettings = {}): Promise<readonly Diagnostic[]> {
    let warnings: readonly Diagnostic[] = [];
    for await (const event of this.events(config, settings)) {
      if (event.kind === "progress") notifyListener(settings.onProgress, event.message);
      else ({ warnings } = event);
    }
    return warnings;
  }

  /**
   * Invokes the action when the iteration starts, and yields its events. Breaking out of the loop cancels the action; its effects are then
   * unknown.
   *
   * @throws PluginHostError while iterating, as {@link invoke}
   */
  async *events(config: ConfigInput<Types["config"]>, settings: OperationSettings = {}): AsyncGenerator<ActionEvent, void> {
    const { type, operation, value } = await this.#begin("invoke", config, settings);
    if (!isWhollyKnown(value)) {
      throw new PluginHostError("INVALID_CONFIG", `${operation.subject}: the configuration has values that are not known yet`);
    }
    for await (const event of invokeAction(type, value, operation.options)) {
      if (event.kind === "progress") yield event;
      else yield { kind: "completed", warnings: operation.settle(event.diagnostics) };
    }
  }

  async #begin(
    what: string,
    config: unknown,
    settings: OperationSettings,
  ): Promise<{ readonly type: ComponentType; readonly operation: Operation; readonly value: Value }> {
    const operation = new Operation(this.#context, what, this.typeName, settings);
    const type = await actionType(this.#context.provider, this.typeName, lookUp(this.#context, settings));
    return { type, operation, value: configValue(type.schema.block, config, operation.address) };
  }
}
