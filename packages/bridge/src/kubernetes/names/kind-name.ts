// SPDX-License-Identifier: Apache-2.0
import { pascalCase, withDigest } from "./distinct-name.ts";

/** The names of a kind of custom resources, as a definition declares them. */
export interface KindNames {
  /** Name in manifests, such as `StaticFile`. */
  readonly kind: string;
  /** Name of a list, such as `StaticFileList`. */
  readonly listKind: string;
  /**
   * Name in URLs: the kind in lower case, such as `staticfile`, and not an English plural. The plural of one type could be the singular of
   * another; the API server accepts such a definition, but never serves it.
   */
  readonly plural: string;
  /** Name that `kubectl` accepts instead of the plural: the same. */
  readonly singular: string;
}

/** The input of {@link kindNames}. */
export interface KindNaming {
  /** Names of all types of the provider, including those that get no kind: a name must not depend on which types are selected. */
  readonly typeNames: Iterable<string>;
  /** Kinds that the caller has chosen, by type name. */
  readonly chosen?: ReadonlyMap<string, string>;
  /** Kinds that other types have already. Default: none. */
  readonly reserved?: Iterable<string>;
  /** End of every kind that the caller does not choose, such as `Data`. Default: none. */
  readonly suffix?: string;
}

/** Maximum length of a kind: the name of its list may have 63 characters. */
const maxKindLength = 63 - "List".length;

/**
 * Names the kinds of a provider's types: `time_static_file` becomes `StaticFile`.
 *
 * If several types would get the same kind, regardless of case, the first in alphabetical order keeps it. The others get a digest that depends
 * only on the type name.
 */
export function kindNames({ typeNames, chosen = new Map(), reserved = [], suffix = "" }: KindNaming): ReadonlyMap<string, KindNames> {
  const sorted = [...new Set(typeNames)].toSorted();
  const prefix = commonPrefix(sorted);
  const taken = new Set([...reserved].map((kind) => kind.toLowerCase()));
  const names = new Map<string, KindNames>();
  const isFree = (kind: string): boolean => !taken.has(kind.toLowerCase());
  for (const typeName of sorted.toSorted((a, b) => Number(chosen.has(b)) - Number(chosen.has(a)))) {
    const proposal = chosen.get(typeName) ?? kindOf(typeName, prefix) + suffix;
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

/** The first word of the type names, such as `time`, if all have the same one; otherwise empty. */
function commonPrefix(typeNames: readonly string[]): string {
  const prefixes = new Set(typeNames.map((name) => /^[^_]*/.exec(name)![0]));
  return prefixes.size === 1 ? [...prefixes][0]! : "";
}
