// SPDX-License-Identifier: Apache-2.0

/** The type of an expression, as far as the generator distinguishes types. */
export type Kind =
  | "string"
  | "number"
  | "bool"
  | { readonly list: Kind }
  | { readonly set: Kind }
  | { readonly map: Kind }
  /** An object; members in `optional` may be left out. */
  | { readonly object: Readonly<Record<string, Kind>>; readonly optional?: readonly string[] };

/** The types of values without parts. */
export const basicKinds: readonly ("string" | "number" | "bool")[] = ["string", "string", "number", "bool"];

/** Whether two kinds are the same type. */
export function isSameKind(one: Kind, other: Kind): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Prints a kind as the type of a variable. */
export function typeOf(kind: Kind): string {
  if (typeof kind === "string") return kind;
  if ("list" in kind) return `list(${typeOf(kind.list)})`;
  if ("set" in kind) return `set(${typeOf(kind.set)})`;
  if ("map" in kind) return `map(${typeOf(kind.map)})`;
  const members = Object.entries(kind.object).map(([name, one]) => {
    const type = typeOf(one);
    return `${name} = ${kind.optional?.includes(name) ? `optional(${type})` : type}`;
  });
  return `object({ ${members.join(", ")} })`;
}
