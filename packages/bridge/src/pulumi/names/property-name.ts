// SPDX-License-Identifier: Apache-2.0
import { cachedWords } from "./cached-words.ts";
import { isIdentifier, lowerFirst, upperFirst, withDigest, withoutForeignCharacters, withoutLeadingDigit } from "./identifier.ts";
import { pluralOf } from "./inflection.ts";

/** Context of a property name. */
export interface PropertyNaming {
  /** Whether the name becomes a plural, because the attribute or block is a list or set that can have several elements. */
  readonly plural: boolean;
  /** Names of the attributes and blocks of the same object. */
  readonly siblings: { has(name: string): boolean };
}

/**
 * Returns the property name of an attribute or nested block in Pulumi's own bridge: its name in camel case, in the plural for lists and
 * sets.
 *
 * @see pulumi-terraform-bridge pkg/tfbridge/internal/naming/naming.go, TerraformToPulumiNameV2
 */
export function theirPropertyName(attribute: string, { plural, siblings }: PropertyNaming): string {
  if (plural) {
    const name = pluralOf(attribute);
    if (!siblings.has(name)) return camelCase(name);
  }
  return camelCase(attribute);
}

/** Converts snake case to camel case. Keeps underscores at the beginning, and one at the end. */
export function camelCase(name: string): string {
  return cachedCamelCase(name);
}

const cachedCamelCase = cachedWords((name) => {
  const start = /^_*/.exec(name)![0];
  const rest = name.slice(start.length);
  const joined = rest.replaceAll(/_+([^_])/g, (_, next: string) => (/[a-z]/.test(next) ? next.toUpperCase() : next)).replace(/_+$/, "");
  return start + joined + (name.endsWith("_") ? "_" : "");
});

/** Attribute or nested block to name. */
export interface NamedAttribute {
  readonly attribute: string;
  readonly plural: boolean;
}

/** Property name of an attribute. */
export interface PropertyName {
  readonly property: string;
  /** The name in Pulumi's own bridge. */
  readonly theirs: string;
}

/** Exceptions from the rules for names. */
export interface NameExceptions {
  /** Names of attributes whose property names Pulumi reserves, as in Pulumi's own bridge. */
  readonly reserved?: ReadonlyMap<string, string>;
  /** Names that a package has had before. */
  readonly recorded?: (attribute: string) => string | undefined;
  /** Property names that are not allowed. */
  readonly forbidden?: ReadonlySet<string>;
}

/**
 * Names the properties of an object. The names are those of Pulumi's own bridge, unless a name is not an identifier, or two names are equal in
 * one of the SDKs' languages. Of several attributes with the same name, the one in plain snake case keeps it.
 */
export function propertyNames(attributes: readonly NamedAttribute[], exceptions: NameExceptions = {}): ReadonlyMap<string, PropertyName> {
  const siblings = new Set(attributes.map(({ attribute }) => attribute));
  return namesByRules(attributes, siblings, exceptions) ?? chosenNames(attributes, siblings, exceptions);
}

/** Names the properties as in Pulumi's own bridge; undefined if one of the names is recorded, not allowed, or equal to another one. */
function namesByRules(
  attributes: readonly NamedAttribute[],
  siblings: ReadonlySet<string>,
  { reserved, recorded, forbidden }: NameExceptions,
): ReadonlyMap<string, PropertyName> | undefined {
  const taken = new Set<string>();
  const names = new Map<string, PropertyName>();
  for (const { attribute, plural } of attributes) {
    const theirs = reserved?.get(attribute) ?? theirPropertyName(attribute, { plural, siblings });
    if (!isAllowed(theirs) || forbidden?.has(theirs) || recorded?.(attribute) !== undefined) return undefined;
    const { pascal, snake } = spellings(theirs);
    if (taken.has(pascal) || taken.has(snake)) return undefined;
    taken.add(pascal).add(snake);
    names.set(attribute, { property: theirs, theirs });
  }
  return names;
}

/** Chooses one of the attributes to keep a name that several have, and a similar name for the others. */
function chosenNames(
  attributes: readonly NamedAttribute[],
  siblings: ReadonlySet<string>,
  { reserved, recorded, forbidden }: NameExceptions,
): ReadonlyMap<string, PropertyName> {
  const named = attributes.map(({ attribute, plural }) => {
    const theirs = reserved?.get(attribute) ?? theirPropertyName(attribute, { plural, siblings });
    const before = recorded?.(attribute);
    const rank = before !== undefined ? 0 : theirs === camelCase(attribute) && isPlainSnakeCase(attribute) ? 1 : 2;
    return { attribute, theirs, rank, proposal: before ?? allowedName(theirs, forbidden) };
  });
  const taken = new Set<string>();
  const names = new Map<string, PropertyName>();
  const isFree = (name: string): boolean => !taken.has(spellings(name).pascal) && !taken.has(spellings(name).snake);
  for (const { attribute, theirs, proposal } of named.sort((a, b) => a.rank - b.rank || compare(a.attribute, b.attribute))) {
    const property = isFree(proposal) ? proposal : withDigest(proposal, attribute, isFree);
    taken.add(spellings(property).pascal).add(spellings(property).snake);
    names.set(attribute, { property, theirs });
  }
  return names;
}

/** Returns the name, or a similar name that is allowed. Names with two underscores at the beginning are reserved for the bridge. */
function allowedName(name: string, forbidden: ReadonlySet<string> | undefined): string {
  let allowed = name;
  if (!isIdentifier(name) || name.startsWith("__")) {
    const cleaned = withoutForeignCharacters(name).replace(/^_+/, "");
    allowed = /^[0-9]/.test(cleaned) ? lowerFirst(withoutLeadingDigit(cleaned)) : cleaned;
    if (allowed === "") allowed = "property";
  }
  // Pulumi's schemas have no property of this name; Pulumi's own bridge renames it in resources only.
  if (allowed === "pulumi") return "pulumiInfo";
  return forbidden?.has(allowed) ? `${allowed}Value` : allowed;
}

const isAllowed = cachedWords((name) => allowedName(name, undefined) === name);

/** The forms of a property name in the SDKs' languages: Go and C# begin with an upper-case letter, Python has snake case. */
const spellings = cachedWords((name) => ({ pascal: `pascal ${upperFirst(name)}`, snake: `snake ${pythonName(name)}` }));

/** Name of a property in Python. */
export function pythonName(name: string): string {
  return cachedPythonName(name);
}

const cachedPythonName = cachedWords((name) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase(),
);

function isPlainSnakeCase(name: string): boolean {
  return /^[a-z][a-z0-9]*(?:_[a-z][a-z0-9]*)*$/.test(name);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
