// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { SourceRange } from "./position.ts";

/** A value of the JSON syntax as an expression: strings are templates, and what it means else decides who asks. */
export interface JsonExpression {
  readonly kind: "json";
  readonly node: JsonNode;
  readonly range: SourceRange;
}

export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonBoolean | JsonNull | JsonInvalid;

export interface JsonObject {
  readonly kind: "jsonObject";
  /** In the order of the source; a name can occur several times. */
  readonly members: readonly JsonMember[];
  readonly openRange: SourceRange;
  readonly closeRange: SourceRange;
  readonly range: SourceRange;
}

export interface JsonMember {
  readonly name: string;
  readonly value: JsonNode;
  /** With the quotes. */
  readonly nameRange: SourceRange;
}

export interface JsonArray {
  readonly kind: "jsonArray";
  readonly elements: readonly JsonNode[];
  readonly openRange: SourceRange;
  readonly range: SourceRange;
}

export interface JsonString {
  readonly kind: "jsonString";
  /** Escapes resolved; not yet read as a template. */
  readonly value: string;
  readonly range: SourceRange;
}

export interface JsonNumber {
  readonly kind: "jsonNumber";
  readonly value: Value;
  readonly range: SourceRange;
}

export interface JsonBoolean {
  readonly kind: "jsonBoolean";
  readonly value: boolean;
  readonly range: SourceRange;
}

export interface JsonNull {
  readonly kind: "jsonNull";
  readonly range: SourceRange;
}

/** What could not be parsed. */
export interface JsonInvalid {
  readonly kind: "jsonInvalid";
  readonly range: SourceRange;
}
