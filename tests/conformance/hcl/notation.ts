// SPDX-License-Identifier: Apache-2.0
// Converts scopes, schemas, specs and diagnostics between @tenon/hcl and the oracle's notation (../../peers/hcl-oracle/syntax_notation.go).
import type { Value } from "@tenon/cty";
import { isNull } from "@tenon/cty";
import {
  parseConfig,
  parseExpression,
  parseJson,
  parseJsonExpression,
  parseTemplate,
  type Body,
  type Diagnostic,
  type Expression,
  type Scope,
  type SourceRange,
} from "@tenon/hcl";
import { nativeBody, type BodySchema } from "@tenon/hcl/body";
import type { Spec } from "@tenon/hcl/decode";
import { createScope } from "@tenon/hcl/evaluate";
import type { Json, ValueNotation } from "../cty/notation.ts";
import { readRefinements, readType, readValue } from "../cty/subject/read.ts";
import { languageFunctions } from "./functions.ts";

type Parts = Readonly<Record<string, Json>>;

export const filename = "main.hcl";

export function readScope(notation: Json): Scope | undefined {
  let scope: Scope | undefined;
  for (const frame of (notation ?? []) as readonly Parts[]) {
    const variables = frame["variables"] as readonly (readonly [string, ValueNotation])[] | undefined;
    const names = frame["functions"] as true | readonly string[] | undefined;
    const functions = names === true ? languageFunctions : names && new Map(names.map((name) => [name, languageFunctions.get(name)!]));
    scope = createScope(
      {
        ...(variables && { variables: new Map(variables.map(([name, value]) => [name, readValue(value)])) }),
        ...(functions && { functions }),
      },
      scope,
    );
  }
  return scope;
}

export interface Parsed<T> {
  readonly made: T;
  readonly diagnostics: readonly Diagnostic[];
}

export function readExpression(syntax: Json, source: Json): Parsed<Expression> {
  const text = source as string;
  const { expression, diagnostics } =
    syntax === "json"
      ? parseJsonExpression(text, filename)
      : (syntax === "native" ? parseExpression : parseTemplate)(text, filename, { recovery: "first-error" });
  return { made: expression, diagnostics };
}

export function readBody(syntax: Json, source: Json, name: string = filename): Parsed<Body> {
  if (syntax === "json") {
    const { body, diagnostics } = parseJson(source as string, name);
    return { made: body, diagnostics };
  }
  const { body, diagnostics } = parseConfig(source as string, name, { recovery: "first-error" });
  return { made: nativeBody(body), diagnostics };
}

export function readSchema(notation: Json): BodySchema {
  const { attributes = [], blocks = [] } = notation as unknown as {
    attributes?: BodySchema["attributes"];
    blocks?: readonly { type: string; labels?: readonly string[] }[];
  };
  return { attributes, blocks: blocks.map(({ type, labels = [] }) => ({ type, labelNames: labels })) };
}

/** Converts the oracle's notation of a spec, which is nearly the form of @tenon/hcl. */
export function readSpec(notation: Json): Spec {
  const parts = notation as Parts;
  const nested = (name: string): Spec => readSpec(parts[name]!);
  const text = (name: string): string => parts[name] as string;
  switch (parts["kind"]) {
    case "object": {
      const specs = Object.create(null) as Record<string, Spec>;
      for (const [name, spec] of Object.entries(parts["specs"] as Parts)) specs[name] = readSpec(spec);
      return { kind: "object", specs };
    }
    case "tuple":
      return { kind: "tuple", specs: (parts["specs"] as readonly Json[]).map(readSpec) };
    case "attribute":
      return { kind: "attribute", name: text("name"), type: readType(parts["type"]!), required: parts["required"] === true };
    case "literal":
      return { kind: "literal", value: readValue(parts["value"] as ValueNotation) };
    case "expression":
      return { kind: "expression", expression: readExpression("native", parts["source"]!).made };
    case "blockAttributes":
      return {
        kind: "blockAttributes",
        type: text("type"),
        elementType: readType(parts["elementType"]!),
        required: parts["required"] === true,
      };
    case "default":
      return { kind: "default", primary: nested("primary"), default: nested("default") };
    case "transformExpression": {
      const { made } = readExpression("native", parts["source"]!);
      const scope = createScope({ functions: languageFunctions });
      return { kind: "transformExpression", wrapped: nested("wrapped"), expression: made, variable: text("variable"), scope };
    }
    case "transformFunction":
      return { kind: "transformFunction", wrapped: nested("wrapped"), function: languageFunctions.get(text("function"))! };
    case "refine":
      return { kind: "refine", wrapped: nested("wrapped"), refinements: readRefinements(parts["refinements"]!) };
    case "validate": {
      const problem: Diagnostic = { severity: "error", summary: text("summary"), detail: text("detail") };
      return { kind: "validate", wrapped: nested("wrapped"), check: (value: Value) => (isNull(value) ? [problem] : []) };
    }
    case "blockLabel":
      return parts as unknown as Spec;
    default:
      return { ...parts, nested: nested("nested") } as unknown as Spec;
  }
}

export function writeRange({ filename: name, start, end }: SourceRange): Json {
  const position = (at: SourceRange["start"]): Json => [at.line, at.column, at.byte];
  return name === filename || name === "" ? [position(start), position(end)] : [position(start), position(end), name];
}

export function writeDiagnostic({ severity, summary, detail, subject, context, expression, extra }: Diagnostic): Parts {
  return {
    severity,
    summary,
    detail,
    ...(subject && { subject: writeRange(subject) }),
    ...(context && { context: writeRange(context) }),
    ...(expression && { expression: writeRange(expression.range) }),
    ...((extra?.kind === "functionCall" || extra?.kind === "unknownFunction") && { call: extra.name }),
    ...(extra?.kind === "functionCall" && extra.error && { callError: extra.error.message }),
    ...(extra?.kind === "unknownFunction" && { namespace: extra.namespace }),
  };
}

export function writeDiagnostics(all: readonly Diagnostic[]): readonly Json[] {
  return all.map(writeDiagnostic);
}
