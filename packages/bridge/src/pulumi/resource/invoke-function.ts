// SPDX-License-Identifier: Apache-2.0
import { nullOf, type Value } from "@tenon/cty";
import { hasErrors, impliedType, type Diagnostic } from "@tenon/schema";
import {
  callFunction,
  dataSourceType,
  ephemeralResourceType,
  openEphemeralResource,
  readDataSource,
  type OperationOptions,
} from "@tenon/schema/lifecycle";
import { BridgeError } from "../../error.ts";
import type { DataSourceMapping, EphemeralResourceMapping, ObjectMapping, ProviderFunctionMapping } from "../mapping/mapping.ts";
import { isPropertyArray, secretProperty, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { plain, type PropertyProblem, providerValue, singleValue } from "../values/provider-value.ts";
import { numberForm, propertiesOf, propertyOf } from "../values/property-state.ts";
import { errorTexts, showWarnings, type BridgeContext } from "./bridge-context.ts";
import { failuresOf } from "./check-resource.ts";

/** Result of an invoke. */
export interface InvokeOutcome {
  readonly result: PropertyMap;
  readonly failures: readonly PropertyProblem[];
}

/**
 * Reads a data source, opens an ephemeral resource or calls a function.
 *
 * @throws BridgeError `INVALID_REQUEST` for an unknown token; `PROVIDER_FAILED` if the provider fails.
 */
export async function invokeFunction(
  context: BridgeContext,
  token: string,
  args: PropertyMap,
  signal: AbortSignal,
): Promise<InvokeOutcome> {
  const mapped = context.mapping.functions.get(token);
  if (mapped === undefined) {
    throw new BridgeError("INVALID_REQUEST", `the package ${context.mapping.name} has no function ${JSON.stringify(token)}`);
  }
  if (mapped.kind === "function") return await callProviderFunction(context, mapped, args, signal);
  const { object, schema } = mapped;
  const { value, problems } = providerValue(object, impliedType(schema.block), args, { of: "config" });
  if (problems.length > 0) return { result: new Map(), failures: problems };
  const options = { address: `${mapped.kind === "dataSource" ? "data." : "ephemeral."}${mapped.typeName}`, signal };
  return mapped.kind === "dataSource" ? await read(context, mapped, value, options) : await open(context, mapped, value, options);
}

async function read(context: BridgeContext, mapped: DataSourceMapping, config: Value, options: OperationOptions): Promise<InvokeOutcome> {
  const type = await dataSourceType(context.provider, mapped.typeName, { providerAddress: context.providerAddress, ...signalOf(options) });
  const { value, diagnostics } = await readDataSource(type, config, options);
  return outcome(context, mapped.object, value, diagnostics);
}

/** Opens an ephemeral resource, and renews it until the session ends, because the engine does not tell the end of an invoke. */
async function open(
  context: BridgeContext,
  mapped: EphemeralResourceMapping,
  config: Value,
  options: OperationOptions,
): Promise<InvokeOutcome> {
  const type = await ephemeralResourceType(context.provider, mapped.typeName, {
    providerAddress: context.providerAddress,
    ...signalOf(options),
  });
  const { resource, diagnostics } = await openEphemeralResource(type, config, { ...options, signal: context.signal });
  const opened = outcome(context, mapped.object, resource?.result, diagnostics);
  context.onEnd(async () => showWarnings(context, (await resource?.close()) ?? [], ""));
  return {
    ...opened,
    result: new Map(opened.result.entries().map(([name, value]) => [name, value === null ? null : secretProperty(value)])),
  };
}

function outcome(
  context: BridgeContext,
  object: ObjectMapping,
  value: Value | undefined,
  diagnostics: readonly Diagnostic[],
): InvokeOutcome {
  showWarnings(context, diagnostics, "");
  if (value !== undefined && !hasErrors(diagnostics)) {
    return { result: propertiesOf(object, value, { numbers: numberForm(context.mapping) }), failures: [] };
  }
  const failures = failuresOf(object, diagnostics);
  if (failures.length > 0 && failures.every(({ property }) => property !== "")) return { result: new Map(), failures };
  throw new BridgeError("PROVIDER_FAILED", errorTexts(diagnostics).join("\n"));
}

async function callProviderFunction(
  context: BridgeContext,
  { name, signature, parameters, result: resultMapping }: ProviderFunctionMapping,
  args: PropertyMap,
  signal: AbortSignal,
): Promise<InvokeOutcome> {
  const values: Value[] = [];
  const problems: PropertyProblem[] = [];
  for (const { property, value, variadic } of parameters) {
    const given = args.get(property) ?? null;
    const elements: readonly PropertyValue[] = variadic ? variadicArguments(given) : [given];
    const element = variadic && value.kind === "list" ? value.elements[0]! : value;
    for (const argument of elements) {
      const converted = singleValue(element, argument, [property]);
      problems.push(...converted.problems);
      values.push(converted.value);
    }
  }
  const extra = [...args.keys()].filter((key) => !parameters.some(({ property }) => property === key));
  problems.push(...extra.map((property) => ({ property, reason: `the function ${name} has no such parameter` })));
  if (problems.length > 0) return { result: new Map(), failures: problems };
  const response = await callFunction(context.provider, name, signature, values, { signal });
  if (response.error) {
    const { text, functionArgument } = response.error;
    const parameter = functionArgument === undefined ? undefined : (parameters[functionArgument] ?? parameters.at(-1));
    if (parameter === undefined) throw new BridgeError("PROVIDER_FAILED", text);
    return { result: new Map(), failures: [{ property: parameter.property, reason: text }] };
  }
  const property = propertyOf(resultMapping, response.result ?? nullOf(signature.returnType), { numbers: numberForm(context.mapping) });
  const isObject = resultMapping.kind === "object" && property instanceof Map;
  return { result: isObject ? property : new Map([["result", property]]), failures: [] };
}

function variadicArguments(given: PropertyValue): readonly PropertyValue[] {
  const value = plain(given) ?? null;
  if (value === null) return [];
  return isPropertyArray(value) ? value : [value];
}

function signalOf({ signal }: OperationOptions): { readonly signal?: AbortSignal } {
  return signal ? { signal } : {};
}
