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

/** Token of a component, and the one that Pulumi's own bridge gives; empty where it gives none. */
export interface ComponentToken {
  readonly component: NamedComponent;
  readonly token: string;
  readonly theirs: string;
}

/** What the tokens of a package depend on. */
export interface TokenNaming {
  readonly packageName: string;
  /** Names of all resource types of the provider, whether the package has them or not. */
  readonly resourceTypes: Iterable<string>;
  /** Names that a package has had before: the last part of the token. */
  readonly recorded?: (component: NamedComponent) => string | undefined;
}

/**
 * Names the components of a package: with the names of Pulumi's own bridge where they are identifiers and no two are equal apart from case,
 * with the names of the types that SDKs derive from them. Of several components with one name, the first in alphabetical order keeps it, and
 * a resource before others; the other names get a suffix that depends on nothing but the component.
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

/** Last part of a token: the name of the class or function. */
export function nameOfToken(token: string): string {
  return token.slice(token.lastIndexOf(":") + 1);
}

/**
 * Returns the first part of the names of resource types, where all with an underscore have the same, such as `random`; empty otherwise.
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
  // Its name would be that of the class for the provider's configuration.
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

/** Names of classes that are keywords of Python, and of functions that are keywords of TypeScript. */
const keywords: ReadonlySet<string> = new Set([
  ..."None True False".split(" "),
  ...(
    "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in " +
    "instanceof new null return super switch this throw true try typeof var void while with implements interface let package private " +
    "protected public static yield await eval arguments"
  ).split(" "),
]);

/** Suffix of names that are no identifiers, and of keywords. */
const suffixes = { resource: "Resource", "data source": "Function", "ephemeral resource": "Function", function: "Function" } as const;

function allowedName(name: string, kind: ComponentKind): string {
  let allowed = name;
  if (!isIdentifier(name)) allowed = withoutLeadingDigit(withoutForeignCharacters(name));
  if (allowed === "" || keywords.has(allowed) || (kind === "resource" && allowed === "Provider")) allowed += suffixes[kind];
  return kind === "resource" ? upperFirst(allowed) : lowerFirstUnless(allowed, name);
}

/** Functions begin with a lower-case letter, except where Pulumi's own bridge gives another name. */
function lowerFirstUnless(name: string, theirs: string): string {
  return name === theirs ? name : lowerFirst(name);
}

/** Names that SDKs derive from the name of a component, in lower case: files have them on systems that ignore case. */
function derivedNames(name: string, kind: ComponentKind): readonly string[] {
  const suffixesOfKind = kind === "resource" ? ["", "Args", "State"] : ["", "Args", "Result", "Output", "OutputArgs"];
  return suffixesOfKind.map((suffix) => `${name}${suffix}`.toLowerCase());
}

/** Tokens as Pulumi's own bridge gives them: resources and data sources are each numbered where they are equal apart from case. */
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
