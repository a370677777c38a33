// SPDX-License-Identifier: Apache-2.0
// Runs the oracle's cases with @tenon/hcl.
import { CtyError, type Value } from "@tenon/cty";
import { HclError, type Body, type Diagnostic, type Expression, type SourceRange } from "@tenon/hcl";
import { mergeBodies, type Attribute, type BodyContent } from "@tenon/hcl/body";
import { decode, impliedType, partialDecode, sourceRange, specVariables } from "@tenon/hcl/decode";
import { dynamicVariables, expandDynamicBlocks, expansionVariables } from "@tenon/hcl/dynamic-block";
import { attributeOf, evaluate, followPath, indexOf } from "@tenon/hcl/evaluate";
import {
  applyDefaults,
  readType,
  readTypeConstraint,
  readTypeConstraintWithDefaults,
  typeText,
  type Defaults,
  type ReadTypeWithDefaults,
} from "@tenon/hcl/type-expression";
import type { Case, Json, PathNotation, ValueNotation } from "../cty/notation.ts";
import { readPath, readType as readCtyType, readValue } from "../cty/subject/read.ts";
import { writeType, writeValue } from "../cty/subject/write.ts";
import { readBody, readExpression, readSchema, readScope, readSpec, writeDiagnostics, writeRange } from "./notation.ts";
import { diagnosticsText } from "./report-text.ts";
import { writeTraversal } from "./syntax-notation.ts";
import { syntaxOperations } from "./syntax-subject.ts";

/** Our answer: a result, a documented error, or a crash if anything else was thrown. */
export type OwnResult = { readonly ok: Json } | { readonly refused: string } | { readonly crash: string };

type Operation = (...args: readonly Json[]) => Json;

export function ownResult({ op, args }: Case): OwnResult {
  const operation = operations[op];
  if (operation === undefined) throw new RangeError(`unknown operation ${op}`);
  try {
    return { ok: operation(...args) };
  } catch (error) {
    if (error instanceof HclError || error instanceof CtyError) return { refused: error.message };
    return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function writeResult(value: Value, diagnostics: readonly Diagnostic[], parsed?: readonly Diagnostic[]): Json {
  const written = { value: writeValue(value), diagnostics: writeDiagnostics(diagnostics) };
  return parsed === undefined ? written : { value: written.value, parsed: writeDiagnostics(parsed), diagnostics: written.diagnostics };
}

function decoding(expand: boolean): Operation {
  return (syntax, source, spec, scopeNotation) => {
    const { made, diagnostics: parsed } = readBody(syntax!, source!);
    const scope = readScope(scopeNotation!);
    const body = expand ? expandDynamicBlocks(made, scope) : made;
    const { value, diagnostics } = decode(body, readSpec(spec!), scope);
    return writeResult(value, diagnostics, parsed);
  };
}

function typeReading(read: (expression: Expression) => ReadTypeWithDefaults): Operation {
  return (syntax, source) => {
    const { made, diagnostics: parsed } = readExpression(syntax!, source!);
    const { type, defaults, diagnostics } = read(made);
    return {
      type: writeType(type),
      defaults: writeDefaults(defaults),
      parsed: writeDiagnostics(parsed),
      diagnostics: writeDiagnostics(diagnostics),
    };
  };
}

function writeDefaults(defaults: Defaults | undefined): Json {
  if (defaults === undefined) return null;
  const sorted = <T>(entries: ReadonlyMap<string, T>, write: (one: T) => Json): Json => {
    const written = Object.create(null) as Record<string, Json>;
    for (const name of [...entries.keys()].sort()) written[name] = write(entries.get(name)!);
    return written;
  };
  return {
    type: writeType(defaults.type),
    values: sorted(defaults.values, writeValue),
    children: sorted(defaults.children, writeDefaults),
  };
}

function contents(given: Body, parsed: readonly Diagnostic[], schemas: Json): Json {
  let body = given;
  const all = (schemas as readonly Json[]).map(readSchema);
  const written = all.slice(0, -1).map((schema) => {
    const { content, diagnostics, remain } = body.partialContent(schema);
    body = remain;
    return writeContent(content, diagnostics);
  });
  const { content, diagnostics } = body.content(all.at(-1)!);
  return { parsed: writeDiagnostics(parsed), contents: [...written, writeContent(content, diagnostics)] };
}

function readBodies(notation: Json): { readonly merged: Body; readonly parsed: readonly Diagnostic[] } {
  const read = (notation as readonly (readonly [string, string])[]).map(([syntax, source], index) =>
    readBody(syntax, source, index === 0 ? undefined : `main${index}.hcl`),
  );
  return { merged: mergeBodies(read.map(({ made }) => made)), parsed: read.flatMap(({ diagnostics }) => diagnostics) };
}

function justAttributes(body: Body, parsed: readonly Diagnostic[]): Json {
  const { attributes, diagnostics } = body.justAttributes();
  return {
    attributes: writeAttributes(attributes),
    parsed: writeDiagnostics(parsed),
    diagnostics: writeDiagnostics(diagnostics),
    missing: writeRange(body.missingItemRange()),
  };
}

function writeContent({ attributes, blocks, missingItemRange }: BodyContent, diagnostics: readonly Diagnostic[]): Json {
  return {
    attributes: writeAttributes(attributes),
    blocks: blocks.map(({ type, labels, declarationRange, typeRange, labelRanges, body }) => ({
      type,
      labels,
      declarationRange: writeRange(declarationRange),
      typeRange: writeRange(typeRange),
      labelRanges: labelRanges.map(writeRange),
      missing: writeRange(body.missingItemRange()),
    })),
    missing: writeRange(missingItemRange),
    diagnostics: writeDiagnostics(diagnostics),
  };
}

function writeAttributes(attributes: ReadonlyMap<string, Attribute>): Json {
  return [...attributes.keys()].sort().map((key) => {
    const { name, expression, nameRange, range } = attributes.get(key)!;
    return { name, expression: writeRange(expression.range), nameRange: writeRange(nameRange), range: writeRange(range) };
  });
}

/** The oracle's range for a diagnostic without a source. */
const zeroRange: SourceRange = { filename: "", start: { line: 0, column: 0, byte: 0 }, end: { line: 0, column: 0, byte: 0 } };

const value = (notation: Json | undefined): Value => readValue(notation as ValueNotation);

const operations: Readonly<Record<string, Operation>> = {
  ...syntaxOperations,
  evaluate: (syntax, source, scope) => {
    const { made, diagnostics: parsed } = readExpression(syntax!, source!);
    const { value: result, diagnostics } = evaluate(made, readScope(scope!));
    return writeResult(result, diagnostics, parsed);
  },
  "evaluate.join": (source, scope) => {
    const { made } = readExpression("native", source!);
    if (made.kind !== "for") throw new RangeError(`not a "for" expression: ${source as string}`);
    const { value: result, diagnostics } = evaluate({ kind: "templateJoin", tuple: made, range: made.range }, readScope(scope!));
    return writeResult(result, diagnostics);
  },
  "diagnostics.text": (...args) => diagnosticsText(args),
  index: (collection, key) => {
    const { value: result, diagnostics } = indexOf(value(collection), value(key), zeroRange);
    return writeResult(result, diagnostics);
  },
  getAttr: (object, name) => {
    const { value: result, diagnostics } = attributeOf(value(object), name as string, zeroRange);
    return writeResult(result, diagnostics);
  },
  applyPath: (object, path) => {
    const { value: result, diagnostics } = followPath(value(object), readPath(path as PathNotation), zeroRange);
    return writeResult(result, diagnostics);
  },
  content: (syntax, source, schemas) => {
    const { made, diagnostics } = readBody(syntax!, source!);
    return contents(made, diagnostics, schemas!);
  },
  expandedContent: (syntax, source, schemas, scope) => {
    const { made, diagnostics } = readBody(syntax!, source!);
    return contents(expandDynamicBlocks(made, readScope(scope!)), diagnostics, schemas!);
  },
  mergedContent: (bodies, schemas) => {
    const { merged, parsed } = readBodies(bodies!);
    return contents(merged, parsed, schemas!);
  },
  justAttributes: (syntax, source) => {
    const { made, diagnostics: parsed } = readBody(syntax!, source!);
    return justAttributes(made, parsed);
  },
  mergedAttributes: (bodies) => {
    const { merged, parsed } = readBodies(bodies!);
    return justAttributes(merged, parsed);
  },
  decode: decoding(false),
  "decode.dynamic": decoding(true),
  "decode.partial": (syntax, source, spec, scopeNotation) => {
    const { made, diagnostics: parsed } = readBody(syntax!, source!);
    const scope = readScope(scopeNotation!);
    const { value: result, diagnostics, remain } = partialDecode(expandDynamicBlocks(made, scope), readSpec(spec!), scope);
    return { ...(writeResult(result, diagnostics, parsed) as object), remain: justAttributes(remain, []) };
  },
  "decode.about": (syntax, source, notation) => {
    const { made } = readBody(syntax!, source!);
    const spec = readSpec(notation!);
    return {
      variables: specVariables(made, spec).map(writeTraversal),
      sourceRange: writeRange(sourceRange(made, spec)),
      dynamicVariables: dynamicVariables(made, spec).map(writeTraversal),
      expandVariables: expansionVariables(made, spec).map(writeTraversal),
      type: writeType(impliedType(spec)),
    };
  },
  "typeexpr.type": typeReading(readType),
  "typeexpr.constraint": typeReading(readTypeConstraint),
  "typeexpr.defaults": typeReading(readTypeConstraintWithDefaults),
  "typeexpr.apply": (source, given) => {
    const { made } = readExpression("native", source!);
    return writeValue(applyDefaults(readTypeConstraintWithDefaults(made).defaults, value(given)));
  },
  "typeexpr.string": (type) => typeText(readCtyType(type!)),
};
