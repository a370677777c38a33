// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { Deferred } from "../messages/common.ts";
import { unknownAsNull } from "../model/unknown-parts.ts";
import { addressOf, clientCapabilitiesOf, enter, withProviderMeta, type ConfigOptions } from "./operation.ts";
import { objectFaults, providerFault } from "./provider-fault.ts";
import { callOptions, type ComponentType } from "./resource-type.ts";
import { validateDataSourceConfig, validateOnce } from "./validate-config.ts";

/** Result of reading a data source. */
export interface ReadDataSourceOutcome {
  /** Wholly known and not null; absent where diagnostics hold errors, or the read was deferred. */
  readonly value?: Value;
  /** Reason for which the read was deferred. Only where the caller allowed deferral. */
  readonly deferred?: Deferred;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Validates the configuration of a data source, which must be wholly known, and reads it. `plannedUnknownObject` gives the state of a
 * data source that cannot be read yet.
 *
 * @throws ProviderError where a call fails.
 */
export async function readDataSource(type: ComponentType, config: Value, options: ConfigOptions = {}): Promise<ReadDataSourceOutcome> {
  const diagnostics: Diagnostic[] = [...(await validateOnce(validateDataSourceConfig, type, config, options))];
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

/** Returns the faults of a result that must be of the component's object type, wholly known and not null. */
export function resultFaults(type: ComponentType, value: Value, address: string): Diagnostic[] {
  const faults = objectFaults(type, "Provider produced invalid object", value, "produced", address);
  if (faults.length > 0) return faults;
  if (value.payload === null) return [providerFault(type, "Provider produced null object", `produced a null value for ${address}`)];
  if (isWhollyKnown(value)) return [];
  return [providerFault(type, "Provider produced invalid object", `produced a value for ${address} that is not wholly known`)];
}
