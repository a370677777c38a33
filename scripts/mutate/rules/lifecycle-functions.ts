// SPDX-License-Identifier: Apache-2.0
// Mutations of the functions of `@tenon/schema/lifecycle`, in addition to the mutations of the rules.
import { mutationsOf, type Mutation } from "../mutation.ts";

const lifecycle = "packages/schema/src/lifecycle";
const managed = `${lifecycle}/managed-resource.test.ts`;
const upgrade = `${lifecycle}/upgrade-object.test.ts`;
const ephemeral = `${lifecycle}/ephemeral-resource.test.ts`;
const imported = `${lifecycle}/import-object.test.ts`;
const data = `${lifecycle}/read-data-source.test.ts`;

export const lifecycleFunctions: readonly Mutation[] = [
  ...mutationsOf(`${lifecycle}/resource-type.ts`, managed, [
    ["resourceType", "if (known) return known;\n  const response = await", "const response = await", "resourceType"],
    ["resourceType", "if (schema === undefined) throw", "if (false) throw", "resourceType"],
    [
      "resourceType",
      'if (!(error instanceof ProviderError) || error.code !== "UNIMPLEMENTED") throw error;',
      "throw error;",
      "resourceType",
    ],
  ]),
  ...mutationsOf(`${lifecycle}/resource-type.ts`, data, [
    [
      "dataSourceType",
      'componentType(provider, "dataSources", "data source"',
      'componentType(provider, "resources", "data source"',
      "reads a value",
    ],
  ]),
  ...mutationsOf(`${lifecycle}/resource-type.ts`, ephemeral, [
    ["ephemeralResourceType", '"ephemeralResources", "ephemeral resource"', '"resources", "ephemeral resource"', ""],
  ]),
  ...mutationsOf(`${lifecycle}/resource-type.ts`, `${lifecycle}/invoke-action.test.ts`, [
    ["actionType", '"actions", "action"', '"resources", "action"', ""],
  ]),
  ...mutationsOf(`${lifecycle}/resource-type.ts`, `${lifecycle}/state-store.test.ts`, [
    ["stateStoreType", '"stateStores", "state store"', '"resources", "state store"', ""],
  ]),
  ...mutationsOf(`${lifecycle}/resource-object.ts`, managed, [
    ["createResourceObject", "identity && identity.payload !== null ? { ...rest, identity } : rest", "rest", "lifecycle of an object"],
  ]),
  ...mutationsOf(`${lifecycle}/stored-object.ts`, upgrade, [
    ["encodeObject", "private: Buffer.from(object.private).toString", "private: Buffer.from([]).toString", "encodeObject"],
    ["decodeObject", "if (encoded.schemaVersion !== schema.version) throw", "if (false) throw", "encodeObject"],
  ]),
  ...mutationsOf(`${lifecycle}/upgrade-object.ts`, upgrade, [
    ["storedObject", 'private: new Uint8Array(Buffer.from(encoded.private, "base64")),', "private: new Uint8Array(),", "encodeObject"],
    ["upgradeObject", "stored.state.json && stored.schemaVersion === version", "false", "upgradeObject"],
    ["upgradeObject", "if (identitySchemaVersion === identitySchema.version) {", "if (true) {", "upgradeObject"],
    ["upgradeObject", "diagnostics.push(...faults, ...(faults", "diagnostics.push(...(faults", "upgradeObject"],
  ]),
  ...mutationsOf(`${lifecycle}/removed-attributes.ts`, upgrade, [
    ["upgradeObject", "if (attribute === undefined) {", "if (false) {", "upgradeObject"],
  ]),
  ...mutationsOf(`${lifecycle}/validate-config.ts`, managed, [
    [
      "validateConfig",
      "return (await type.provider.validateResourceConfig(request, callOptions(options))).diagnostics;",
      "return [];",
      "planning",
    ],
  ]),
  ...mutationsOf(`${lifecycle}/validate-config.ts`, data, [
    [
      "validateDataSourceConfig",
      "return (await type.provider.validateDataResourceConfig({ typeName: type.typeName, config }, callOptions(options))).diagnostics;",
      "return [];",
      "does not read",
    ],
  ]),
  ...mutationsOf(`${lifecycle}/validate-config.ts`, ephemeral, [
    [
      "validateEphemeralConfig",
      "return (await type.provider.validateEphemeralResourceConfig({ typeName: type.typeName, config }, callOptions(options))).diagnostics;",
      "return [];",
      "does not open",
    ],
  ]),
  ...mutationsOf(`${lifecycle}/validate-config.ts`, `${lifecycle}/invoke-action.test.ts`, [
    [
      "validateActionConfig",
      "return (await type.provider.validateActionConfig({ actionType: type.typeName, config }, callOptions(options))).diagnostics;",
      "return [];",
      "",
    ],
  ]),
  ...mutationsOf(`${lifecycle}/validate-config.ts`, `${lifecycle}/state-store.test.ts`, [
    [
      "validateStateStoreConfig",
      "return (await type.provider.validateStateStoreConfig({ typeName: type.typeName, config }, callOptions(options))).diagnostics;",
      "return [];",
      "",
    ],
  ]),
  ...mutationsOf(`${lifecycle}/validate-config.ts`, managed, [
    ["planChange", "options.configValidated ? [] :", "", "planning"],
    ["replanChange", "options.configValidated ? [] :", "", "second plan before an apply"],
  ]),
  ...mutationsOf(`${lifecycle}/plan-change.ts`, managed, [
    ["planChange", 'if (options.forceReplace) return "requested";', "", "planning"],
    ["planChange", 'const usable = prior?.status === "ready" ? prior : undefined;', "const usable = prior;", "planning"],
    ["planChange", 'if (request.phase === "plan" || hasErrors(response.diagnostics)) diagnostics', "diagnostics", "planning"],
    [
      "planChange",
      'const effective = options.ignoreChanges?.(before, config, "config") ?? config;',
      "const effective = config;",
      "planning",
    ],
  ]),
  ...mutationsOf(`${lifecycle}/plan-destroy.ts`, managed, [
    ["planDestroy", "if (!type.capabilities.planDestroy) {", "if (false) {", "planning"],
  ]),
  ...mutationsOf(`${lifecycle}/planned-change.ts`, managed, [
    ["createStep", "before: valueOf(planned.before.type, null),", "before: planned.before,", "lifecycle of an object"],
    ["destroyStep", 'action: "delete",', 'action: "noOp",', "lifecycle of an object"],
  ]),
  ...mutationsOf(`${lifecycle}/replan-change.ts`, managed, [
    ["replanChange", '!(planned.action === "update" && action === "noOp")', "true", "second plan before an apply"],
    ["replanChange", "if (action !== planned.action &&", "if (false &&", "second plan before an apply"],
  ]),
  ...mutationsOf(`${lifecycle}/apply-change.ts`, managed, [
    [
      "applyChange",
      "const observed = options.observer?.onObject?.(object, addressOf(type, options));",
      "const observed = undefined;",
      "applying",
    ],
    ["applyChange", "if (isWhollyKnown(config)) return undefined;", "if (true) return undefined;", "applying"],
    ["applyChange", "throw error instanceof ProviderError ? error.asUnsent() : error;", "throw error;", "applying"],
    ["applyChange", 'status: hasErrors(checked.diagnostics) ? "failed" : "applied",', 'status: "applied",', "applying"],
    ["applyChange", "if (hasErrors(destroyed.diagnostics)) return destroyed;\n  const created", "const created", "applying"],
  ]),
  ...mutationsOf(`${lifecycle}/read-object.ts`, managed, [
    ["readObject", "status: object.status,", 'status: "ready",', "reading"],
    ["readObject", "return isUnchanged(object, current)", "return true", "reading"],
    ["readObject", '? { status: "unchanged", object, drift', '? { status: "unchanged", object: current, drift', "reading"],
    ["readObject", "const diagnostics: Diagnostic[] = [...response.diagnostics];", "const diagnostics: Diagnostic[] = [];", "reading"],
  ]),
  ...mutationsOf(`${lifecycle}/import-object.ts`, imported, [
    [
      "importObject",
      "const read = await readObject(type, object, options);",
      "const read = { object, drift: [], diagnostics: [], deferred: undefined };",
      "",
    ],
    ["importObject", 'return { status: "notFound", diagnostics };', 'return { status: "failed", diagnostics };', ""],
  ]),
  ...mutationsOf(`${lifecycle}/move-object.ts`, upgrade, [
    ["moveObject", "targetTypeName: type.typeName,", "targetTypeName: source.typeName,", "moveObject"],
  ]),
  ...mutationsOf(`${lifecycle}/read-data-source.ts`, data, [
    ["readDataSource", "if (hasErrors(diagnostics)) return { diagnostics };\n  enter", "enter", "does not read"],
  ]),
  ...mutationsOf(`${lifecycle}/ephemeral-resource.ts`, ephemeral, [
    [
      "openEphemeralResource",
      "this.#closing ??= this.#close();\n    return this.#closing;",
      "return this.#close();",
      "sends one close request",
    ],
    ["openEphemeralResource", "if (response.private) this.#private = response.private;", "", "renews a resource at the times"],
    ["openEphemeralResource", 'signal?.addEventListener("abort", this.#aborted, { once: true });', "", "closes the resource when"],
  ]),
  ...mutationsOf(`${lifecycle}/ephemeral-calls.ts`, ephemeral, [
    ["openEphemeralResource", "if (faults.length > 0) return", "if (false) return", "closes a resource at once"],
  ]),
  ...mutationsOf(`${lifecycle}/call-function.ts`, `${lifecycle}/call-function.test.ts`, [
    [
      "callFunction",
      "if (!parameter.allowUnknownValues && !isWhollyKnown(argument)) return",
      "if (!isWhollyKnown(argument)) return",
      "callFunction",
    ],
    ["callFunction", "if (mismatch) throw", "if (false) throw", "callFunction"],
    ["callFunction", "if (argument.payload !== null || parameter.allowNullValue) return undefined;", "return undefined;", "callFunction"],
  ]),
  ...mutationsOf(`${lifecycle}/invoke-action.ts`, `${lifecycle}/invoke-action.test.ts`, [
    ["planAction", "if (hasErrors(validated)) return { diagnostics: validated };", "", "does not invoke an action"],
    ["planAction", "planned.deferred && clientCapabilities.deferralAllowed", "planned.deferred", "returns a deferral only"],
    ["invokeAction", "if (!isWhollyKnown(config)) {", "if (false) {", "does not invoke an action"],
    ["invokeAction", "if (hasErrors(diagnostics)) {", "if (false) {", "does not invoke an action"],
    ["invokeAction", 'yield { kind: "completed", diagnostics: [...diagnostics, fault] };', "", "without a completed event"],
  ]),
  ...mutationsOf(`${lifecycle}/state-store.ts`, `${lifecycle}/state-store.test.ts`, [
    ["openStateStore", "if (hasErrors(validated)) return { diagnostics: validated };", "", "whose configuration has errors"],
    ["openStateStore", "if (!(chunkSize > 0 && chunkSize <= largestChunkSize)) {", "if (false) {", "with the chunk size"],
    ["StateStore", "if (chunk.bytes.length === 0 && chunk.totalLength === 0) continue;", "", "does not exist"],
    ["StateStore", "const received = await receiveState(chunks());", "const received = await receiveState(chunks(), 4);", "of any size"],
    ["StateStore", "if (state.length === 0) return", "if (false) return", "refuses an empty state"],
  ]),
  ...mutationsOf(`${lifecycle}/ephemeral-resource.ts`, ephemeral, [
    ["renew", "      await before;\n", "", "renews a resource on request"],
    ["renew", "if (this.#closing) return Promise.resolve();", "", "renews a resource on request"],
  ]),
];
