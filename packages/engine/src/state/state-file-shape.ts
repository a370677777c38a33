// SPDX-License-Identifier: Apache-2.0
import { decodeBase64 } from "../functions/base64.ts";
import { isRawNumber, type JsonObject, type JsonTree } from "./json-tree.ts";

/** The type that a part of a state file must have. Null is always allowed, and means that the part is absent. */
type Shape =
  | "any"
  | "text"
  | "bool"
  | "whole number"
  | "base64"
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

const instance: Shape = {
  fields: {
    status: "text",
    deposed: "text",
    provider: "text",
    schema_version: "whole number",
    attributes_flat: { map: "text" },
    private: "base64",
    dependencies: { list: "text" },
    create_before_destroy: "bool",
    skip_destroy: "bool",
    identity_schema_version: "whole number",
  },
};
const resource: Shape = {
  fields: { module: "text", mode: "text", type: "text", name: "text", each: "text", provider: "text", instances: { list: instance } },
};
const checkObject: Shape = { fields: { object_addr: "text", status: "text", failure_messages: { list: "text" } } };
const checkResult: Shape = { fields: { object_kind: "text", config_addr: "text", status: "text", objects: { list: checkObject } } };
const stateFile: Shape = {
  fields: {
    terraform_version: "text",
    serial: "whole number",
    lineage: "text",
    outputs: { map: { fields: { sensitive: "bool", deprecated: "text" } } },
    resources: { list: resource },
    check_results: { list: checkResult },
  },
};

/**
 * The error about the first part of a state file of format 4 that has a wrong type; undefined if there is none.
 *
 * @see OpenTofu internal/states/statefile, jsonUnmarshalDiags
 */
export function stateFileShapeError(root: JsonObject): string | undefined {
  return shapeError(root, stateFile, "");
}

function shapeError(tree: JsonTree, shape: Shape, path: string): string | undefined {
  if (tree === null || shape === "any") return undefined;
  const invalid = (value: string): string => `The state file field "${path}" has invalid value ${value}`;
  const kind = kindOf(tree);
  if (shape === "text" || shape === "base64") {
    if (kind !== "string") return invalid(kind);
    const decoded = shape === "base64" ? decodeBase64(tree as string) : undefined;
    return decoded === undefined || decoded instanceof Uint8Array
      ? undefined
      : `The state file does not conform to the expected JSON data structure: illegal base64 data at input byte ${decoded.offset}.`;
  }
  if (shape === "bool") return kind === "bool" ? undefined : invalid(kind);
  if (shape === "whole number") {
    if (kind !== "number") return invalid(kind);
    const isWhole = typeof tree === "number" && Number.isSafeInteger(tree) && tree >= 0;
    return isWhole ? undefined : invalid(`number ${JSON.stringify(tree)}`);
  }
  if ("list" in shape) {
    return kind === "array" ? first(tree as readonly JsonTree[], (element) => shapeError(element, shape.list, path)) : invalid(kind);
  }
  if (kind !== "object") return invalid(kind);
  return first(Object.entries(tree as JsonObject), ([name, value]) =>
    "map" in shape
      ? shapeError(value, shape.map, path)
      : shapeError(value, fieldShape(shape, name), path === "" ? name : `${path}.${name}`),
  );
}

function fieldShape({ fields }: { readonly fields: Readonly<Record<string, Shape>> }, name: string): Shape {
  return Object.hasOwn(fields, name) ? fields[name]! : "any";
}

/** The name of a value's type in Go's errors. */
function kindOf(tree: JsonTree): string {
  if (typeof tree === "boolean") return "bool";
  if (typeof tree !== "object" || tree === null) return typeof tree;
  return isRawNumber(tree) ? "number" : Array.isArray(tree) ? "array" : "object";
}

/** The first result that is not undefined. */
function first<T>(parts: readonly T[], check: (part: T) => string | undefined): string | undefined {
  for (const part of parts) {
    const error = check(part);
    if (error !== undefined) return error;
  }
  return undefined;
}
