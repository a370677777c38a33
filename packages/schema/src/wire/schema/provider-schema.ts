// SPDX-License-Identifier: Apache-2.0
import { create, fromBinary, toBinary, type DescMessage, type Message, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { mapEntry, type SchemaRanges } from "@tenon/protocol/schema-ranges";
import type * as tfplugin5 from "@tenon/protocol/tfplugin5";
import type * as tfplugin6 from "@tenon/protocol/tfplugin6";
import type { Diagnostic } from "../../diagnostic.ts";
import { ProviderError } from "../../error.ts";
import type { ServerCapabilities } from "../../messages/common.ts";
import type { GetProviderSchemaResponse } from "../../messages/provider.ts";
import type { FunctionSignature } from "../../model/function-signature.ts";
import type { Schema } from "../../model/schema.ts";
import { readServerCapabilities } from "../kind/capabilities.ts";
import { readDiagnostic, writeDiagnostic } from "../kind/diagnostics.ts";
import type { Kind } from "../kind/kind.ts";
import { noTypes } from "../types.ts";
import { emptySchema, readSchema, writeSchema } from "./block.ts";
import { readFunctionSignature, writeFunctionSignature } from "./function-signature.ts";
import { LazyMap } from "./lazy-map.ts";
import { decodeSchema } from "./schema-bytes.ts";

/** Messages inside GetProviderSchema's response, of either protocol version. */
export interface SchemaMessages {
  readonly schema: typeof tfplugin5.SchemaSchema | typeof tfplugin6.SchemaSchema;
  readonly function: typeof tfplugin5.FunctionSchema | typeof tfplugin6.FunctionSchema;
  readonly action: typeof tfplugin5.ActionSchemaSchema | typeof tfplugin6.ActionSchemaSchema;
  readonly diagnostic: typeof tfplugin5.DiagnosticSchema | typeof tfplugin6.DiagnosticSchema;
  readonly serverCapabilities: typeof tfplugin5.ServerCapabilitiesSchema | typeof tfplugin6.ServerCapabilitiesSchema;
  /** The protocol version. Version 5 has no state stores. */
  readonly version: 5 | 6;
}

/** Schemas of a provider without components. */
export const emptyProviderSchema: GetProviderSchemaResponse = {
  resources: new Map(),
  dataSources: new Map(),
  functions: new Map(),
  ephemeralResources: new Map(),
  listResources: new Map(),
  stateStores: new Map(),
  actions: new Map(),
  serverCapabilities: readServerCapabilities(undefined),
  diagnostics: [],
};

/** GetProviderSchema's response to write, as encoded parts. */
export type SchemaRangesInit = Partial<Omit<SchemaRanges, keyof Message>>;

/**
 * Creates the kind of GetProviderSchema's response. Its parts stay bytes and are decoded on access, because decoding all schemas of a
 * large provider takes far longer than decoding those that are used.
 */
export function providerSchemaKind(messages: SchemaMessages): Kind<GetProviderSchemaResponse, SchemaRanges, SchemaRangesInit> {
  const parts = schemaParts(messages);
  return { read: (wire) => readProviderSchema(wire, parts), write: (model) => writeProviderSchema(model, parts, messages.version === 6) };
}

/** Part of the response: its message, encoded, and its model. */
interface Part<Model> {
  readonly read: (bytes: Uint8Array) => Model;
  readonly write: (model: Model) => Uint8Array;
}

function part<Desc extends DescMessage, Model>(
  desc: Desc,
  read: (message: MessageShape<Desc>) => Model,
  write: (model: Model) => MessageInitShape<Desc>,
): Part<Model> {
  return { read: (bytes) => read(fromBinary(desc, bytes)), write: (model) => toBinary(desc, create(desc, write(model))) };
}

interface SchemaParts {
  readonly schema: Part<Schema>;
  readonly function: Part<FunctionSignature>;
  readonly action: Part<Schema>;
  readonly diagnostic: Part<Diagnostic>;
  readonly serverCapabilities: Part<ServerCapabilities>;
}

function schemaParts(messages: SchemaMessages): SchemaParts {
  return {
    schema: { ...part(messages.schema, readSchema, writeSchema), read: (bytes) => readSchema(decodeSchema(bytes, messages.version)) },
    function: part(messages.function, readFunctionSignature, writeFunctionSignature),
    action: part(
      messages.action,
      (message) => (message.schema === undefined ? emptySchema : readSchema(message.schema)),
      (schema: Schema) => ({ schema: writeSchema(schema) }),
    ),
    diagnostic: part(messages.diagnostic, readDiagnostic, (diagnostic: Diagnostic) => writeDiagnostic(diagnostic, undefined, noTypes)),
    serverCapabilities: part(messages.serverCapabilities, readServerCapabilities, (capabilities: ServerCapabilities) => capabilities),
  };
}

function readProviderSchema(wire: SchemaRanges, parts: SchemaParts): GetProviderSchemaResponse {
  const lazily = <Model>(what: string, entries: readonly Uint8Array[], { read }: Part<Model>): LazyMap<Model> =>
    new LazyMap(bytesByName(entries), (bytes, name) => readNamed(`${what} ${JSON.stringify(name)}`, bytes, read));
  return {
    ...(wire.provider === undefined ? {} : { provider: readNamed("the provider's configuration", wire.provider, parts.schema.read) }),
    ...(wire.providerMeta === undefined ? {} : { providerMeta: readNamed("provider_meta", wire.providerMeta, parts.schema.read) }),
    resources: lazily("resource type", wire.resourceSchemas, parts.schema),
    dataSources: lazily("data source", wire.dataSourceSchemas, parts.schema),
    functions: lazily("function", wire.functions, parts.function),
    ephemeralResources: lazily("ephemeral resource type", wire.ephemeralResourceSchemas, parts.schema),
    listResources: lazily("list resource type", wire.listResourceSchemas, parts.schema),
    stateStores: lazily("state store type", wire.stateStoreSchemas, parts.schema),
    actions: lazily("action type", wire.actionSchemas, parts.action),
    serverCapabilities:
      wire.serverCapabilities === undefined
        ? readServerCapabilities(undefined)
        : readNamed("the server capabilities", wire.serverCapabilities, parts.serverCapabilities.read),
    diagnostics: wire.diagnostics.map((bytes) => readNamed("a diagnostic", bytes, parts.diagnostic.read)),
  };
}

function readNamed<Model>(what: string, bytes: Uint8Array, read: (bytes: Uint8Array) => Model): Model {
  try {
    return read(bytes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ProviderError("INVALID_RESPONSE", `GetProviderSchema: cannot decode ${what}: ${reason}`, {
      cause,
    });
  }
}

/** The last of several entries wins, as in protobuf. */
function bytesByName(entries: readonly Uint8Array[]): ReadonlyMap<string, Uint8Array> {
  return new Map(
    entries.map((entry) => {
      const { key, value } = mapEntry(entry);
      return [key, value];
    }),
  );
}

function writeProviderSchema(model: GetProviderSchemaResponse, parts: SchemaParts, stateStores: boolean): SchemaRangesInit {
  return {
    ...(model.provider === undefined ? {} : { provider: parts.schema.write(model.provider) }),
    ...(model.providerMeta === undefined ? {} : { providerMeta: parts.schema.write(model.providerMeta) }),
    resourceSchemas: mapEntries(model.resources, parts.schema),
    dataSourceSchemas: mapEntries(model.dataSources, parts.schema),
    functions: mapEntries(model.functions, parts.function),
    ephemeralResourceSchemas: mapEntries(model.ephemeralResources, parts.schema),
    listResourceSchemas: mapEntries(model.listResources, parts.schema),
    ...(stateStores ? { stateStoreSchemas: mapEntries(model.stateStores, parts.schema) } : {}),
    actionSchemas: mapEntries(model.actions, parts.action),
    serverCapabilities: parts.serverCapabilities.write(model.serverCapabilities),
    diagnostics: model.diagnostics.map(parts.diagnostic.write),
  };
}

function mapEntries<Model>(models: ReadonlyMap<string, Model>, { write }: Part<Model>): Uint8Array[] {
  return [...models.keys()].sort(compareCodePoints).map((name) =>
    new BinaryWriter()
      .tag(1, WireType.LengthDelimited)
      .string(name)
      .tag(2, WireType.LengthDelimited)
      .bytes(write(models.get(name)!))
      .finish(),
  );
}
