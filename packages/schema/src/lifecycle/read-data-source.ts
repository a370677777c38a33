// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { Deferred } from "../messages/common.ts";
import { unknownAsNull } from "../model/unknown-parts.ts";
import { addressOf, clientCapabilitiesOf, enter, withProviderMeta, type OperationOptions } from "./operation.ts";
import { objectFaults, providerFault } from "./provider-fault.ts";
import { callOptions, type ComponentType } from "./resource-type.ts";
import { validateDataSourceConfig } from "./validate-config.ts";

/** What a data source answered. */
export interface ReadDataSourceOutcome {
  /** Wholly known and not null; absent where there are errors. */
  readonly value?: Value;
  /** Only where the caller allowed it. */
  readonly deferred?: Deferred;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Has a data source's configuration validated, and reads it. To be asked only once the configuration is wholly known: until then
 * `plannedUnknownObject` says what there is to say.
 *
 * @throws ProviderError where the provider cannot be asked.
 */
export async function readDataSource(type: ComponentType, config: Value, options: OperationOptions = {}): Promise<ReadDataSourceOutcome> {
  const diagnostics: Diagnostic[] = [...(await validateDataSourceConfig(type, config, options))];
  if (hasErrors(diagnostics)) return { diagnostics };
  enter("readData", type, options);
  const response = await type.provider.readDataSource(
    { typeName: type.typeName, config, clientCapabilities: clientCapabilitiesOf(options), ...withProviderMeta(options) },
    callOptions(options),
  );
  diagnostics.push(...response.diagnostics);
  if (hasErrors(diagnostics)) return { diagnostics };
  if (response.deferred && clientCapabilitiesOf(options).deferralAllowed) return { deferred: response.deferred, diagnostics };
  diagnostics.push(...resultFaults(type, response.state, addressOf(type, options)));
  return hasErrors(diagnostics) ? { diagnostics } : { value: unknownAsNull(response.state), diagnostics };
}

/** What is wrong with a value that must be of the type's object type, not null and wholly known. */
export function resultFaults(type: ComponentType, value: Value, address: string): Diagnostic[] {
  const faults = objectFaults(type, "Provider produced invalid object", value, "produced", address);
  if (faults.length > 0) return faults;
  if (value.payload === null) return [providerFault(type, "Provider produced null object", `produced a null value for ${address}`)];
  if (isWhollyKnown(value)) return [];
  return [providerFault(type, "Provider produced invalid object", `produced a value for ${address} that is not wholly known`)];
}
