// SPDX-License-Identifier: Apache-2.0
import type { Body } from "../body/body.ts";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import type { JsonExpression, JsonNode } from "../syntax/json.ts";
import { initialPosition, type SourcePosition } from "../syntax/position.ts";
import { startOfRange } from "../syntax/range.ts";
import { jsonBody } from "../body/json-body.ts";
import { jsonExpression, startOfNode } from "./node.ts";
import { parseJsonNode } from "./parser.ts";

/** Options of {@link parseJson} and {@link parseJsonExpression}. */
export interface ParseJsonOptions {
  /** Position of the source in its file. Default: the start of the file. */
  readonly start?: SourcePosition;
}

/** Result of {@link parseJson}. */
export interface ParsedJson {
  /** Empty if the source could not be parsed, or if its root is neither an object nor an array. */
  readonly body: Body;
  /** The root value, of any kind; a `jsonInvalid` node if the source could not be parsed. */
  readonly root: JsonNode;
  readonly diagnostics: readonly Diagnostic[];
}

/** Result of {@link parseJsonExpression}. */
export interface ParsedJsonExpression {
  readonly expression: JsonExpression;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses a file of the JSON syntax: an object, or an array of objects that form one body. The schema that the body is read with
 * decides whether a property is an attribute or a block.
 *
 * @see the HCL JSON syntax specification; go json.Parse
 */
export function parseJson(source: string | Uint8Array, filename: string, options: ParseJsonOptions = {}): ParsedJson {
  const { node, diagnostics } = parseJsonNode(source, filename, options.start ?? initialPosition);
  if (node.kind === "jsonObject" || node.kind === "jsonArray") return { body: jsonBody(node), root: node, diagnostics };
  const wrong = errorAt(
    "Root value must be object",
    "The root value in a JSON-based configuration must be either a JSON object or a JSON array of objects.",
    startOfNode(node),
  );
  const range = startOfRange({ filename, start: initialPosition, end: initialPosition });
  const empty = jsonBody({ kind: "jsonObject", members: [], openRange: range, closeRange: range, range });
  return { body: empty, root: node, diagnostics: [...diagnostics, wrong] };
}

/**
 * Parses any JSON value as an expression.
 *
 * @see go json.ParseExpression
 */
export function parseJsonExpression(source: string | Uint8Array, filename: string, options: ParseJsonOptions = {}): ParsedJsonExpression {
  const { node, diagnostics } = parseJsonNode(source, filename, options.start ?? initialPosition);
  return { expression: jsonExpression(node), diagnostics };
}
