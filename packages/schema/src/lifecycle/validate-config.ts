// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import { clientCapabilitiesOf, enter, type ConfigOptions, type OperationOptions } from "./operation.ts";
import { callOptions, type ComponentType } from "./resource-type.ts";

/**
 * Has the provider validate the configuration of a managed resource, which may hold unknown values.
 *
 * @throws ProviderError where the call fails.
 */
export async function validateConfig(type: ComponentType, config: Value, options: OperationOptions = {}): Promise<readonly Diagnostic[]> {
  enter("validate", type, options);
  const request = { typeName: type.typeName, config, clientCapabilities: clientCapabilitiesOf(options) };
  return (await type.provider.validateResourceConfig(request, callOptions(options))).diagnostics;
}

/** {@link validateConfig} for a data source. */
export async function validateDataSourceConfig(
  type: ComponentType,
  config: Value,
  options: OperationOptions = {},
): Promise<readonly Diagnostic[]> {
  enter("validate", type, options);
  return (await type.provider.validateDataResourceConfig({ typeName: type.typeName, config }, callOptions(options))).diagnostics;
}

/** {@link validateConfig} for an ephemeral resource. */
export async function validateEphemeralConfig(
  type: ComponentType,
  config: Value,
  options: OperationOptions = {},
): Promise<readonly Diagnostic[]> {
  enter("validate", type, options);
  return (await type.provider.validateEphemeralResourceConfig({ typeName: type.typeName, config }, callOptions(options))).diagnostics;
}

/** {@link validateConfig} for an action. */
export async function validateActionConfig(
  type: ComponentType,
  config: Value,
  options: OperationOptions = {},
): Promise<readonly Diagnostic[]> {
  enter("validate", type, options);
  return (await type.provider.validateActionConfig({ actionType: type.typeName, config }, callOptions(options))).diagnostics;
}

/** {@link validateConfig} for a state store. */
export async function validateStateStoreConfig(
  type: ComponentType,
  config: Value,
  options: OperationOptions = {},
): Promise<readonly Diagnostic[]> {
  enter("validate", type, options);
  return (await type.provider.validateStateStoreConfig({ typeName: type.typeName, config }, callOptions(options))).diagnostics;
}

/** Validates a configuration with `validate`, unless `configValidated` is set. */
export async function validateOnce(
  validate: (type: ComponentType, config: Value, options: OperationOptions) => Promise<readonly Diagnostic[]>,
  type: ComponentType,
  config: Value,
  options: ConfigOptions,
): Promise<readonly Diagnostic[]> {
  return options.configValidated ? [] : await validate(type, config, options);
}
