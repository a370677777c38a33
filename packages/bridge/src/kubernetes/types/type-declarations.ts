// SPDX-License-Identifier: Apache-2.0
import { withDigest } from "../names/distinct-name.ts";
import { configKindNames, type ProviderConfigMapping } from "../mapping/map-provider-config.ts";
import { kindVersion } from "../mapping/kind-version.ts";
import type { KindMapping, KindScope, ObjectMapping } from "../mapping/mapping.ts";
import type { StructuralSchema } from "../crd/structural-schema.ts";
import { fieldsSchema } from "../crd/value-schema.ts";

/** Options of {@link typeDeclarations}. */
export interface TypeOptions {
  /** Name of the version of kinds whose rules have none. Default: `v1alpha1`. */
  readonly version?: string;
  /** Configuration of the provider, for types of its kinds. Default: none. */
  readonly config?: ProviderConfigMapping;
}

/**
 * Writes a TypeScript module that declares a type for each kind, for its parameters and for its observation. The compiler checks programs that
 * write custom resources against these types: names, types and required fields. The same kinds give the same text.
 */
export function typeDeclarations(kinds: readonly KindMapping[], { version = "v1alpha1", config }: TypeOptions = {}): string {
  const taken = new Set([...kinds.map(({ names }) => names.kind), ...(config ? configKindNames : [])]);
  const distinct = (name: string): string => {
    const chosen = taken.has(name) ? withDigest(name, name, (candidate) => !taken.has(candidate)) : name;
    taken.add(chosen);
    return chosen;
  };
  const declarations = kinds.map((kind) => {
    const { group, names, scope, fields, schema, typeName, component, results = fields } = kind;
    const isEphemeral = component === "ephemeral";
    const [parameters, observation] = [distinct(`${names.kind}Parameters`), distinct(`${names.kind}Observation`)];
    const detail = { scope, descriptions: "full", depth: Infinity } as const;
    const forProvider = withRequired(fieldsSchema(fields, { ...detail, part: "forProvider" }), fields);
    const text = schema.block.description.trim();
    return [
      comment(text === "" ? `${component ? `The ${component} ` : "Resource "}${typeName} of the provider.` : text, ""),
      `export type ${names.kind} = kubernetes.${isEphemeral ? "EphemeralSecret" : component ? "ReadResource" : "CustomResource"}<`,
      `${JSON.stringify(`${group}/${kindVersion(kind, version)}`)}, ${JSON.stringify(names.kind)}, ${parameters}${isEphemeral ? "" : `, ${observation}`}>;\n\n`,
      `/** Parameters of {@link ${names.kind}}. */\nexport interface ${parameters} ${typeText(forProvider, "")}\n\n`,
      ...(isEphemeral
        ? []
        : [
            `/** State of {@link ${names.kind}} that the provider reports. */\nexport interface ${observation} `,
            `${typeText(fieldsSchema(results, { ...detail, part: "atProvider" }), "")}\n`,
          ]),
    ].join("");
  });
  const ofConfig = config ? [configDeclarations(config, kindVersion(config, version), distinct)] : [];
  return [`import type * as kubernetes from "@tenon/bridge/kubernetes";\n`, ...ofConfig, ...declarations].join("\n");
}

function configDeclarations({ group, scope, fields }: ProviderConfigMapping, version: string, distinct: (name: string) => string): string {
  const declared = (kind: string, ofKind: KindScope): string => {
    const name = distinct(`${kind}Configuration`);
    const schema = fieldsSchema(fields, { part: "forProvider", scope: ofKind, descriptions: "full", depth: Infinity });
    return [
      `/** ${ofKind === "Cluster" ? "Configuration of the provider." : "Configuration of the provider for one namespace."} */\n`,
      `export type ${kind} = kubernetes.ProviderConfigResource<`,
      `${JSON.stringify(`${group}/${version}`)}, ${JSON.stringify(kind)}, ${name}, ${JSON.stringify(ofKind)}>;\n\n`,
      `/** Fields of the configuration in {@link ${kind}}. Credentials may have those that the provider requires. */\n`,
      `export interface ${name} ${typeText(schema, "")}\n`,
    ].join("");
  };
  return scope === "Namespaced"
    ? [declared("ClusterProviderConfig", "Cluster"), declared("ProviderConfig", "Namespaced")].join("\n")
    : declared("ProviderConfig", "Cluster");
}

/** Adds the required fields of the top level. The schema itself does not have them, because rules check them. */
function withRequired(schema: StructuralSchema, { byParameter }: ObjectMapping): StructuralSchema {
  return { ...schema, required: [...byParameter].filter(([, { parameter }]) => parameter === "required").map(([name]) => name) };
}

function typeText(schema: StructuralSchema, indent: string): string {
  const { type, items, additionalProperties, nullable } = schema;
  const text = ((): string => {
    switch (type) {
      case "string":
      case "boolean":
        return schema.enum === undefined ? type : schema.enum.map((value) => JSON.stringify(value)).join(" | ");
      case "number":
      case "integer":
        return "number";
      case "array":
        return `readonly ${grouped(typeText(items ?? {}, indent))}[]`;
      case "object":
        if (additionalProperties) return `{ readonly [key: string]: ${typeText(additionalProperties, indent)} }`;
        return objectText(schema, indent);
      default:
        return "unknown";
    }
  })();
  return nullable === true ? `${text} | null` : text;
}

/** Puts an element type into parentheses if it is a union or a readonly array. */
function grouped(text: string): string {
  return /^readonly | \| /.test(text) ? `(${text})` : text;
}

function objectText({ properties = {}, required = [] }: StructuralSchema, indent: string): string {
  const inside = `${indent}  `;
  const isRequired = new Set(required);
  const lines = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : JSON.stringify(name);
    const mark = isRequired.has(name) ? "" : "?";
    return `${comment(schema.description ?? "", inside)}${inside}readonly ${key}${mark}: ${typeText(schema, inside)};\n`;
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

function comment(text: string, indent: string): string {
  if (text === "") return "";
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}
