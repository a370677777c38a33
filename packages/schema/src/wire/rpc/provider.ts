// SPDX-License-Identifier: Apache-2.0
import { schemaRangesMethod } from "@tenon/protocol/schema-ranges";
import type { DiagnosticsResponse, EmptyRequest, ServerCapabilities } from "../../messages/common.ts";
import type {
  ConfigureProviderRequest,
  GetMetadataResponse,
  GetProviderSchemaResponse,
  GetResourceIdentitySchemasResponse,
  StopResponse,
  ValidateProviderConfigRequest,
} from "../../messages/provider.ts";
import { clientCapabilities, serverCapabilities } from "../kind/capabilities.ts";
import { diagnostics, diagnosticsIn, type DiagnosticInit, type DiagnosticWire } from "../kind/diagnostics.ts";
import type { Kind } from "../kind/kind.ts";
import { text } from "../kind/scalar.ts";
import { value } from "../kind/value.ts";
import type { Methods } from "../methods.ts";
import { bind, type RpcTable } from "../rpc-table.ts";
import type { Rpcs } from "../rpc.ts";
import { identitySchemas } from "../schema/identity-schema.ts";
import { emptyProviderSchema, providerSchemaKind, type SchemaMessages } from "../schema/provider-schema.ts";
import { noTypes, ofProviderConfig } from "../types.ts";

type TypeNames = readonly { readonly typeName: string }[];
type TypeNamesInit = { typeName: string }[];

interface MetadataWire {
  readonly serverCapabilities?: ServerCapabilities | undefined;
  readonly diagnostics: readonly DiagnosticWire[];
  readonly resources: TypeNames;
  readonly dataSources: TypeNames;
  readonly functions: readonly { readonly name: string }[];
  readonly ephemeralResources: TypeNames;
  readonly listResources: TypeNames;
  readonly stateStores?: TypeNames;
  readonly actions: TypeNames;
}
type MetadataInit = {
  serverCapabilities: ServerCapabilities;
  diagnostics: DiagnosticInit[];
  resources: TypeNamesInit;
  dataSources: TypeNamesInit;
  functions: { name: string }[];
  ephemeralResources: TypeNamesInit;
  listResources: TypeNamesInit;
  stateStores: TypeNamesInit;
  actions: TypeNamesInit;
};

const readNames = (wire: TypeNames): readonly string[] => wire.map(({ typeName }) => typeName);
const writeNames = (names: readonly string[]): TypeNamesInit => names.map((typeName) => ({ typeName }));

/** Written by hand, because protocol 5 has no state stores. */
const metadata: Kind<GetMetadataResponse, MetadataWire, MetadataInit> = {
  read: (wire, types) => ({
    serverCapabilities: serverCapabilities.read(wire.serverCapabilities, types),
    diagnostics: diagnostics.read(wire.diagnostics, types),
    resources: readNames(wire.resources),
    dataSources: readNames(wire.dataSources),
    functions: wire.functions.map(({ name }) => name),
    ephemeralResources: readNames(wire.ephemeralResources),
    listResources: readNames(wire.listResources),
    stateStores: readNames(wire.stateStores ?? []),
    actions: readNames(wire.actions),
  }),
  write: (model, types) => ({
    serverCapabilities: model.serverCapabilities,
    diagnostics: diagnostics.write(model.diagnostics, types),
    resources: writeNames(model.resources),
    dataSources: writeNames(model.dataSources),
    functions: model.functions.map((name) => ({ name })),
    ephemeralResources: writeNames(model.ephemeralResources),
    listResources: writeNames(model.listResources),
    stateStores: writeNames(model.stateStores),
    actions: writeNames(model.actions),
  }),
};

const getMetadata = { request: {}, response: metadata } as const satisfies RpcTable<EmptyRequest, GetMetadataResponse>;

const getResourceIdentitySchemas = {
  request: {},
  response: { identitySchemas, diagnostics },
} as const satisfies RpcTable<EmptyRequest, GetResourceIdentitySchemasResponse>;

/** Written by hand, because protocol 5's response also has the configuration, which no core uses. */
const providerConfigDiagnostics: Kind<
  DiagnosticsResponse,
  { readonly diagnostics: readonly DiagnosticWire[] },
  { diagnostics: DiagnosticInit[] }
> = {
  read: (wire, types) => ({ diagnostics: diagnostics.read(wire.diagnostics, types) }),
  write: (model, types) => ({ diagnostics: diagnosticsIn(ofProviderConfig).write(model.diagnostics, types) }),
};

const validateProviderConfig = {
  request: { config: value(ofProviderConfig) },
  response: providerConfigDiagnostics,
} as const satisfies RpcTable<ValidateProviderConfigRequest, DiagnosticsResponse>;

const configureProvider = {
  request: { terraformVersion: text, config: value(ofProviderConfig), clientCapabilities },
  response: { diagnostics: diagnosticsIn(ofProviderConfig) },
} as const satisfies RpcTable<ConfigureProviderRequest, DiagnosticsResponse>;

/** Written by hand, because the field of the message has a capital letter. */
const stopResponse: Kind<StopResponse, { readonly Error: string }, { Error: string }> = {
  read: (wire) => ({ error: wire.Error }),
  write: (model) => ({ Error: model.error }),
};

const stop = {
  request: {},
  response: stopResponse,
  refuse: ([reason]) => ({ Error: [reason?.summary, reason?.detail].filter(Boolean).join(": ") }),
} as const satisfies RpcTable<EmptyRequest, StopResponse>;

/** Returns the RPCs about the provider itself. */
export function providerRpcs(
  methods: Methods,
  messages: SchemaMessages,
): Rpcs<"getMetadata" | "getProviderSchema" | "getResourceIdentitySchemas" | "validateProviderConfig" | "configureProvider" | "stop"> {
  const providerSchema = providerSchemaKind(messages);
  const getProviderSchema = {
    request: {},
    response: providerSchema,
    refuse: (reasons) => providerSchema.write({ ...emptyProviderSchema, diagnostics: reasons }, noTypes),
  } as const satisfies RpcTable<EmptyRequest, GetProviderSchemaResponse>;
  return {
    getMetadata: bind(getMetadata, methods.getMetadata),
    getProviderSchema: bind(getProviderSchema, schemaRangesMethod(methods.getProviderSchema)),
    getResourceIdentitySchemas: bind(getResourceIdentitySchemas, methods.getResourceIdentitySchemas),
    validateProviderConfig: bind(validateProviderConfig, methods.validateProviderConfig),
    configureProvider: bind(configureProvider, methods.configureProvider),
    stop: bind(stop, methods.stopProvider),
  };
}
