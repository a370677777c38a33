// SPDX-License-Identifier: Apache-2.0
import { pascalCase, withDigest } from "./distinct-name.ts";

/** Names of a kind of custom resources. */
export interface KindNames {
  /** Name in manifests, such as `StaticFile`. */
  readonly kind: string;
  /** Name of a list, such as `StaticFileList`. */
  readonly listKind: string;
  /**
   * Name in URLs, in lower case: `staticfile`, and not a plural. English plurals of two types can be equal to the name of a third, in which
   * case the API server accepts the definition but never serves it; names that are the kind in lower case never are.
   */
  readonly plural: string;
  /** Same as `plural`, as `kubectl` accepts it. */
  readonly singular: string;
}

/** What the names of kinds depend on. */
export interface KindNaming {
  /** Names of all types of the provider, whether they get a kind or not, so that a kind does not depend on the choice. */
  readonly typeNames: Iterable<string>;
  /** Kinds that the caller chooses, by type name. */
  readonly chosen?: ReadonlyMap<string, string>;
}

/** Longest name of a kind: its list has a name of 63 characters at most. */
const maxKindLength = 63 - "List".length;

/**
 * Names the kinds of a provider's types: `time_static_file` becomes `StaticFile`. Of several types with one kind, apart from case, the first
 * in alphabetical order keeps it; the other names get a suffix that depends on nothing but the type name.
 */
export function kindNames({ typeNames, chosen = new Map() }: KindNaming): ReadonlyMap<string, KindNames> {
  const sorted = [...new Set(typeNames)].toSorted();
  const prefix = commonPrefix(sorted);
  const taken = new Set<string>();
  const names = new Map<string, KindNames>();
  const isFree = (kind: string): boolean => !taken.has(kind.toLowerCase());
  for (const typeName of sorted.toSorted((a, b) => Number(chosen.has(b)) - Number(chosen.has(a)))) {
    const proposal = chosen.get(typeName) ?? kindOf(typeName, prefix);
    const fits = isFree(proposal) && proposal.length <= maxKindLength;
    const kind = fits ? proposal : withDigest(proposal, typeName, isFree, maxKindLength);
    taken.add(kind.toLowerCase());
    names.set(typeName, { kind, listKind: `${kind}List`, plural: kind.toLowerCase(), singular: kind.toLowerCase() });
  }
  return names;
}

/** Whether a text may be the name of a kind. */
export function isKind(text: string): boolean {
  return /^[A-Z][A-Za-z0-9]*$/.test(text) && text.length <= maxKindLength;
}

function kindOf(typeName: string, prefix: string): string {
  const isPrefixed = prefix !== "" && typeName.startsWith(`${prefix}_`) && typeName.length > prefix.length + 1;
  const kind = pascalCase(isPrefixed ? typeName.slice(prefix.length + 1) : typeName);
  // A kind begins with a letter.
  return /^[A-Z]/.test(kind) ? kind : pascalCase(`${prefix === "" ? "type" : prefix}_${kind}`).replace(/^[^A-Z]+/, "") || "Type";
}

/** The first part of the type names, where all have the same, such as `time`; empty otherwise. */
function commonPrefix(typeNames: readonly string[]): string {
  const prefixes = new Set(typeNames.map((name) => /^[^_]*/.exec(name)![0]));
  return prefixes.size === 1 ? [...prefixes][0]! : "";
}
