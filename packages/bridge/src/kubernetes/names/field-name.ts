// SPDX-License-Identifier: Apache-2.0
import { pascalCase, withDigest } from "./distinct-name.ts";

/** A field that needs a name: an attribute or nested block, or a field that is derived from one. */
export interface NamedField {
  /** Name of the attribute or nested block. */
  readonly attribute: string;
  /** Suffix of a derived field: `SecretRef`, `Ref`, `Refs` or `Selector`. Empty for the attribute itself. */
  readonly suffix: string;
}

/**
 * Names the fields of an object: `vpc_id` becomes `vpcId`, and the reference to its secret becomes `vpcIdSecretRef`.
 *
 * If several fields would get the same name, one keeps it: fields without a suffix come first, then attributes in plain snake case. The others
 * get a digest that depends only on the field itself.
 */
export function fieldNames(fields: readonly NamedField[]): ReadonlyMap<NamedField, string> {
  const taken = new Set<string>();
  const names = new Map<NamedField, string>();
  const isFree = (name: string): boolean => !taken.has(name);
  for (const field of fields.toSorted((a, b) => rank(a) - rank(b) || compare(a.attribute, b.attribute) || compare(a.suffix, b.suffix))) {
    const proposal = camelCase(field.attribute) + field.suffix;
    const name = isFree(proposal) ? proposal : withDigest(proposal, `${field.attribute} ${field.suffix}`, isFree);
    taken.add(name);
    names.set(field, name);
  }
  return names;
}

/** Converts snake case to camel case. A name without letters and digits becomes `field`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal === "" ? "field" : pascal[0]!.toLowerCase() + pascal.slice(1);
}

function rank({ attribute, suffix }: NamedField): number {
  const isPlain = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(attribute);
  return (isPlain ? 0 : 1) + (suffix === "" ? 0 : 2);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
