// SPDX-License-Identifier: Apache-2.0
import { kindVersion } from "../mapping/kind-version.ts";
import type { ProviderConfigMapping } from "../mapping/map-provider-config.ts";
import type { KindScope } from "../mapping/mapping.ts";
import type { CustomResourceDefinition, PrinterColumn } from "./definition.ts";
import { secretKeySchema } from "./reference-schema.ts";
import { conditionsSchema } from "./status-schema.ts";
import { objectSchema, type StructuralSchema } from "./structural-schema.ts";
import { fieldsSchema } from "./value-schema.ts";

/** Options of {@link providerConfigDefinitions}. */
export interface ProviderConfigDefinitionOptions {
  /** Name of the version, unless the rules have one. Default: `v1alpha1`. */
  readonly version?: string;
  /** Categories for `kubectl get <category>`. Default: `provider`. */
  readonly categories?: readonly string[];
}

/**
 * Writes the definitions of the kinds for configurations of a provider: for namespaced kinds, `ProviderConfig`,
 * `ClusterProviderConfig` and `ProviderConfigUsage`; for cluster-scoped ones, `ProviderConfig` and `ProviderConfigUsage`.
 */
export function providerConfigDefinitions(
  mapping: ProviderConfigMapping,
  options: ProviderConfigDefinitionOptions = {},
): readonly CustomResourceDefinition[] {
  const { scope } = mapping;
  const config = (kind: string, ofKind: KindScope): CustomResourceDefinition =>
    definition(mapping, options, { kind, scope: ofKind, schema: configSchema(mapping, ofKind), columns: configColumns, hasStatus: true });
  const usage = definition(mapping, options, {
    kind: "ProviderConfigUsage",
    scope,
    schema: usageSchema,
    columns: usageColumns,
    hasStatus: false,
  });
  return scope === "Namespaced"
    ? [config("ProviderConfig", "Namespaced"), config("ClusterProviderConfig", "Cluster"), usage]
    : [config("ProviderConfig", "Cluster"), usage];
}

interface DefinitionParts {
  readonly kind: string;
  readonly scope: KindScope;
  readonly schema: StructuralSchema;
  readonly columns: readonly PrinterColumn[];
  readonly hasStatus: boolean;
}

function definition(
  mapping: ProviderConfigMapping,
  { version, categories = ["provider"] }: ProviderConfigDefinitionOptions,
  { kind, scope, schema, columns, hasStatus }: DefinitionParts,
): CustomResourceDefinition {
  const { group } = mapping;
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, annotations: {} },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), categories },
      scope,
      versions: [
        {
          name: kindVersion(mapping, version),
          served: true,
          storage: true,
          additionalPrinterColumns: columns,
          ...(hasStatus ? { subresources: { status: {} } } : {}),
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}

const text: StructuralSchema = { type: "string" };
const name: StructuralSchema = { type: "string", minLength: 1 };

function configSchema({ fields }: ProviderConfigMapping, scope: KindScope): StructuralSchema {
  const configuration = fieldsSchema(fields, { part: "forProvider", scope, descriptions: "full", depth: Infinity });
  const spec = objectSchema({
    configuration: { description: "Configuration of the provider; secrets are references to keys of Secrets.", ...configuration },
    credentials: credentialsSchema(scope),
  });
  const status = objectSchema({
    conditions: conditionsSchema,
    observedGeneration: { type: "integer", format: "int64" },
    provider: { description: "Provider that was configured.", ...objectSchema({ address: text, version: text }) },
    users: { description: "Number of objects that use the configuration.", type: "integer", format: "int64" },
  });
  return {
    description: "Configuration of the provider.",
    ...objectSchema(
      { apiVersion: text, kind: text, metadata: { type: "object" }, spec: { ...spec, default: {} }, status },
      { required: ["spec"] },
    ),
  };
}

/**
 * Describes `spec.credentials`. A namespaced configuration cannot use variables and files of the control plane. Otherwise, anyone who may create one
 * could have them sent to an address of their choice.
 */
function credentialsSchema(scope: KindScope): StructuralSchema {
  const isCluster = scope === "Cluster";
  const sources = isCluster ? ["None", "Secret", "Environment", "Filesystem", "InjectedIdentity"] : ["None", "Secret"];
  const needs = { Secret: "secretRef", ...(isCluster ? { Environment: "env", Filesystem: "fs" } : {}) };
  const ofControlPlane = {
    env: { description: "Variable of the control plane with the JSON object.", ...objectSchema({ name }, { required: ["name"] }) },
    fs: { description: "File of the control plane with the JSON object.", ...objectSchema({ path: name }, { required: ["path"] }) },
  };
  return {
    description: "Further configuration: a JSON object with fields of spec.configuration, which may also have their names in the provider.",
    ...objectSchema(
      {
        ...(isCluster ? ofControlPlane : {}),
        secretRef: { description: "Key of a Secret with the JSON object.", ...secretKeySchema(scope) },
        source: { type: "string", enum: sources, default: "None" },
      },
      {
        "x-kubernetes-validations": Object.entries(needs).map(([source, field]) => ({
          rule: `self.source != '${source}' || has(self.${field})`,
          message: `the source ${source} needs ${field}`,
        })),
      },
    ),
  };
}

const usageSchema: StructuralSchema = {
  description: "An object that uses a configuration of the provider.",
  ...objectSchema(
    {
      apiVersion: text,
      kind: text,
      metadata: { type: "object" },
      providerConfigRef: objectSchema({ kind: text, name }, { required: ["kind", "name"] }),
      resourceRef: objectSchema({ apiVersion: name, kind: name, name, uid: name }, { required: ["apiVersion", "kind", "name", "uid"] }),
    },
    { required: ["providerConfigRef", "resourceRef"] },
  ),
};

const age: PrinterColumn = { name: "AGE", type: "date", jsonPath: ".metadata.creationTimestamp" };

const configColumns: readonly PrinterColumn[] = [
  { name: "READY", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
  { name: "USERS", type: "integer", jsonPath: ".status.users" },
  age,
];

const usageColumns: readonly PrinterColumn[] = [
  { name: "CONFIG-KIND", type: "string", jsonPath: ".providerConfigRef.kind" },
  { name: "CONFIG-NAME", type: "string", jsonPath: ".providerConfigRef.name" },
  { name: "RESOURCE-KIND", type: "string", jsonPath: ".resourceRef.kind" },
  { name: "RESOURCE-NAME", type: "string", jsonPath: ".resourceRef.name" },
  age,
];
