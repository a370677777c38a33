// SPDX-License-Identifier: Apache-2.0
import { pluralOf } from "./inflection.ts";

/** What a property name depends on. */
export interface PropertyNaming {
  /** Whether the attribute or block is a list or a set of any number of elements, whose name becomes a plural. */
  readonly plural: boolean;
  /** Names of the attributes and blocks of the same object. */
  readonly siblings: ReadonlySet<string>;
}

/**
 * Returns the property name of an attribute or nested block: its name in camel case, in the plural for lists and sets.
 *
 * @see pulumi-terraform-bridge pkg/tfbridge/names.go, TerraformToPulumiNameV2
 */
export function propertyName(attribute: string, { plural, siblings }: PropertyNaming): string {
  if (plural) {
    const name = pluralOf(attribute);
    if (name === attribute || !siblings.has(name)) return camelCase(name);
  }
  return camelCase(attribute);
}

/** Converts snake case to camel case. Underscores at the beginning stay, and so does one at the end. */
export function camelCase(name: string): string {
  const start = /^_*/.exec(name)![0];
  const rest = name.slice(start.length);
  const joined = rest.replaceAll(/_+([^_])/g, (_, letter: string) => letter.toUpperCase()).replace(/_+$/, "_");
  return start + joined;
}

/** Converts snake case to Pascal case; hyphens separate words, too. */
export function pascalCase(name: string): string {
  return name
    .split(/[_-]+/)
    .filter((word) => word !== "")
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join("");
}
