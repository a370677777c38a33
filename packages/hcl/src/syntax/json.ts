// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { SourceRange } from "./position.ts";

/** A value of the JSON syntax as an expression. Strings in it are templates. */
export interface JsonExpression {
  readonly kind: "json";
  readonly node: JsonNode;
  readonly range: SourceRange;
}

/** A value of the JSON syntax. */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonBoolean | JsonNull | JsonInvalid;

/** `{"name": value}` */
export interface JsonObject {
  readonly kind: "jsonObject";
  /** Members in source order; a name can occur several times. */
  readonly members: readonly JsonMember[];
  readonly openRange: SourceRange;
  readonly closeRange: SourceRange;
  readonly range: SourceRange;
}

/** A name and a value in a JSON object. */
export interface JsonMember {
  readonly name: string;
  readonly value: JsonNode;
  /** Range of the name, with its quotes. */
  readonly nameRange: SourceRange;
}

/** `[a, b]` */
export interface JsonArray {
  readonly kind: "jsonArray";
  readonly elements: readonly JsonNode[];
  readonly openRange: SourceRange;
  readonly range: SourceRange;
}

/** A JSON string. */
export interface JsonString {
  readonly kind: "jsonString";
  /** Text with its escape sequences resolved, not yet parsed as a template. */
  readonly value: string;
  readonly range: SourceRange;
}

/** A JSON number. */
export interface JsonNumber {
  readonly kind: "jsonNumber";
  readonly value: Value;
  readonly range: SourceRange;
}

/** `true` or `false`. */
export interface JsonBoolean {
  readonly kind: "jsonBoolean";
  readonly value: boolean;
  readonly range: SourceRange;
}

/** `null` */
export interface JsonNull {
  readonly kind: "jsonNull";
  readonly range: SourceRange;
}

/** Source text that could not be parsed. */
export interface JsonInvalid {
  readonly kind: "jsonInvalid";
  readonly range: SourceRange;
}
