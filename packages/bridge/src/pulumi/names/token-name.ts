// SPDX-License-Identifier: Apache-2.0
import { isIdentifier, lowerFirst, upperFirst, withDigest, withoutForeignCharacters, withoutLeadingDigit } from "./identifier.ts";

/** Component of a provider that gets a token. */
export interface NamedComponent {
  readonly kind: ComponentKind;
  /** Name in the provider, such as `random_pet`. */
  readonly name: string;
}

/** Kind of a component that gets a token. */
export type ComponentKind = "resource" | "data source" | "ephemeral resource" | "function";

/** Token of a component. */
export interface ComponentToken {
  readonly component: NamedComponent;
  readonly token: string;
  /** The token in Pulumi's own bridge; empty if it has none. */
  readonly theirs: string;
}

/** Context of the tokens of a package. */
export interface TokenNaming {
  readonly packageName: string;
  /** Names of all resource types of the provider, also of those that the package excludes. */
  readonly resourceTypes: Iterable<string>;
  /** Names that a package has had before: the last part of the token. */
  readonly recorded?: (component: NamedComponent) => string | undefined;
}

/**
 * Names the components of a package. The names are those of Pulumi's own bridge, unless a name is not an identifier, or differs only in case from
 * another name or from the name of a type that SDKs derive from another name. Of several components with the same name, a resource keeps it,
 * else the first in alphabetical order; the other names get a suffix that depends only on the component.
 *
 * @see pulumi-terraform-bridge pkg/tfbridge/tokens
 */
export function componentTokens(components: readonly NamedComponent[], naming: TokenNaming): readonly ComponentToken[] {
  const { packageName, recorded } = naming;
  const prefix = resourcePrefix(naming.resourceTypes);
  const taken = new Set(derivedNames("Provider", "resource"));
  const theirs = new TheirTokens();
  const named = components.map((component) => {
    const name = theirName(component, prefix, packageName);
    const before = recorded?.(component);
    return { component, before, theirs: theirs.unique(name, component.kind), proposal: before ?? allowedName(name, component.kind) };
  });
  const order = (kind: ComponentKind): number => kinds.indexOf(kind);
  const sorted = named.toSorted(
    (a, b) => Number(a.before === undefined) - Number(b.before === undefined) || order(a.component.kind) - order(b.component.kind),
  );
  const chosen = new Map<NamedComponent, string>();
  for (const { component, proposal } of sorted) {
    const isFree = (name: string): boolean => derivedNames(name, component.kind).every((derived) => !taken.has(derived));
    const name = isFree(proposal) ? proposal : withDigest(proposal, `${component.kind} ${component.name}`, isFree);
    for (const derived of derivedNames(name, component.kind)) taken.add(derived);
    chosen.set(component, name);
  }
  return named.map(({ component, theirs: name }) => ({
    component,
    token: tokenOf(packageName, chosen.get(component)!),
    theirs: name === "" ? "" : tokenOf(packageName, name),
  }));
}

/** Kinds in the order in which they keep names. */
const kinds: readonly ComponentKind[] = ["resource", "data source", "ephemeral resource", "function"];

/** Token of a name, such as `random:index/pet:Pet`. */
function tokenOf(packageName: string, name: string): string {
  return `${packageName}:index/${lowerFirst(name)}:${name}`;
}

/** Name of the class or function in a token: its last part. */
export function nameOfToken(token: string): string {
  return token.slice(token.lastIndexOf(":") + 1);
}

/**
 * Returns the first part of the names of resource types, such as `random`, if it is the same in all names with an underscore; otherwise an empty
 * text.
 *
 * @see pulumi-terraform-bridge dynamic/info.go, inferResourcePrefix
 */
export function resourcePrefix(names: Iterable<string>): string {
  let prefix: string | undefined;
  for (const name of names) {
    const end = name.indexOf("_");
    if (end < 0) continue;
    if (prefix !== undefined && prefix !== name.slice(0, end)) return "";
    prefix = name.slice(0, end);
  }
  return prefix ?? "";
}

/** Removes the prefix from a name, unless nothing would remain. */
export function withoutPrefix(name: string, prefix: string): string {
  return prefix !== "" && name.startsWith(`${prefix}_`) && name.length > prefix.length + 1 ? name.slice(prefix.length + 1) : name;
}

function theirName({ kind, name }: NamedComponent, prefix: string, packageName: string): string {
  // Otherwise its name would be that of the class for the provider's configuration.
  if (kind === "resource" && prefix !== "" && name === `${prefix}_provider`) return `${pascalCase(packageName)}Provider`;
  const own = pascalCase(withoutPrefix(name, prefix));
  switch (kind) {
    case "resource":
      return withoutLeadingDigit(own);
    case "data source":
      return `get${own}`;
    case "ephemeral resource":
      return `open${own}`;
    default:
      return withoutLeadingDigit(camelOf(name));
  }
}

/** Converts snake case to Pascal case; hyphens separate words, too. */
export function pascalCase(name: string): string {
  return upperFirst(camelOf(name));
}

function camelOf(name: string): string {
  return name
    .split(/[_-]+/)
    .filter((word) => word !== "")
    .map((word, at) => (at === 0 && !/^[_-]/.test(name) ? word : upperFirst(word)))
    .join("");
}

/** Names that are not allowed because classes cannot be keywords of Python, and functions cannot be keywords of TypeScript. */
const keywords: ReadonlySet<string> = new Set([
  ..."None True False".split(" "),
  ...(
    "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in " +
    "instanceof new null return super switch this throw true try typeof var void while with implements interface let package private " +
    "protected public static yield await eval arguments"
  ).split(" "),
]);

/** Suffixes of names that are keywords or would otherwise be empty. */
const suffixes = { resource: "Resource", "data source": "Function", "ephemeral resource": "Function", function: "Function" } as const;

function allowedName(name: string, kind: ComponentKind): string {
  let allowed = name;
  if (!isIdentifier(name)) allowed = withoutLeadingDigit(withoutForeignCharacters(name));
  if (allowed === "" || keywords.has(allowed) || (kind === "resource" && allowed === "Provider")) allowed += suffixes[kind];
  return kind === "resource" ? upperFirst(allowed) : lowerFirstUnless(allowed, name);
}

/** Functions begin with a lower-case letter, unless the name is that of Pulumi's own bridge. */
function lowerFirstUnless(name: string, theirs: string): string {
  return name === theirs ? name : lowerFirst(name);
}

/** Names that SDKs derive from the name of a component, in lower case, because files have these names on systems that ignore case. */
function derivedNames(name: string, kind: ComponentKind): readonly string[] {
  const suffixesOfKind = kind === "resource" ? ["", "Args", "State"] : ["", "Args", "Result", "Output", "OutputArgs"];
  return suffixesOfKind.map((suffix) => `${name}${suffix}`.toLowerCase());
}

/** Names in Pulumi's own bridge, which numbers the names of resources, and those of data sources, that differ only in case. */
class TheirTokens {
  readonly #taken = new Map<ComponentKind, Set<string>>();

  unique(name: string, kind: ComponentKind): string {
    if (kind === "ephemeral resource") return "";
    if (kind === "function") return name;
    const taken = this.#taken.get(kind) ?? new Set();
    this.#taken.set(kind, taken);
    let candidate = name;
    for (let number = 2; taken.has(candidate.toLowerCase()); number += 1) candidate = `${name}V${number}`;
    taken.add(candidate.toLowerCase());
    return candidate;
  }
}
