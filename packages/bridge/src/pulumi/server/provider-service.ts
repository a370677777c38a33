// SPDX-License-Identifier: Apache-2.0
import { type ServiceRegistration, structMapRegistration, type WithRequestStructs } from "@tenon/protocol/carrier";
import { callErrorDetail, createCallError } from "@tenon/protocol/carrier/calls";
import {
  type CheckRequest,
  CheckRequest_AutonamingOptions_Mode as AutonamingMode,
  ConfigureErrorMissingKeysSchema,
  type ConfigureRequest,
  ErrorResourceInitFailedSchema,
  type ProviderHandshakeRequest,
  ResourceProvider,
} from "@tenon/protocol/pulumi";
import { BridgeError } from "../../error.ts";
import type { JsonObject } from "../property/json.ts";
import type { PropertyMap } from "../property/property-value.ts";
import type { AutonamingOptions } from "../resource/auto-name.ts";
import { type ChangedResource, createResource, deleteResource, updateResource } from "../resource/change-resource.ts";
import { checkResource } from "../resource/check-resource.ts";
import { diffConfig } from "../resource/diff-config.ts";
import { diffResource } from "../resource/diff-resource.ts";
import { invokeFunction } from "../resource/invoke-function.ts";
import { checkConfig, configureProvider, decodedConfig } from "../resource/provider-config.ts";
import type { ListedResource, ListEvent, ListRequest } from "../resource/list-resources.ts";
import { importResource, refreshResource } from "../resource/read-resource.ts";
import { configMethodToken } from "../schema/package-schema.ts";
import { decodeProperties } from "../values/decode-properties.ts";
import { encodeProperties } from "../values/encode-properties.ts";
import { terraformNamed } from "../values/terraform-named.ts";
import { secretProperty } from "../property/property-value.ts";
import { asCallError } from "./call-failure.ts";
import { diffResponse } from "./diff-response.ts";
import type { PluginSession } from "./plugin-session.ts";
import { assertConfigured, ProviderCalls } from "./provider-calls.ts";
import type { SessionRegistry } from "./session-registry.ts";

/** Creates the service that the engine calls. */
export function providerService(sessions: SessionRegistry): ServiceRegistration {
  const calls = new ProviderCalls(sessions);
  return structMapRegistration(ResourceProvider, {
    handshake: (request, context) => calls.run(context, (session) => handshake(session, request), "begin"),
    attach: ({ address }, context) =>
      calls.run(context, async (session) => {
        session.attach(address);
        return {};
      }),
    getPluginInfo: (_, context) => calls.run(context, async ({ settings }) => ({ version: settings.version })),
    cancel: (_, context) =>
      calls.run(context, async (session) => {
        session.cancel();
        return {};
      }),
    parameterize: ({ parameters }, context) =>
      calls.run(context, async (session) => {
        if (parameters.case === undefined) throw new BridgeError("INVALID_ARGUMENTS", "Parameterize needs arguments or a value");
        const { args, value } =
          parameters.case === "args"
            ? { args: parameters.value.args, value: undefined }
            : { args: undefined, value: parameters.value.value };
        const { mapping } = await session.parameterize(args ? { args } : { value: value ?? new Uint8Array() });
        return { name: mapping.name, version: mapping.version };
      }),
    getSchema: (request, context) =>
      calls.run(context, async (session) => {
        const bridged = await session.package();
        assertSubpackage(session, request.subpackageName, request.subpackageVersion, bridged.mapping);
        return { schema: await bridged.schema() };
      }),
    getMapping: ({ key, provider }, context) =>
      calls.run(context, async (session) => {
        if (!mappingKeys.has(key) || (session.settings.openOwn === undefined && !session.isParameterized)) return {};
        const { mapping } = await session.package();
        if (provider !== "" && provider !== mapping.name) return {};
        const { packageMappingData } = await import("../schema/conversion-mapping.ts");
        return { provider: mapping.name, data: packageMappingData(mapping) };
      }),
    getMappings: ({ key }, context) =>
      calls.run(context, async (session) => {
        if (!mappingKeys.has(key) || (session.settings.openOwn === undefined && !session.isParameterized)) return {};
        return { providers: [(await session.package()).mapping.name] };
      }),
    checkConfig: (request, context) =>
      calls.run(context, async (session, signal) => {
        const bridge = await session.context();
        const news = session.decode(request.news);
        session.hideSecrets(decodedConfig(bridge.mapping.config, news), bridge.mapping.config);
        const checked = await checkConfig(bridge, news, request.urn, signal);
        return { inputs: encodeProperties(checked.inputs, session.accepted), failures: [...checked.failures] };
      }),
    diffConfig: (request, context) =>
      calls.run(context, async (session) => {
        const { mapping } = await session.context();
        const olds = session.decode(request.oldInputs ?? request.olds);
        return diffResponse(diffConfig(mapping.config, olds, session.decode(request.news), request.ignoreChanges), true);
      }),
    configure: (request, context) => calls.run(context, (session, signal) => configure(session, request, signal)),
    check: (request, context) =>
      calls.onResource(context, request.urn, 0, async (session, resource, decode) => {
        const checked = await checkResource(resource, decode(request.news), {
          randomSeed: request.randomSeed,
          oldInputs: decode(request.olds),
          oldOutputs: decode(request.oldOutputs),
          autonaming: autonamingOf(request),
        });
        return { inputs: encodeProperties(checked.inputs, session.acceptedIn("check")), failures: [...checked.failures] };
      }),
    diff: (request, context) =>
      calls.onConfigured(context, request.urn, 0, async (session, resource, decode) => {
        session.hideEncodedSecrets(request.oldInputs, resource.resource);
        const diff = await diffResource(resource, {
          state: decode(request.olds),
          inputs: decode(request.news),
          oldInputs: (names) => decodeProperties(request.oldInputs?.pick(names)),
          ignoreChanges: request.ignoreChanges,
        });
        return diffResponse(diff);
      }),
    create: (request, context) =>
      calls.onConfigured(context, request.urn, request.timeout, async (session, resource, decode) => {
        const inputs = decode(request.properties);
        const created = await createResource(resource, inputs, request);
        return { id: created.id, properties: completeOutputs(session, created, inputs) };
      }),
    update: (request, context) =>
      calls.onConfigured(context, request.urn, request.timeout, async (session, resource, decode) => {
        const inputs = decode(request.news);
        session.hideEncodedSecrets(request.oldInputs, resource.resource);
        const change = { id: request.id, state: decode(request.olds), inputs, ignoreChanges: request.ignoreChanges };
        return { properties: completeOutputs(session, await updateResource(resource, change, request), inputs) };
      }),
    read: (request, context) =>
      calls.onConfigured(context, request.urn, request.timeout, async (session, resource, decode) => {
        const state = decode(request.properties);
        const inputs = decode(request.inputs);
        const found =
          state.size === 0
            ? await importResource(resource, request.id)
            : await refreshResource(resource, { id: request.id, state, inputs });
        // A response without properties tells the engine that the resource does not exist.
        if (found === undefined) return { id: "" };
        return {
          id: found.id,
          properties: encodeProperties(found.outputs, session.accepted),
          inputs: encodeProperties(found.inputs, session.accepted),
        };
      }),
    delete: (request, context) =>
      calls.onConfigured(context, request.urn, request.timeout, async (_, resource, decode) => {
        await deleteResource(resource, decode(request.properties), request.timeout);
        return {};
      }),
    invoke: (request, context) =>
      calls.run(context, async (session, signal) => {
        const bridge = await session.context();
        // Functions need no configuration.
        const called = bridge.mapping.functions.get(request.tok);
        if (called?.kind !== "function") assertConfigured(session, bridge.mapping);
        const args = session.decode(request.args, called?.kind === "function" ? undefined : called);
        const { result, failures } = await invokeFunction(bridge, request.tok, args, signal);
        return { return: encodeProperties(result, session.acceptedIn("invoke")), failures: [...failures] };
      }),
    call: (request, context) =>
      calls.run(context, async (session) => {
        const { mapping } = await session.package();
        if (request.tok !== configMethodToken(mapping.name)) {
          throw new BridgeError("INVALID_REQUEST", `the package ${mapping.name} has no method ${JSON.stringify(request.tok)}`);
        }
        const result = secretProperty(terraformNamed(mapping.config.object, session.config ?? new Map()));
        return { return: encodeProperties(new Map([["result", result]]), session.acceptedIn("call")) };
      }),
    async *list(request, context) {
      const session = calls.sessionOf(context);
      try {
        const signal = AbortSignal.any([context.signal, session.signal]);
        const { token, limit, pageSize, continuationToken } = request;
        const page: ListRequest = {
          token,
          query: session.decode(request.query),
          limit: Number(limit),
          pageSize: Number(pageSize),
          continuationToken,
        };
        const bridge = await session.context();
        assertConfigured(session, bridge.mapping);
        for await (const event of session.lists.list(bridge, page, signal)) {
          yield { response: listResponse(event) };
        }
      } catch (error) {
        throw asCallError(error);
      }
    },
    construct: () => {
      throw createCallError("unimplemented", "a bridged provider has no components");
    },
  });
}

type ListMessage =
  | { readonly case: "result"; readonly value: ListedResource }
  | { readonly case: "computed"; readonly value: Record<string, never> }
  | { readonly case: "continuation"; readonly value: { readonly continuationToken: string } };

function listResponse(event: ListEvent): ListMessage {
  switch (event.kind) {
    case "resource":
      return { case: "result", value: event.resource };
    case "computed":
      return { case: "computed", value: {} };
    default:
      return { case: "continuation", value: { continuationToken: event.token } };
  }
}

const mappingKeys: ReadonlySet<string> = new Set(["terraform", "tf"]);

async function handshake(session: PluginSession, request: ProviderHandshakeRequest): Promise<typeof handshakeResponse> {
  if (session.log === undefined && request.engineAddress !== "") session.attach(request.engineAddress);
  session.accepted = {
    bytes: request.acceptsByteString,
    outputsIn: new Set([
      ...(request.acceptsOutputsInCheck ? (["check"] as const) : []),
      ...(request.acceptsOutputsInInvoke ? (["invoke"] as const) : []),
      ...(request.acceptsOutputsInCall ? (["call"] as const) : []),
    ]),
  };
  return handshakeResponse;
}

const handshakeResponse = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: true,
  supportsAutonamingConfiguration: true,
  acceptsByteString: true,
  acceptsOutputsInInvoke: true,
  acceptsOutputsInCall: true,
  acceptsOutputsInCheck: true,
};

const configureResponse = {
  acceptSecrets: true,
  supportsPreview: true,
  acceptResources: true,
  acceptOutputs: true,
  supportsAutonamingConfiguration: true,
};

async function configure(
  session: PluginSession,
  request: Pick<WithRequestStructs<ConfigureRequest>, "args" | "variables" | "urn">,
  signal: AbortSignal,
): Promise<typeof configureResponse> {
  const context = await session.context();
  const args = request.args === undefined ? variablesOf(request.variables) : session.decode(request.args);
  const config = decodedConfig(context.mapping.config, args);
  session.hideSecrets(config, context.mapping.config);
  const missing = await configureProvider(context, args, request.urn ?? "", signal);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(", ");
    throw createCallError("invalidArgument", `the configuration of package ${context.mapping.name} misses ${names}`, {
      // The engine shows the names as arguments of `pulumi config set`.
      details: [
        callErrorDetail(ConfigureErrorMissingKeysSchema, {
          missingKeys: missing.map(({ name, description }) => ({ name: `${context.mapping.name}:${name}`, description })),
        }),
      ],
    });
  }
  session.config = config;
  return configureResponse;
}

/** Configuration in the format of older engines: values by `<package>:config:<name>`. */
function variablesOf(variables: Readonly<Record<string, string>>): PropertyMap {
  return new Map(Object.entries(variables).map(([key, value]) => [key.slice(key.lastIndexOf(":") + 1), value]));
}

/** Encoded outputs of a change. @throws an error with the outputs if the change is not complete. */
function completeOutputs(session: PluginSession, { id, outputs, failures }: ChangedResource, inputs: PropertyMap): JsonObject {
  const properties = encodeProperties(outputs, session.accepted);
  if (failures.length === 0) return properties;
  throw createCallError("unknown", failures.join("\n"), {
    details: [
      callErrorDetail(ErrorResourceInitFailedSchema, {
        id,
        properties,
        reasons: [...failures],
        inputs: encodeProperties(inputs, session.accepted),
      }),
    ],
  });
}

function assertSubpackage(
  { settings }: PluginSession,
  name: string,
  version: string,
  mapping: { readonly name: string; readonly version: string },
): void {
  if (settings.openOwn !== undefined || (name === "" && version === "")) return;
  if (name === mapping.name && (version === "" || version === mapping.version)) return;
  throw new BridgeError(
    "INVALID_REQUEST",
    `the plugin serves package ${mapping.name} ${mapping.version}, and not ${name} ${version}`.trimEnd(),
  );
}

function autonamingOf({ autonaming }: Pick<CheckRequest, "autonaming">): AutonamingOptions | undefined {
  if (autonaming === undefined) return undefined;
  return { proposedName: autonaming.proposedName, mode: autonamingModes[autonaming.mode] ?? "propose" };
}

const autonamingModes: Readonly<Partial<Record<AutonamingMode, AutonamingOptions["mode"]>>> = {
  [AutonamingMode.PROPOSE]: "propose",
  [AutonamingMode.ENFORCE]: "enforce",
  [AutonamingMode.DISABLE]: "disable",
};
