// SPDX-License-Identifier: Apache-2.0

/** Reserved words of CEL: a field with such a name is selected in an escaped form. @see Kubernetes: validation rules, "escaping" */
const reserved: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

/**
 * Escapes the name of a field for a rule in the Common Expression Language (CEL). Returns undefined for a name that no rule can select: it
 * begins with a digit, or contains a character without an escape.
 */
export function celName(field: string): string | undefined {
  if (reserved.has(field)) return `__${field}__`;
  if (!/^[A-Za-z_][A-Za-z0-9_./-]*$/.test(field)) return undefined;
  return field.replaceAll("__", "__underscores__").replaceAll(".", "__dot__").replaceAll("-", "__dash__").replaceAll("/", "__slash__");
}
