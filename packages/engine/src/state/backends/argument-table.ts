// SPDX-License-Identifier: Apache-2.0
import { bool, get, isNull, objectOf, of, string, type Type, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { createAttribute, createBlock, errorDiagnostic, type Block, type Diagnostic } from "@tenon/schema";
import type { BackendEnvironment } from "./backend.ts";

/** An argument with a default. */
export interface Argument {
  readonly type: Type;
  readonly description: string;
  /** The environment variable with the default. */
  readonly variable?: string;
  /** The default without a variable. */
  readonly default?: string | boolean;
  /** Whether there must be a value, in the block or in the environment. */
  readonly required?: boolean;
}

/** The arguments of a backend by name. */
export type ArgumentTable = Readonly<Record<string, Argument>>;

/** The schema of a block with these arguments. @see OpenTofu internal/legacy/helper/schema, Backend */
export function schemaOf(table: ArgumentTable, environment: BackendEnvironment): Block {
  const attributes = Object.entries(table).map(([name, argument]) => {
    const { type, description } = argument;
    const required = argument.required === true && defaultOf(argument, environment) === undefined;
    return [name, createAttribute({ type, description, required, optional: !required })] as const;
  });
  return createBlock({ attributes: Object.fromEntries(attributes) });
}

/** A configuration with the defaults of its arguments. @see OpenTofu internal/legacy/helper/schema, Backend.PrepareConfig */
export function withDefaults(
  given: Value,
  table: ArgumentTable,
  environment: BackendEnvironment,
): { readonly config: Value; readonly diagnostics: Diagnostic[] } {
  const values = new Map<string, Value>();
  const diagnostics: Diagnostic[] = [];
  for (const [name, argument] of Object.entries(table)) {
    const value = get(given, name);
    const fallback = isNull(value) ? defaultOf(argument, environment) : undefined;
    const isMalformed = typeof fallback === "string" && argument.type === bool && parseGoBool(fallback) === undefined;
    if (isMalformed) {
      const text = `error loading default: strconv.ParseBool: parsing ${JSON.stringify(fallback)}: invalid syntax`;
      diagnostics.push(errorDiagnostic(`error getting default for ${JSON.stringify(name)}: ${text}`, ""));
    }
    values.set(name, fallback === undefined || isMalformed ? value : defaultValue(fallback, argument.type));
    if (argument.required && isNull(values.get(name)!)) {
      diagnostics.push(errorDiagnostic(`${JSON.stringify(name)}: required field is not set`, ""));
    }
  }
  return { config: objectOf(values), diagnostics };
}

function defaultValue(fallback: string | boolean, type: Type): Value {
  if (type === bool) return of(bool, typeof fallback === "string" ? parseGoBool(fallback)! : fallback);
  return convert(of(string, String(fallback)), type);
}

/** Reads a boolean as Go does; undefined if the text is malformed. @see go strconv.ParseBool */
function parseGoBool(text: string): boolean | undefined {
  if (["1", "t", "T", "true", "TRUE", "True"].includes(text)) return true;
  return ["0", "f", "F", "false", "FALSE", "False"].includes(text) ? false : undefined;
}

/** The default of an argument. An empty environment variable counts as absent. */
function defaultOf({ variable, default: fallback }: Argument, { variables }: BackendEnvironment): string | boolean | undefined {
  return (variable === undefined ? undefined : variables[variable]) || fallback;
}
