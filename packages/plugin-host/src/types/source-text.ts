// SPDX-License-Identifier: Apache-2.0

/** A member of an object type, such as `readonly name?: string`. */
export interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly type: string;
  /** The docstring in Markdown, one paragraph for each non-empty string. */
  readonly doc: readonly string[];
}

/** The text of an object type, indented for `depth`. */
export function objectText(members: readonly Member[], depth: number): string {
  if (members.length === 0) return "Readonly<Record<string, never>>";
  const indent = "  ".repeat(depth + 1);
  const lines = members.map(
    ({ name, optional, type, doc }) =>
      `${docText(doc, depth + 1)}${indent}readonly ${propertyName(name)}${optional ? "?" : ""}: ${type};\n`,
  );
  return `{\n${lines.join("")}${"  ".repeat(depth)}}`;
}

/** A property name, quoted if it is not an identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The text of a docstring, with one paragraph for each non-empty part; empty if all are. */
export function docText(parts: readonly string[], depth: number): string {
  const indent = "  ".repeat(depth);
  const lines: string[] = [];
  for (const part of parts) {
    if (part.trim() === "") continue;
    if (lines.length > 0 && !part.startsWith("@")) lines.push("");
    // The end of a comment must not occur in its text.
    for (const line of part.trim().split(/\r\n|[\n\r\u2028\u2029]/)) lines.push(line.replaceAll("*/", "*\\/").trimEnd());
  }
  if (lines.length === 0) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}

/** Adds `| null` to a type. */
export function orNull(type: string): string {
  return type === "unknown" || type === "null" ? type : `${type} | null`;
}
