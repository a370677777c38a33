// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import type { Diagnostic } from "@tenon/schema";
import { actionType, invokeAction, planAction, type ComponentType } from "@tenon/schema/lifecycle";
import { PluginHostError } from "../error.ts";
import { tellListener } from "../listener.ts";
import { configValue } from "./config-value.ts";
import { lookUp, Operation, type ClientContext, type OperationSettings } from "./operation.ts";
import type { ActionTypes, AnyAction, ConfigInput } from "./provider-types.ts";

/** How an action is invoked. */
export interface InvokeSettings extends OperationSettings {
  /** Told what the action says of its progress. What it throws is an uncaught exception. Default: nobody. */
  readonly onProgress?: (message: string) => void;
}

/** What an action tells of itself: any number of `progress`, then one `completed` with what the provider warned of. */
export type ActionEvent =
  | { readonly kind: "progress"; readonly message: string }
  | { readonly kind: "completed"; readonly warnings: readonly Diagnostic[] };

/** An action: something that a provider does, and that leaves no state. */
export class ActionClient<Types extends ActionTypes = AnyAction> {
  readonly typeName: string;
  readonly #context: ClientContext;

  constructor(context: ClientContext, typeName: string) {
    this.#context = context;
    this.typeName = typeName;
  }

  /**
   * Has the provider check the action, and do nothing; values may be unknown.
   *
   * @returns What it warns of. @throws PluginHostError `DIAGNOSTICS`, `INVALID_CONFIG`
   */
  async plan(config: ConfigInput<Types["config"]>, settings: OperationSettings = {}): Promise<readonly Diagnostic[]> {
    const { type, operation, value } = await this.#begin("plan", config, settings);
    return operation.settle((await planAction(type, value, operation.options)).diagnostics);
  }

  /**
   * Does it.
   *
   * @returns What the provider warns of.
   * @throws PluginHostError `DIAGNOSTICS` where it was refused or failed; `INVALID_CONFIG`, also for what is not known yet
   */
  async invoke(config: ConfigInput<Types["config"]>, settings: InvokeSettings = {}): Promise<readonly Diagnostic[]> {
    let warnings: readonly Diagnostic[] = [];
    for await (const event of this.events(config, settings)) {
      if (event.kind === "progress") tellListener(settings.onProgress, event.message);
      else ({ warnings } = event);
    }
    return warnings;
  }

  /**
   * Does it, and tells of it as it goes on. Nothing is done before the loop begins; breaking out of it gives the action up, and what was done by
   * then is not known.
   *
   * @throws PluginHostError while it runs, as {@link invoke}
   */
  async *events(config: ConfigInput<Types["config"]>, settings: OperationSettings = {}): AsyncGenerator<ActionEvent, void> {
    const { type, operation, value } = await this.#begin("invoke", config, settings);
    if (!isWhollyKnown(value)) {
      throw new PluginHostError("INVALID_CONFIG", `${operation.subject}: the configuration holds values that are not known yet`);
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
