// SPDX-License-Identifier: Apache-2.0
import { objectOf, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { impliedType } from "@tenon/schema";
import { HiddenTexts } from "@tenon/schema/observability";
import { BridgeError } from "../../error.ts";
import { attributeOf } from "../../value-parts.ts";
import type { ProviderConfigMapping } from "../mapping/map-provider-config.ts";
import type { FieldMapping, ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import type { Secret } from "../state/state-secret.ts";
import type { FieldProblem } from "../values/field-path.ts";
import { fieldOf, isJsonArray, isJsonObject, parseExactJson, type JsonObject, type JsonValue } from "../values/json-value.ts";
import { plainValueFromJson, valueFromJson } from "../values/parameters.ts";
import { secretKeyReferences, type SecretKeyReference } from "../values/secret-reference.ts";
import type { ProviderConfig } from "./provider-config.ts";
import type { SecretPlace } from "./watched-secrets.ts";

/** The configuration of a provider, including its secrets. */
export interface ResolvedConfiguration {
  readonly value: Value;
  /** Masks the secrets in the texts of the provider. */
  readonly secrets: HiddenTexts;
}

/** The sources of a configuration, in addition to the object itself. */
export interface ConfigurationSources {
  readonly secret: (place: SecretPlace) => Secret | undefined;
  /** The text of the variable or file with the credentials; undefined if there is none. */
  readonly text: string | undefined;
}

/** Returns the Secrets to which a configuration refers. */
export function secretsOf({ fields }: Pick<ProviderConfigMapping, "fields">, config: ProviderConfig): readonly SecretPlace[] {
  const { configuration = {}, credentials } = config.spec;
  const references = [...secretKeyReferences({ fields }, configuration)];
  if (credentials?.source === "Secret" && credentials.secretRef) references.push(credentials.secretRef);
  return references.map((reference) => placeOf(config, reference));
}

/** The place of a Secret. A namespaced configuration can refer only to Secrets of its own namespace. */
function placeOf({ metadata }: ProviderConfig, { namespace, name }: SecretKeyReference): SecretPlace {
  return { namespace: metadata.namespace ?? namespace ?? "", name };
}

/**
 * Converts a configuration to the value for the provider: the fields of `spec.configuration`, and those of the credentials that it does not set.
 *
 * @throws BridgeError `INVALID_OBJECT` with all problems. The message contains no secrets.
 */
export function resolveConfiguration(
  { fields, schema }: ProviderConfigMapping,
  config: ProviderConfig,
  sources: ConfigurationSources,
): ResolvedConfiguration {
  const secrets = new HiddenTexts();
  const secret = (reference: SecretKeyReference): string | undefined => {
    const text = textIn(sources.secret(placeOf(config, reference)), reference.key);
    if (text !== undefined) secrets.addTexts(() => [text]);
    return text;
  };
  const type = impliedType(schema.block);
  const mapping: ValueMapping = { kind: "object", type, object: fields };
  const { configuration = {} } = config.spec;
  const own = valueFromJson(mapping, configuration, ["spec", "configuration"], secret);
  const added = credentialsOf(mapping, config, { ...sources, reference: secret }, secrets);
  const problems = [...own.problems, ...added.problems];
  if (problems.length > 0) {
    const texts = problems.map(({ path, reason }) => `${path}: ${reason}`);
    throw new BridgeError("INVALID_OBJECT", texts.join("; "));
  }
  const parts = fields.fields.map((field) => {
    const isSet = (fieldOf(configuration, field.secretName ?? field.name) ?? null) !== null;
    const value = isSet ? own.value : (added.value ?? own.value);
    return [field.attribute, attributeOf(value, field.attribute)!] as const;
  });
  return { value: convert(objectOf(new Map(parts)), type), secrets };
}

interface Credentials {
  readonly value?: Value;
  readonly problems: readonly FieldProblem[];
}

function credentialsOf(
  mapping: Extract<ValueMapping, { readonly kind: "object" }>,
  { spec: { credentials } }: ProviderConfig,
  { text: given, reference }: ConfigurationSources & { readonly reference: (reference: SecretKeyReference) => string | undefined },
  secrets: HiddenTexts,
): Credentials {
  const source = credentials?.source ?? "None";
  if (source === "None" || source === "InjectedIdentity") return { problems: [] };
  const problem = (reason: string): Credentials => ({ problems: [{ path: "spec.credentials", reason }] });
  const { secretRef, env, fs } = credentials!;
  const place =
    source === "Secret"
      ? `the key ${secretRef?.key} of the Secret ${secretRef?.name}`
      : source === "Environment"
        ? `the variable ${env?.name}`
        : `the file ${fs?.path}`;
  const text = source === "Secret" ? secretRef && reference(secretRef) : given;
  if (text === undefined) return problem(`${place} does not exist`);
  secrets.addTexts(() => [text]);
  let json: JsonValue;
  try {
    json = parseExactJson(text);
  } catch {
    // The error of the parser contains a part of the secret.
    return problem(`${place} must contain a JSON object`);
  }
  if (!isJsonObject(json)) return problem(`${place} must contain a JSON object`);
  const named = namedFields(mapping.object, json);
  secrets.addTexts(() => textsIn(named));
  const { value, problems } = plainValueFromJson(mapping, named, []);
  // A path inside the secret is a part of the secret, and is not reported.
  return problems.length === 0 ? { value, problems } : problem(`has an invalid value in ${place}: it ${problems[0]!.reason}`);
}

/** Renames the members of an object from the names of attributes to those of fields. Members with names of fields keep them. */
function namedFields(mapping: ObjectMapping, json: JsonObject): JsonObject {
  const byName = new Map<string, FieldMapping>(mapping.fields.map((field) => [field.name, field]));
  const byAttribute = new Map<string, FieldMapping>(mapping.fields.map((field) => [field.attribute, field]));
  return Object.fromEntries(
    Object.entries(json).map(([name, part]) => {
      const field = byName.get(name) ?? byAttribute.get(name);
      return field ? [field.name, namedParts(field.value, part)] : [name, part];
    }),
  );
}

function namedParts(mapping: ValueMapping, json: JsonValue): JsonValue {
  if (mapping.kind === "object" && isJsonObject(json)) return namedFields(mapping.object, json);
  if (mapping.kind === "map" && isJsonObject(json)) {
    return Object.fromEntries(Object.entries(json).map(([key, part]) => [key, namedParts(mapping.element, part)]));
  }
  const isList = mapping.kind === "list" || mapping.kind === "set";
  return isList && isJsonArray(json) ? json.map((part) => namedParts(mapping.elements[0]!, part)) : json;
}

function textsIn(json: JsonValue): readonly string[] {
  if (typeof json === "string") return [json];
  if (isJsonArray(json)) return json.flatMap(textsIn);
  return isJsonObject(json) ? Object.values(json).flatMap(textsIn) : [];
}

function textIn(secret: Secret | undefined, key: string): string | undefined {
  const data = secret?.data && Object.hasOwn(secret.data, key) ? secret.data[key] : undefined;
  return data === undefined ? undefined : Buffer.from(data, "base64").toString("utf8");
}
