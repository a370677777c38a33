// SPDX-License-Identifier: Apache-2.0
import { camelCase, pascalCase } from "./property-name.ts";

/** Returns the prefix that all names have in common, with its underscore, such as `random_`; empty if there is none. */
export function commonPrefix(names: Iterable<string>): string {
  let prefix: string | undefined;
  for (const name of names) {
    const own = name.includes("_") ? name.slice(0, name.indexOf("_") + 1) : `${name}_`;
    if (prefix !== undefined && prefix !== own) return "";
    prefix = own;
  }
  return prefix ?? "";
}

/** Token of a resource type, such as `random:index/pet:Pet`. */
export function resourceToken(packageName: string, name: string): string {
  const pascal = pascalCase(name);
  return `${packageName}:index/${lowerFirst(pascal)}:${pascal}`;
}

/** Token of a data source or ephemeral resource, such as `random:index/getPet:getPet`. */
export function readerToken(packageName: string, verb: "get" | "open", name: string): string {
  const camel = `${verb}${pascalCase(name)}`;
  return `${packageName}:index/${camel}:${camel}`;
}

/** Token of a function, such as `time:index/durationParse:durationParse`. */
export function functionToken(packageName: string, name: string): string {
  const camel = camelCase(name);
  return `${packageName}:index/${camel}:${camel}`;
}

/** Removes the prefix from a name, unless nothing would remain. */
export function withoutPrefix(name: string, prefix: string): string {
  if (prefix === "" || !name.startsWith(prefix) || name === prefix) return name;
  return name.slice(prefix.length);
}

function lowerFirst(text: string): string {
  return text === "" ? text : text[0]!.toLowerCase() + text.slice(1);
}
