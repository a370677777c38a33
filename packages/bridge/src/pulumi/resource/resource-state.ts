// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { decode, encode } from "@tenon/cty/json";
import { hasErrors, identityType } from "@tenon/schema";
import { moveObject, readObject, upgradeObject, type ResourceObject, type StoredObject } from "@tenon/schema/lifecycle";
import { BridgeError } from "../../error.ts";
import { secretProperty, type PropertyMap } from "../property/property-value.ts";
import { plain, type PropertyProblem, providerValue } from "../values/provider-value.ts";
import { numberForm, propertiesOf, type PropertyOptions } from "../values/property-state.ts";
import { rawState } from "../values/raw-state.ts";
import { withSecretsOf } from "../values/secret-properties.ts";
import { deltaProperty } from "../values/state-delta.ts";
import { shapeProblem } from "../values/state-shape.ts";
import { restoreState, type StateSupplement, supplementState } from "../values/stored-state.ts";
import { errorTexts, showWarnings } from "./bridge-context.ts";
import { valueTypeOf, type ResourceContext } from "./resource-context.ts";

/** Name of the property with the data that the provider stores in addition to the state. */
const metaProperty = "__meta";

const noBytes = new Uint8Array();
const noNumbers: ReadonlyMap<string, string> = new Map();

/** ID of a resource whose state has none. */
const missingId = "missing ID";

/**
 * Content of {@link metaProperty}. The Go bridge reads and writes the first two.
 *
 * @see pulumi-terraform-bridge pkg/pf/tfbridge/schema_version.go
 */
interface StateMeta {
  readonly schema_version?: string;
  /** Base64. */
  readonly private_state?: string;
  /** Identity as JSON text. */
  readonly identity?: string;
  readonly identity_schema_version?: number;
  /** Whether the object was created incompletely and must be replaced. */
  readonly tainted?: boolean;
  /** Name of the resource type in the provider. */
  readonly type?: string;
  /** Numbers of the state that a double cannot hold, by JSON pointer. */
  readonly exact_numbers?: Readonly<Record<string, string>>;
  /** The state as JSON text, if its difference is nested too deeply for a property. */
  readonly raw_state?: string;
}

/**
 * Converts an object to the outputs of a resource. A value is secret if the schema marks it as sensitive or its input is secret. The outputs and the
 * data that are stored with them determine the state of the provider, also for the Go bridge.
 */
export function encodeState(context: ResourceContext, object: ResourceObject, inputs: PropertyMap): PropertyMap {
  const outputs = new Map(outputsOf(context, object.value, inputs));
  const supplement = supplementState(context.resource.object, valueTypeOf(context), object.value, outputs);
  outputs.set(metaProperty, secretProperty(JSON.stringify(metaOf(context, object, supplement))));
  if (supplement.delta !== undefined) outputs.set(deltaProperty, supplement.delta);
  return outputs;
}

/** Converts a value, which may be a planned one, to outputs. */
export function outputsOf(
  { resource, mapping }: ResourceContext,
  value: Value,
  inputs: PropertyMap,
  options: PropertyOptions = { numbers: numberForm(mapping) },
): PropertyMap {
  return withSecretsOf(resource.object, propertiesOf(resource.object, value, options), inputs);
}

function metaOf({ type, resource }: ResourceContext, object: ResourceObject, supplement: StateSupplement): StateMeta {
  const { identitySchema } = type;
  const { exactNumbers, text } = supplement;
  return {
    schema_version: String(object.schemaVersion),
    ...(object.private.length > 0 ? { private_state: Buffer.from(object.private).toString("base64") } : {}),
    ...(identitySchema && object.identity
      ? { identity: encode(object.identity, identityType(identitySchema), { convert }), identity_schema_version: identitySchema.version }
      : {}),
    ...(object.status === "tainted" ? { tainted: true } : {}),
    type: resource.typeName,
    ...(exactNumbers.size > 0 ? { exact_numbers: Object.fromEntries(exactNumbers) } : {}),
    ...(text === undefined ? {} : { raw_state: text }),
  };
}

/**
 * Converts the outputs of a resource to an object of the current schema version.
 *
 * @throws BridgeError `INVALID_STATE` if the state cannot be read; `PROVIDER_FAILED` if the provider cannot upgrade it.
 */
export async function decodeState(context: ResourceContext, outputs: PropertyMap): Promise<ResourceObject> {
  const meta = metaIn(context, outputs);
  const stored = storedObjectOf(context, outputs, meta);
  const isMoved = meta.type !== undefined && meta.type !== context.resource.typeName;
  const { object, diagnostics } = isMoved
    ? await moveObject(context.type, { providerAddress: context.providerAddress, typeName: meta.type, stored }, context.options)
    : await upgradeObject(context.type, stored, context.options);
  showWarnings(context, diagnostics, context.urn);
  if (object === undefined || hasErrors(diagnostics)) {
    throw new BridgeError(
      "PROVIDER_FAILED",
      `the provider cannot upgrade the state of ${context.urn}: ${errorTexts(diagnostics).join("; ")}`,
    );
  }
  return object;
}

/**
 * Converts the outputs of a resource to an object that can be changed. Where the type has an identity that the state does not hold, because
 * the Go bridge wrote it or another type had it, the provider is asked for it: some providers fail without one.
 *
 * @throws As {@link decodeState}.
 */
export async function decodePriorState(context: ResourceContext, outputs: PropertyMap): Promise<ResourceObject> {
  const object = await decodeState(context, outputs);
  if (context.type.identitySchema === undefined || object.identity !== undefined) return object;
  const read = await readObject(context.type, object, context.options);
  return read.object?.identity === undefined ? object : { ...object, identity: read.object.identity };
}

function storedObjectOf(context: ResourceContext, outputs: PropertyMap, meta: StateMeta): StoredObject {
  const { text, hasOnlyKnownAttributes } = storedState(context, outputs, meta);
  return {
    schemaVersion: schemaVersionIn(meta),
    state: { json: Buffer.from(text) },
    hasOnlyKnownAttributes,
    private: meta.private_state === undefined ? noBytes : new Uint8Array(Buffer.from(meta.private_state, "base64")),
    status: meta.tainted === true ? "tainted" : "ready",
    ...(meta.identity === undefined ? {} : { identity: new TextEncoder().encode(meta.identity) }),
    ...(meta.identity_schema_version === undefined ? {} : { identitySchemaVersion: meta.identity_schema_version }),
  };
}

/** Schema version of a state. The Go bridge leaves out 0. */
function schemaVersionIn(meta: StateMeta): number {
  return Number(meta.schema_version ?? 0);
}

type StoredState = Required<Pick<StoredObject, "hasOnlyKnownAttributes">> & {
  /** JSON text. */
  readonly text: string;
};

/** Converts outputs to the state. Without the difference to it, which old versions of the Go bridge did not store, it is approximate. */
function storedState(context: ResourceContext, outputs: PropertyMap, meta: StateMeta): StoredState {
  const { object, typeName } = context.resource;
  const isOwnType = meta.type === undefined || meta.type === typeName;
  const isCurrent = isOwnType && schemaVersionIn(meta) === context.type.schema.version;
  // The stored data may determine the state without the outputs. Outputs that cannot belong to the resource are rejected nevertheless.
  const problem = isCurrent ? shapeProblem(object, outputs) : undefined;
  if (problem) throw unfitState(context, [problem]);
  const type = isCurrent ? valueTypeOf(context) : undefined;
  const restored = restoreState(outputs, meta.exact_numbers === undefined ? noNumbers : new Map(Object.entries(meta.exact_numbers)), type);
  if (restored !== undefined) return { text: restored, hasOnlyKnownAttributes: isCurrent };
  if (meta.raw_state !== undefined) return { text: meta.raw_state, hasOnlyKnownAttributes: false };
  if (type !== undefined) {
    const { value, problems } = providerValue(object, type, outputs, { of: "state" });
    if (problems.length === 0) return { text: encode(value, type, { convert }), hasOnlyKnownAttributes: true };
    throw unfitState(context, problems);
  }
  // The schema of an older version is unknown, so the provider upgrades the unchanged state.
  const source = isOwnType ? object : context.mapping.resources.values().find((resource) => resource.typeName === meta.type)?.object;
  return { text: JSON.stringify(rawState(source, outputs)), hasOnlyKnownAttributes: false };
}

function unfitState({ urn }: ResourceContext, problems: readonly PropertyProblem[]): BridgeError {
  const texts = problems.map(({ property, reason }) => `${property}: ${reason}`);
  return new BridgeError("INVALID_STATE", `the state of ${urn} does not fit its type: ${texts.join("; ")}`);
}

function metaIn({ urn }: ResourceContext, outputs: PropertyMap): StateMeta {
  const text = plain(outputs.get(metaProperty));
  if (text === undefined || text === null || text === "") return {};
  try {
    const meta: unknown = JSON.parse(text as string);
    if (typeof meta === "object" && meta !== null) return meta;
  } catch {
    // Reported below, without the content, which may hold secrets.
  }
  throw new BridgeError("INVALID_STATE", `${metaProperty} in the state of ${urn} is not a JSON object`);
}

/** ID of an object: its attribute `id`, its identity as JSON text, or a constant. */
export function idOf({ resource, type }: ResourceContext, object: ResourceObject): string {
  const { id } = resource;
  if (id.kind === "attribute") {
    const property = resource.object.byAttribute.get(id.name);
    const value = property && propertiesOf(resource.object, object.value, { secrets: false }).get(property.property);
    if (typeof value === "string" && value !== "") return value;
  }
  const { identitySchema } = type;
  if (identitySchema && object.identity) return encode(object.identity, identityType(identitySchema), { convert });
  return missingId;
}

/** Parses an ID that is an identity as JSON text; undefined for any other ID. */
export function identityOfId({ type }: ResourceContext, id: string): Value | undefined {
  const { identitySchema } = type;
  if (identitySchema === undefined || !id.startsWith("{")) return undefined;
  try {
    return decode(id, identityType(identitySchema));
  } catch {
    return undefined;
  }
}
