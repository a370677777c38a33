// SPDX-License-Identifier: Apache-2.0
import { someAttribute, type Block, type CallName, type GetProviderSchemaResponse } from "@tenon/schema";
import { isSecret } from "./secret-paths.ts";

/** The secrets of a field of a message. */
export interface FieldSecrets {
  /** The schema that marks secrets in values. Absent without secrets. */
  readonly block?: Block | undefined;
  /** Whether all its values and bytes are secret. */
  readonly everything?: boolean;
}

type Subject = "provider" | "resources" | "dataSources" | "ephemeralResources" | "listResources" | "actions" | "stateStores";

/** The kind of component that the values of a call belong to. Other calls have no values. */
const subjects: Readonly<Partial<Record<CallName, Subject>>> = {
  validateProviderConfig: "provider",
  configureProvider: "provider",
  validateResourceConfig: "resources",
  upgradeResourceState: "resources",
  readResource: "resources",
  planResourceChange: "resources",
  applyResourceChange: "resources",
  importResourceState: "resources",
  moveResourceState: "resources",
  generateResourceConfig: "resources",
  validateDataResourceConfig: "dataSources",
  readDataSource: "dataSources",
  validateEphemeralResourceConfig: "ephemeralResources",
  openEphemeralResource: "ephemeralResources",
  renewEphemeralResource: "ephemeralResources",
  closeEphemeralResource: "ephemeralResources",
  validateListResourceConfig: "listResources",
  listResource: "listResources",
  validateActionConfig: "actions",
  planAction: "actions",
  invokeAction: "actions",
  validateStateStoreConfig: "stateStores",
  configureStateStore: "stateStores",
  readStateBytes: "stateStores",
  writeStateBytes: "stateStores",
};

/** Whether the messages of a call have values that a schema describes. */
export function holdsValues(method: CallName): boolean {
  return subjects[method] !== undefined;
}

/** Fields whose values are never sensitive. */
const publicFields: ReadonlySet<string> = new Set([
  "currentIdentity",
  "newIdentity",
  "priorIdentity",
  "plannedIdentity",
  "identity",
  "upgradedIdentity",
  "targetIdentity",
  "sourceIdentity",
  "rawIdentity",
  "includeResourceObject",
  "limit",
]);

/** Returns the secrets of a field by its name. `typeName` is the part's own type, if it has one. */
export type SecretsOf = (field: string, typeName?: string) => FieldSecrets;

/** Returns the secrets of a call's messages by field. Without a schema, every value that may be secret counts as secret. */
export function secretsOfCall(method: CallName, request: object, schema: GetProviderSchemaResponse | undefined): SecretsOf {
  const subject = subjects[method];
  if (subject === undefined) return () => ({});
  const named = request as {
    readonly typeName?: string;
    readonly actionType?: string;
    readonly targetTypeName?: string;
    readonly sourceTypeName?: string;
  };
  const ownType = named.typeName ?? named.targetTypeName ?? named.actionType ?? "";
  const blockOf = (kind: Subject, typeName: string): FieldSecrets => {
    if (schema === undefined) return { everything: true };
    const found = kind === "provider" ? schema.provider : schema[kind].get(typeName);
    return found === undefined ? { everything: kind !== "provider" } : { block: found.block };
  };
  return (field, typeName = ownType) => {
    if (publicFields.has(field)) return {};
    if (field === "providerMeta") return schema === undefined ? { everything: true } : { block: schema.providerMeta?.block };
    // The purpose of ephemeral results is to pass secrets, and a state contains the secrets of all its resources.
    if (subject === "ephemeralResources" && (field === "result" || field === "private")) return { everything: true };
    if (subject === "stateStores" && (field === "bytes" || field === "chunks")) return { everything: true };
    if (field === "private" || field.endsWith("Private")) return {};
    if (field === "rawState") return { everything: hasSecrets(blockOf(subject, typeName)) };
    // The state is of another type, perhaps of another provider, so its schema is unknown.
    if (field === "sourceState") return { everything: true };
    if (field === "resourceObject") return blockOf("resources", typeName);
    return blockOf(subject, typeName);
  };
}

/** Calls whose responses have values of other types than that of the request, or whose requests do. */
const unboundedCalls: ReadonlySet<CallName> = new Set(["importResourceState", "moveResourceState", "listResource"]);

/**
 * Whether the messages of a call may have secrets. They have none if the schema marks no value of the component as secret. Without a schema,
 * every call that has values may have secrets.
 */
export function mayHaveSecrets(method: CallName, request: object, schema: GetProviderSchemaResponse | undefined): boolean {
  const subject = subjects[method];
  if (subject === undefined) return false;
  if (schema === undefined || subject === "ephemeralResources" || subject === "stateStores" || unboundedCalls.has(method)) return true;
  const secretsOf = secretsOfCall(method, request, schema);
  return hasSecrets(secretsOf("config")) || ("providerMeta" in request && hasSecrets(secretsOf("providerMeta")));
}

/** Whether each part of a field has its own type name. */
export function isSelfDescribing(field: string): boolean {
  return field === "importedResources";
}

/** Whether a field may contain a secret. */
export function hasSecrets({ block, everything }: FieldSecrets): boolean {
  return everything === true || (block !== undefined && someAttribute(block, isSecret));
}
