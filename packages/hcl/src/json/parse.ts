// SPDX-License-Identifier: Apache-2.0
import type { Body } from "../body/body.ts";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import type { JsonExpression } from "../syntax/json.ts";
import { initialPosition, startOfRange, type SourcePosition } from "../syntax/position.ts";
import { jsonBody } from "../body/json-body.ts";
import { jsonExpression, startOfNode } from "./node.ts";
import { parseJsonNode } from "./parser.ts";

export interface ParseJsonOptions {
  /** Where the source stands in its file. Default: at its start. */
  readonly start?: SourcePosition;
}

export interface ParsedJson {
  /** Empty where the source could not be read. */
  readonly body: Body;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ParsedJsonExpression {
  readonly expression: JsonExpression;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses a file of the JSON syntax: an object, or an array of objects that are taken together. What its properties mean is
 * decided by the schema that the body is asked with.
 *
 * @see the HCL JSON syntax specification; go json.Parse
 */
export function parseJson(source: string | Uint8Array, filename: string, options: ParseJsonOptions = {}): ParsedJson {
  const { node, diagnostics } = parseJsonNode(source, filename, options.start ?? initialPosition);
  if (node.kind === "jsonObject" || node.kind === "jsonArray") return { body: jsonBody(node), diagnostics };
  const wrong = errorAt(
    "Root value must be object",
    "The root value in a JSON-based configuration must be either a JSON object or a JSON array of objects.",
    startOfNode(node),
  );
  const range = startOfRange({ filename, start: initialPosition, end: initialPosition });
  const empty = jsonBody({ kind: "jsonObject", members: [], openRange: range, closeRange: range, range });
  return { body: empty, diagnostics: [...diagnostics, wrong] };
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
