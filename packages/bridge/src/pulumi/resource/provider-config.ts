// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { structMapOf } from "@tenon/protocol/carrier";
import { hasErrors, impliedType } from "@tenon/schema";
import { BridgeError } from "../../error.ts";
import type { ComponentMapping, ValueMapping } from "../mapping/mapping.ts";
import { secretProperty, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import type { Json } from "../property/json.ts";
import { decodeProperties } from "../values/decode-properties.ts";
import { plain, type PropertyProblem, providerValue } from "../values/provider-value.ts";
import { holdsSecret } from "../values/secret-properties.ts";
import { hasSensitiveParts, withSensitiveSecrets } from "../values/sensitive-properties.ts";
import { errorTexts, showWarnings, type BridgeContext } from "./bridge-context.ts";
import { failuresOf, type CheckedInputs } from "./check-resource.ts";

/** Keys that the engine adds to the configuration of a provider. */
const engineKeys = new Set(["version", "pluginDownloadURL", "pluginChecksums", "name", "parameterization"]);

/** A required property that the configuration lacks. */
export interface MissingProperty {
  readonly name: string;
  readonly description: string;
}

/** Checks the configuration of a provider, and lets the provider validate it. */
export async function checkConfig(context: BridgeContext, news: PropertyMap, urn: string, signal: AbortSignal): Promise<CheckedInputs> {
  const { config } = context.mapping;
  const decoded = decodedConfig(config, news);
  const { value, problems } = configValue(config, decoded);
  const inputs = withConfigSecrets(config, news);
  if (problems.length > 0) return { inputs, failures: problems };
  const { diagnostics } = await context.provider.validateProviderConfig({ config: value }, { signal });
  showWarnings(context, diagnostics, urn);
  return { inputs, failures: failuresOf(config.object, diagnostics) };
}

/**
 * Marks the sensitive parts of a configuration as secret. If a part of a value in JSON text is sensitive, the whole text is secret, because the
 * engine stores and shows the text unchanged.
 */
function withConfigSecrets({ object }: ComponentMapping, news: PropertyMap): PropertyMap {
  const inputs = new Map(withSensitiveSecrets(object, news));
  for (const [name, value] of inputs) {
    const mapping = object.byProperty.get(name)?.value;
    if (mapping !== undefined && typeof value === "string" && hasSecretText(mapping, value)) inputs.set(name, secretProperty(value));
  }
  return inputs;
}

function hasSecretText(mapping: ValueMapping, text: string): boolean {
  return mapping.kind !== "string" && (hasSensitiveParts(mapping) || holdsSecret(decodedValue(mapping, text)));
}

/**
 * Configures the provider.
 *
 * @returns the required properties that are missing. If there are none, the provider is configured.
 * @throws BridgeError `INVALID_PROPERTIES`; `PROVIDER_FAILED` if the provider reports an error.
 */
export async function configureProvider(
  context: BridgeContext,
  args: PropertyMap,
  urn: string,
  signal: AbortSignal,
): Promise<readonly MissingProperty[]> {
  const { config } = context.mapping;
  const decoded = decodedConfig(config, args);
  const missing = missingProperties(config, decoded);
  if (missing.length > 0) return missing;
  const { value, problems } = configValue(config, decoded);
  if (problems.length > 0) {
    const texts = problems.map(({ property, reason }) => `${property}: ${reason}`);
    throw new BridgeError("INVALID_PROPERTIES", `the configuration of package ${context.mapping.name} is invalid: ${texts.join("; ")}`);
  }
  const validated = await context.provider.validateProviderConfig({ config: value }, { signal });
  const { diagnostics } = hasErrors(validated.diagnostics)
    ? validated
    : await context.provider.configureProvider({ terraformVersion: context.terraformVersion, config: value }, { signal });
  showWarnings(context, diagnostics, urn);
  if (hasErrors(diagnostics)) throw new BridgeError("PROVIDER_FAILED", errorTexts(diagnostics).join("\n"));
  return [];
}

/**
 * Decodes the configuration of a provider. The engine sends values other than text as JSON text for a default provider, and as they are for an
 * explicit provider.
 */
export function decodedConfig({ object }: ComponentMapping, properties: PropertyMap): PropertyMap {
  const decoded = new Map<string, PropertyValue>();
  for (const [name, given] of properties) {
    const property = object.byProperty.get(name);
    if (property === undefined && engineKeys.has(name)) continue;
    decoded.set(name, property === undefined ? given : decodedValue(property.value, given));
  }
  return decoded;
}

function decodedValue(mapping: ValueMapping, given: PropertyValue): PropertyValue {
  const value = plain(given) ?? null;
  if (mapping.kind === "string" || typeof value !== "string" || value === "") return given;
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    // It is not JSON, but a number or boolean as text, or the text of a dynamic attribute.
    return given;
  }
  return decodeProperties(structMapOf({ value: parsed as Json })).get("value") ?? null;
}

function configValue(
  config: ComponentMapping,
  decoded: PropertyMap,
): { readonly value: Value; readonly problems: readonly PropertyProblem[] } {
  return providerValue(config.object, impliedType(config.schema.block), decoded, { of: "config" });
}

function missingProperties({ object, schema }: ComponentMapping, decoded: PropertyMap): readonly MissingProperty[] {
  return object.properties
    .filter(({ required, block, property }) => required && block === undefined && (decoded.get(property) ?? null) === null)
    .map(({ property, attribute }) => ({ name: property, description: schema.block.attributes[attribute]?.description ?? "" }));
}
