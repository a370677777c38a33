// SPDX-License-Identifier: Apache-2.0

/** Words of CEL that select a field only in their escaped form. @see Kubernetes: validation rules, "escaping" */
const reserved: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

/**
 * Escapes the name of a field for a rule in the Common Expression Language; undefined where no rule can select it, because it begins with a
 * digit or has characters that have no escape.
 */
export function celName(field: string): string | undefined {
  if (reserved.has(field)) return `__${field}__`;
  if (!/^[A-Za-z_][A-Za-z0-9_./-]*$/.test(field)) return undefined;
  return field.replaceAll("__", "__underscores__").replaceAll(".", "__dot__").replaceAll("-", "__dash__").replaceAll("/", "__slash__");
}
