// SPDX-License-Identifier: Apache-2.0

/** What a schema describes: each kind has flags it does not know, and names the language keeps for itself. */
export type SchemaRole =
  | "provider"
  | "resource"
  | "dataSource"
  | "ephemeralResource"
  | "listResource"
  | "action"
  | "stateStore"
  | "meta"
  | "recorded";

const identifier = /^[a-z_][a-z0-9_]*$/;

const meta = ["count", "depends_on", "for_each", "lifecycle", "provider"];
/** @see terraform-plugin-framework fwschema ReservedResourceAttributeNames, ReservedProviderAttributeNames */
const reserved: Readonly<Record<SchemaRole, ReadonlySet<string>>> = {
  provider: new Set(["alias", "version"]),
  resource: new Set([...meta, "connection", "provisioner"]),
  dataSource: new Set([...meta, "connection", "provisioner"]),
  ephemeralResource: new Set([...meta, "connection", "provisioner"]),
  // The configuration of these two is in a block of its own, so nothing else has names there.
  listResource: new Set(),
  action: new Set(),
  stateStore: new Set(["provider"]),
  meta: new Set(),
  recorded: new Set(),
};

/** What is wrong with the name of an attribute or block, or undefined. Only names at the root are reserved. */
export function nameFault(name: string, role: SchemaRole, atRoot: boolean): string | undefined {
  if (!identifier.test(name)) return "a name is lower-case letters, digits and underscores, and does not begin with a digit";
  if (atRoot && reserved[role].has(name)) return `the language keeps this name for itself: it cannot be in the schema of a ${wordOf[role]}`;
  return undefined;
}

/** What a schema describes, in words. */
export const wordOf: Readonly<Record<SchemaRole, string>> = {
  provider: "provider",
  resource: "resource",
  dataSource: "data source",
  ephemeralResource: "ephemeral resource",
  listResource: "list resource",
  action: "action",
  stateStore: "state store",
  meta: "module (provider_meta)",
  recorded: "recorded state",
};

/** What is wrong with the name of a component or parameter, or undefined. */
export function componentNameFault(name: string): string | undefined {
  return identifier.test(name)
    ? undefined
    : `${JSON.stringify(name)} is no name: lower-case letters, digits and underscores, not beginning with a digit`;
}

/** What is wrong with the name of a provider, or undefined. */
export function providerNameFault(name: string): string | undefined {
  return /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/.test(name)
    ? undefined
    : `${JSON.stringify(name)} is no provider name: lower-case letters and digits, with single dashes or underscores between`;
}
