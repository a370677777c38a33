// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import { clientCapabilitiesOf, enter, type OperationOptions } from "./operation.ts";
import { callOptions, type ComponentType, type ResourceType } from "./resource-type.ts";

/**
 * Has the provider check a managed resource's configuration, which may hold unknown values.
 *
 * @throws ProviderError where the provider cannot be asked.
 */
export async function validateConfig(type: ResourceType, config: Value, options: OperationOptions = {}): Promise<readonly Diagnostic[]> {
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
