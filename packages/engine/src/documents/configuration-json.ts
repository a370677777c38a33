// SPDX-License-Identifier: Apache-2.0
import { dynamic } from "@tenon/cty";
import { encodeType, toTree } from "@tenon/cty/json";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { createAttribute, createSchema } from "@tenon/schema";
import { formatResource } from "../address/resource.ts";
import { localExecSchema } from "../configuration/local-exec-schema.ts";
import type { Repetition } from "../configuration/block-content.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { providerConfigOfResource } from "../configuration/module.ts";
import type { ModuleCall } from "../configuration/module-call.ts";
import type { Output } from "../configuration/output.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import type { Variable } from "../configuration/variable.ts";
import { formatVersionRequirement } from "../configuration/version-constraint.ts";
import type { JsonTree } from "../state/json-tree.ts";
import { dependsOnJson, expressionJson, expressionsJson } from "./expression-json.ts";
import type { ConfigurationSchemas } from "./configuration-schemas.ts";
import { providerConfigEntries, providerConfigKey, type ProviderConfigEntry } from "./provider-config-json.ts";

type JsonObject = Readonly<Record<string, JsonTree>>;

/** A configuration in the form of plan JSON. @see OpenTofu jsonconfig */
export function configurationJson(configuration: Configuration, schemas: ConfigurationSchemas): JsonObject {
  const entries = providerConfigEntries(configuration, schemas);
  const own = [...entries].filter(([, { source }]) => source === undefined).sort(([a], [b]) => compareCodePoints(a, b));
  return {
    ...(own.length > 0 && { provider_config: Object.fromEntries(own.map(([key, { json }]) => [key, json])) }),
    root_module: moduleJson(configuration, schemas, entries),
  };
}

function moduleJson(
  configuration: Configuration,
  schemas: ConfigurationSchemas,
  entries: ReadonlyMap<string, ProviderConfigEntry>,
): JsonObject {
  const { module } = configuration;
  const resources = [module.managedResources, module.dataResources, module.ephemeralResources].flatMap((blocks) =>
    [...blocks.values()]
      .map((block) => [formatResource(block.address), block] as const)
      .sort(([a], [b]) => compareCodePoints(a, b))
      .map(([, block]) => resourceJson(block, configuration, schemas, entries)),
  );
  return {
    ...named("outputs", module.outputs, outputJson),
    ...(resources.length > 0 && { resources }),
    ...named("module_calls", module.calls, (call) => moduleCallJson(call, configuration, schemas, entries)),
    ...named("variables", module.variables, variableJson),
  };
}

/** A property with an entry for each declaration, by name; nothing if there are none. */
function named<T>(property: string, declarations: ReadonlyMap<string, T>, json: (declaration: T) => JsonTree): JsonObject {
  if (declarations.size === 0) return {};
  const sorted = [...declarations].sort(([a], [b]) => compareCodePoints(a, b));
  return { [property]: Object.fromEntries(sorted.map(([name, one]) => [name, json(one)])) };
}

function outputJson({ sensitive, ephemeral, deprecated, expression, description, dependsOn }: Output): JsonTree {
  return {
    ...(sensitive === true && { sensitive }),
    ...(ephemeral === true && { ephemeral }),
    ...textJson("deprecated", deprecated),
    expression: expression === undefined ? {} : expressionJson(expression),
    ...dependsOnJson(dependsOn),
    ...textJson("description", description),
  };
}

function textJson(name: string, text: string | undefined): JsonObject {
  return text === undefined || text === "" ? {} : { [name]: text };
}

function variableJson({ constraint, default: value, description, sensitive, ephemeral, deprecated }: Variable): JsonTree {
  return {
    ...(constraint !== undefined && constraint !== dynamic && { type: JSON.parse(encodeType(constraint)) as JsonTree }),
    ...(value !== undefined && { default: toTree(value, value.type) }),
    ...textJson("description", description),
    ...(value === undefined && { required: true }),
    ...(sensitive === true && { sensitive }),
    ...(ephemeral === true && { ephemeral }),
    ...textJson("deprecated", deprecated),
  };
}

function repetitionJson({ count, forEach }: Repetition): JsonObject {
  for (const [name, expression] of [["count_expression", count] as const, ["for_each_expression", forEach] as const]) {
    const json = expression && expressionJson(expression);
    // An expression of constants that calls functions has neither a constant value nor references here, and is left out.
    if (json !== undefined && Object.keys(json).length > 0) return { [name]: json };
  }
  return {};
}

function moduleCallJson(
  call: ModuleCall,
  configuration: Configuration,
  schemas: ConfigurationSchemas,
  entries: ReadonlyMap<string, ProviderConfigEntry>,
): JsonTree {
  const child = configuration.children.get(call.name)!;
  const { sourceText, version } = configuration.calls.get(call.name) ?? {};
  const attributes = Object.fromEntries([...child.module.variables.keys()].map((name) => [name, variableAttribute]));
  const expressions = expressionsJson(call.config, createSchema({ attributes }).block);
  return {
    ...textJson("source", sourceText),
    ...(Object.keys(expressions).length > 0 && { expressions }),
    ...repetitionJson(call),
    module: moduleJson(child, schemas, entries),
    ...(version && textJson("version_constraint", formatVersionRequirement(version.comparisons))),
    ...dependsOnJson(call.dependsOn),
  };
}

/** A variable of a called module, as an attribute of the call. */
const variableAttribute = createAttribute({ type: dynamic, optional: true });

function resourceJson(
  block: ResourceBlock,
  configuration: Configuration,
  schemas: ConfigurationSchemas,
  entries: ReadonlyMap<string, ProviderConfigEntry>,
): JsonTree {
  const { address, provider, config, managed, dependsOn } = block;
  const schema = provider && schemas.resource(provider, address);
  const { localName, alias } = providerConfigOfResource(block);
  const key = providerConfigKey(alias === undefined ? localName : `${localName}.${alias}`, configuration);
  const expressions = schema === undefined ? {} : expressionsJson(config, schema.block);
  const provisioners = managed?.provisioners ?? [];
  return {
    address: formatResource(address),
    mode: address.mode,
    type: address.type,
    name: address.name,
    provider_config_key: entries.get(key)?.source ?? key,
    ...(provisioners.length > 0 && {
      provisioners: provisioners.map(({ type, config: body }) => {
        const own = type === "local-exec" ? expressionsJson(body, localExecSchema) : {};
        return { type, ...(Object.keys(own).length > 0 && { expressions: own }) };
      }),
    }),
    ...(Object.keys(expressions).length > 0 && { expressions }),
    // As in OpenTofu, only managed resources have the version of their schema.
    schema_version: address.mode === "managed" ? (schema?.version ?? 0) : 0,
    ...repetitionJson(block),
    ...dependsOnJson(dependsOn),
  };
}
