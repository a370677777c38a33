// SPDX-License-Identifier: Apache-2.0

/** What a schema describes. The role decides which flags are supported, and which names the language reserves. */
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
  // The configuration of these two is in a separate `config` block, where the language reserves no names.
  listResource: new Set(),
  action: new Set(),
  stateStore: new Set(["provider"]),
  meta: new Set(),
  recorded: new Set(),
};

/** Returns the fault in the name of an attribute or block, or undefined. Only names at the root are reserved. */
export function nameFault(name: string, role: SchemaRole, atRoot: boolean): string | undefined {
  if (!identifier.test(name)) return "a name must consist of lower-case letters, digits and underscores, and must not begin with a digit";
  if (atRoot && reserved[role].has(name)) return `the language reserves this name: it cannot be in the schema of a ${wordOf[role]}`;
  return undefined;
}

/** The role of a schema, in words. */
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

/**
 * Returns the fault in the name of a component or parameter, or undefined.
 *
 * @param provider name of the provider, the prefix of the type name; absent for names without a prefix.
 */
export function componentNameFault(name: string, provider?: string): string | undefined {
  if (provider !== undefined && name.startsWith(`${provider}_`) && name.length > provider.length + 1) {
    const short = name.slice(provider.length + 1);
    return `its name repeats the provider's name: use ${JSON.stringify(short)} to get the type ${name}`;
  }
  return identifier.test(name)
    ? undefined
    : `${JSON.stringify(name)} is not a valid name: use lower-case letters, digits and underscores, and do not begin with a digit`;
}

/** Returns the fault in the name of a provider, or undefined. */
export function providerNameFault(name: string): string | undefined {
  return /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/.test(name)
    ? undefined
    : `${JSON.stringify(name)} is not a valid provider name: use lower-case letters and digits, separated by single dashes or underscores`;
}

/** Returns the fault in the version of a provider, or undefined. Registries and mirrors accept semantic versions only. */
export function providerVersionFault(version: unknown): string | undefined {
  if (typeof version === "string" && /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.test(version)) return undefined;
  const subject = typeof version === "string" ? JSON.stringify(version) : "the version";
  return `${subject} is not a valid provider version: use three numbers, such as 1.0.0 or 1.0.0-beta1`;
}
