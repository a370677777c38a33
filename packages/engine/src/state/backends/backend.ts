// SPDX-License-Identifier: Apache-2.0
import { CtyError, get, nullOf, objectOf, isNull, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { compareCodePoints, goQuote } from "@tenon/cty/unstable/payload";
import { attributeType, configType, type Block, type Diagnostic } from "@tenon/schema";
import type { StateStore } from "../stores/state-store.ts";

/** Everything that backends depend on besides their configuration. */
export interface BackendEnvironment {
  /** Environment variables, which give some arguments their defaults. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The absolute folder that relative paths start from. */
  readonly workingDirectory: string;
  /** Throws an error for a file on this machine that may not be read. Default: every file may be read. */
  readonly checkReadable?: (path: string) => void;
  /** The function that makes HTTP requests. Default: the global `fetch`, with the certificates of the configuration. */
  readonly fetch?: typeof fetch;
  /** The store of the backend `inmem`. Default: a new one. */
  readonly memory?: StateStore;
}

/** A type of `backend` block: where states are stored, and the arguments for it. */
export interface BackendType {
  /** The arguments. Those with a value in the environment are optional. */
  schema(environment: BackendEnvironment): Block;
  /**
   * Checks a configuration of the schema's type, and sets defaults. Values must be known.
   *
   * @returns The complete configuration, and its errors and warnings.
   */
  prepare(config: Value, environment: BackendEnvironment): { readonly config: Value; readonly diagnostics: readonly Diagnostic[] };
  /**
   * Opens the store of a prepared configuration.
   *
   * @throws EngineError `INVALID_OPTIONS` for arguments that contradict each other.
   */
  open(config: Value, environment: BackendEnvironment): StateStore;
}

/**
 * Converts an object to the type of a block that has attributes only. Absent attributes that are optional or computed become null.
 *
 * @throws CtyError `CONVERSION` with the path of the attribute that cannot be converted, in OpenTofu's wording.
 * @see OpenTofu configschema, Block.CoerceValue
 */
export function coerceToBlock(value: Value, block: Block): Value {
  const { type } = value;
  const { attributes } = block;
  const types = configType(block).attributes;
  if (type.kind !== "object" || isNull(value)) throw new CtyError("CONVERSION", "an object is required");
  const unexpected = type.names.find((name) => !Object.hasOwn(attributes, name));
  if (unexpected !== undefined) throw new CtyError("CONVERSION", `unexpected attribute ${goQuote(unexpected)}`);
  const coerced = new Map<string, Value>();
  for (const name of Object.keys(attributes).sort(compareCodePoints)) {
    const attribute = attributes[name]!;
    const wanted = types[name]!;
    if (type.names.includes(name)) coerced.set(name, convertAttribute(get(value, name), wanted, name));
    else if (attribute.computed || attribute.optional) coerced.set(name, nullOf(attributeType(attribute)));
    else throw new CtyError("CONVERSION", `attribute ${goQuote(name)} is required`);
  }
  return objectOf(coerced);
}

function convertAttribute(value: Value, type: Value["type"], name: string): Value {
  try {
    return convert(value, type);
  } catch (error) {
    if (error instanceof CtyError) throw new CtyError(error.code, error.message, [{ kind: "attribute", name }, ...error.path]);
    throw error;
  }
}

/** The text of a string attribute; undefined for null. */
export function textAttribute(config: Value, name: string): string | undefined {
  const { payload } = get(config, name);
  return typeof payload === "string" ? payload : undefined;
}

/** The value of a boolean attribute; undefined for null. */
export function booleanAttribute(config: Value, name: string): boolean | undefined {
  const { payload } = get(config, name);
  return typeof payload === "boolean" ? payload : undefined;
}
