// SPDX-License-Identifier: Apache-2.0
import { someAttribute, type Block, type GetProviderSchemaResponse } from "@tenon/schema";
import type { StreamingName, UnaryName } from "../provider/call-names.ts";
import { isSecret } from "./secret-paths.ts";

/** Names of a provider's calls. */
export type MethodName = UnaryName | StreamingName | "stop";

/** What a field of a message may hold that must not be told. */
export interface FieldSecrets {
  /** Says what is secret in values. Absent where nothing is. */
  readonly block?: Block | undefined;
  /** Everything is, values and bytes. */
  readonly everything?: boolean;
}

type Subject = "provider" | "resources" | "dataSources" | "ephemeralResources" | "listResources" | "actions" | "stateStores";

/** What the values of a call are values of; calls that are not here have none. */
const subjects: Readonly<Partial<Record<MethodName, Subject>>> = {
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

/** Whether the messages of a call have anything in them that a schema says something of. */
export function holdsValues(method: MethodName): boolean {
  return subjects[method] !== undefined;
}

/** Fields whose values no schema calls sensitive. */
const harmless: ReadonlySet<string> = new Set([
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

/** What of a message is secret, by the name of the field; `typeName` where the message says of what type a part is. */
export type SecretsOf = (field: string, typeName?: string) => FieldSecrets;

/** What of a call's messages is secret, field by field. Where the schema is not known, everything that might be. */
export function secretsOfCall(method: MethodName, request: object, schema: GetProviderSchemaResponse | undefined): SecretsOf {
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
    if (harmless.has(field)) return {};
    if (field === "providerMeta") return schema === undefined ? { everything: true } : { block: schema.providerMeta?.block };
    // A secret is what they are for, and a state has every secret there is.
    if (subject === "ephemeralResources" && (field === "result" || field === "private")) return { everything: true };
    if (subject === "stateStores" && (field === "bytes" || field === "chunks")) return { everything: true };
    if (field === "private" || field.endsWith("Private")) return {};
    if (field === "rawState") return { everything: hasSecrets(blockOf(subject, typeName)) };
    // Of another type, perhaps of another provider, whose schema is not to be had.
    if (field === "sourceState") return { everything: true };
    if (field === "resourceObject") return blockOf("resources", typeName);
    return blockOf(subject, typeName);
  };
}

/** Parts of messages with fields of their own, as opposed to those of which everything is of one kind. */
export function isSelfDescribing(field: string): boolean {
  return field === "importedResources";
}

/** Whether there may be something secret in a field. */
export function hasSecrets({ block, everything }: FieldSecrets): boolean {
  return everything === true || (block !== undefined && someAttribute(block, isSecret));
}
