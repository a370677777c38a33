// SPDX-License-Identifier: Apache-2.0
import { formatRange, type Body, type Expression, type SourceRange } from "@tenon/hcl";
import { absoluteTraversal, expressionList } from "@tenon/hcl/analysis";
import { mergeBodies, type Attribute, type AttributeSchema, type Block, type BodyContent, type BodySchema } from "@tenon/hcl/body";
import { isValidIdentifier } from "@tenon/hcl/scan";
import { isEmptyRange, rangeBetween, type Traversal } from "@tenon/hcl/syntax";
import { withoutQuotes } from "./quoted-reference.ts";
import { badIdentifierDetail, reportAll, reportError, type Report } from "./report.ts";

/** Returns a schema of optional attributes. */
export function attributesNamed(...names: readonly string[]): readonly AttributeSchema[] {
  return names.map((name) => ({ name }));
}

/** Reads a body whose whole content must match a schema. */
export function contentOf(body: Body, schema: BodySchema, report: Report): BodyContent {
  const { content, diagnostics } = body.content(schema);
  reportAll(report, diagnostics);
  return content;
}

/** Reads the part of a body that matches a schema, and returns the rest as another body. */
export function partialContentOf(body: Body, schema: BodySchema, report: Report): { readonly content: BodyContent; readonly remain: Body } {
  const { content, remain, diagnostics } = body.partialContent(schema);
  reportAll(report, diagnostics);
  return { content, remain };
}

/** Returns a copy of the schema whose attributes are all optional, for override files. */
export function withoutRequired(schema: BodySchema): BodySchema {
  return { ...schema, attributes: (schema.attributes ?? []).map(({ name }) => ({ name })) };
}

/** Adds an error unless the label is a valid name. */
export function checkName(block: Block, label: number, summary: string, report: Report): void {
  if (!isValidIdentifier(block.labels[label]!)) reportError(report, summary, badIdentifierDetail, block.labelRanges[label]);
}

/** Adds an error about a nested block whose type is reserved. */
export function reportReservedBlock(block: Block, parent: string, report: Report): void {
  reportError(
    report,
    `Reserved block type name in ${parent} block`,
    `The block type name "${block.type}" is reserved for use by OpenTofu in a future version.`,
    block.typeRange,
  );
}

/** The meta-arguments that determine the number of instances. At most one may be set. */
export interface Repetition {
  readonly count?: Expression;
  readonly forEach?: Expression;
  readonly enabled?: Expression;
}

/** Adds an error if more than one of these meta-arguments is set. @see OpenTofu configs, complainRngAndMsg */
export function checkRepetition(
  ranges: { readonly count: SourceRange | undefined; readonly enabled: SourceRange | undefined; readonly forEach: SourceRange | undefined },
  advice: string,
  report: Report,
): void {
  const { count, enabled, forEach } = ranges;
  const present = [
    ["count", count],
    ["enabled", enabled],
    ["for_each", forEach],
  ].filter((entry): entry is [string, SourceRange] => typeof entry[1] === "object" && !isEmptyRange(entry[1]));
  if (present.length < 2) return;
  const names = present.map(([name]) => `"${name}"`);
  const text = names.length === 2 ? names.join(" and ") : `${names[0]}, ${names[1]}, and ${names[2]}`;
  const sorted = present.map(([, range]) => range).sort((a, b) => a.start.byte - b.start.byte);
  const subject = rangeBetween(sorted[0]!, sorted.at(-1)!);
  reportError(report, `Invalid combination of ${text}`, `The ${text} meta-arguments are mutually-exclusive. ${advice}`, subject);
}

/** Merges the arguments of a `_` block into a body. They are never meta-arguments. A second such block is an error. */
export class EscapedArguments {
  readonly #argumentNoun: string;
  readonly #owner: string;
  #first: Block | undefined;

  /**
   * @param argumentNoun The noun for the arguments in the error, such as "resource type-specific arguments".
   * @param owner The noun for the outer block in the error.
   */
  constructor(argumentNoun: string, owner: string) {
    this.#argumentNoun = argumentNoun;
    this.#owner = owner;
  }

  /** Returns the body with the arguments of a `_` block. */
  add(body: Body, block: Block, report: Report): Body {
    if (this.#first !== undefined) {
      const detail = `The special block type "_" can be used to force particular arguments to be interpreted as ${this.#argumentNoun} rather than as meta-arguments, but each ${this.#owner} block can have only one such block. The first escaping block was at ${formatRange(this.#first.declarationRange)}.`;
      reportError(report, "Duplicate escaping block", detail, block.declarationRange);
      return body;
    }
    this.#first = block;
    return mergeBodies([body, block.body]);
  }
}

/** Reads a list of references, such as `depends_on`. Returns an empty list for an absent attribute. @see OpenTofu configs, decodeDependsOn */
export function readReferences(attribute: Attribute | undefined, report: Report): readonly Traversal[] {
  if (attribute === undefined) return [];
  const { list, diagnostics } = expressionList(attribute.expression);
  reportAll(report, diagnostics);
  return (list ?? []).flatMap((element) => {
    const parsed = absoluteTraversal(withoutQuotes(element, "reference", report));
    reportAll(report, parsed.diagnostics);
    const { traversal } = parsed;
    return traversal === undefined || traversal.length === 0 ? [] : [traversal];
  });
}

/** Adds an error about the second block of a type that may occur only once. */
export function reportDuplicate(type: string, owner: string, first: Block, second: Block, report: Report): void {
  const detail = `${owner} already has a ${type} block at ${formatRange(first.declarationRange)}.`;
  reportError(report, `Duplicate ${type} block`, detail, second.declarationRange);
}

/** Adds an error if an override file sets `depends_on`. */
export function reportDependsOnOverride(dependsOn: readonly Traversal[], report: Report): void {
  const [first] = dependsOn;
  if (first === undefined) return;
  const range = { filename: first[0]!.range.filename, start: first[0]!.range.start, end: first.at(-1)!.range.end };
  reportError(report, "Unsupported override", "The depends_on argument may not be overridden.", range);
}
