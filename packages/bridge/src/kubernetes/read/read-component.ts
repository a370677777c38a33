// SPDX-License-Identifier: Apache-2.0
import { bool, nullOf, number, objectOf, of, string, tupleOf, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { hasErrors, type CallOptions, type Diagnostic, type ListResourceEvent, type Provider } from "@tenon/schema";
import { callFunction, dataSourceType, readDataSource } from "@tenon/schema/lifecycle";
import { attributeOf, elementsOf } from "../../value-parts.ts";
import type { ComponentMapping } from "../mapping/map-components.ts";
import { errorText, StepFailure } from "../reconcile/step-failure.ts";
import type { ComponentSpec } from "./component-object.ts";

/** A read of a component by a provider. */
export interface ReadRequest {
  readonly provider: Provider;
  readonly providerAddress: string;
  readonly kind: ComponentMapping;
  readonly config: Value;
  readonly spec: ComponentSpec;
  /** Name of the object in messages. */
  readonly address: string;
  readonly options: CallOptions;
}

/** Result of a read. */
export interface ReadResult {
  /** An object with the results. */
  readonly value: Value;
  readonly warnings: readonly Diagnostic[];
}

const failureReason = "CannotReadExternalData";

/** Reads a data source, calls a function or lists resources. @throws StepFailure with the provider's errors; ProviderError if a call fails. */
export async function readComponent(request: ReadRequest): Promise<ReadResult> {
  const { component } = request.kind;
  if (component === "function") return await call(request);
  return component === "list" ? await listResources(request) : await readData(request);
}

async function readData({ provider, providerAddress, kind, config, address, options }: ReadRequest): Promise<ReadResult> {
  const type = await dataSourceType(provider, kind.typeName, { ...options, providerAddress });
  const { value, diagnostics } = await readDataSource(type, config, { ...options, address });
  if (value === undefined) throw new StepFailure(failureReason, errorText(diagnostics));
  return { value, warnings: diagnostics };
}

async function call({ provider, kind, config, options }: ReadRequest): Promise<ReadResult> {
  const signature = kind.signature!;
  const argument = (name: string): Value => attributeOf(config, name)!;
  const variadic = signature.variadicParameter ? elementsOf(argument(signature.variadicParameter.name)) : [];
  const args = [...signature.parameters.map(({ name }) => argument(name)), ...variadic];
  const { error, result } = await callFunction(provider, kind.typeName, signature, args, options);
  if (error) {
    const { text, functionArgument } = error;
    const parameter = functionArgument === undefined ? undefined : (signature.parameters[functionArgument] ?? signature.variadicParameter);
    const field = parameter && kind.fields.fields.find(({ attribute }) => attribute === parameter.name);
    throw new StepFailure(failureReason, field ? `spec.forProvider.${field.name}: ${text}` : text);
  }
  return { value: objectOf(new Map([["result", result ?? nullOf(signature.returnType)]])), warnings: [] };
}

async function listResources({ provider, kind, config, spec, options }: ReadRequest): Promise<ReadResult> {
  const { typeName } = kind;
  const { limit = 100, includeResources = false } = spec;
  const { diagnostics } = await provider.validateListResourceConfig(
    { typeName, config, includeResourceObject: of(bool, includeResources), limit: of(number, limit) },
    options,
  );
  if (hasErrors(diagnostics)) throw new StepFailure(failureReason, errorText(diagnostics));
  const warnings = [...diagnostics];
  const resources: Value[] = [];
  const ids: Value[] = [];
  for await (const event of provider.listResource({ typeName, config, includeResourceObject: includeResources, limit }, options)) {
    if (hasErrors(event.diagnostics)) throw new StepFailure(failureReason, errorText(event.diagnostics));
    warnings.push(...event.diagnostics);
    resources.push(resourceOf(event));
    const id = idOf(event);
    if (id !== undefined) ids.push(of(string, id));
    // A provider may ignore the limit.
    if (resources.length >= limit) break;
  }
  return {
    value: objectOf(
      new Map([
        ["resources", tupleOf(resources)],
        ["ids", tupleOf(ids)],
      ]),
    ),
    warnings,
  };
}

function resourceOf({ displayName, identity, resourceObject }: ListResourceEvent): Value {
  const parts = new Map<string, Value>([["display_name", of(string, displayName)]]);
  if (identity) parts.set("identity", identity);
  if (resourceObject) parts.set("resource", resourceObject);
  return objectOf(parts);
}

/** The attribute `id` of the identity, or of the resource. */
function idOf({ identity, resourceObject }: ListResourceEvent): string | undefined {
  for (const value of [identity, resourceObject]) {
    const id = value && attributeOf(value, "id");
    if (id === undefined || id.payload === null || (id.type.kind !== "string" && id.type.kind !== "number")) continue;
    return convert(id, string).payload as string;
  }
  return undefined;
}
