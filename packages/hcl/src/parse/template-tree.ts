// SPDX-License-Identifier: Apache-2.0
/*
 * The second of two steps from tokens to a template: the parts between a directive and its end become its branches.
 */
import type { ForExpression, NativeExpression, TemplateExpression } from "../syntax/expression.ts";
import { emptyText, placeholder, textValue } from "../syntax/literal-values.ts";
import type { SourceRange } from "../syntax/position.ts";
import { endOfRange, formatRange, rangeBetween, startOfRange } from "../syntax/range.ts";
import type { Parser } from "./parser.ts";
import type { EndPart, ForPart, IfPart, TemplatePart } from "./template-parts.ts";

/** Nests the parts of a template. `end` is the range of its end marker. */
export function arrangeParts(parser: Parser, parts: readonly TemplatePart[], end: SourceRange): readonly NativeExpression[] {
  const arrangement = new Arrangement(parser, parts, end);
  const expressions: NativeExpression[] = [];
  while (!arrangement.isAtEnd) expressions.push(arrangement.next());
  return expressions.slice();
}

const unexpectedEnd = "Unexpected end of template";

class Arrangement {
  readonly #parser: Parser;
  readonly #parts: readonly TemplatePart[];
  readonly #end: SourceRange;
  #at = 0;

  constructor(parser: Parser, parts: readonly TemplatePart[], end: SourceRange) {
    this.#parser = parser;
    this.#parts = parts;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#parts.length;
  }

  next(): NativeExpression {
    const part = this.#parts[this.#at++]!;
    switch (part.kind) {
      case "text":
        return { kind: "literal", value: textValue(part.text), range: part.range };
      case "interpolation":
        return part.expression;
      case "if":
        return this.#nested(() => this.#conditional(part));
      case "for":
        return this.#nested(() => this.#loop(part));
      default:
        this.#unexpected(part, "The control directives within this template are unbalanced.");
        return placeholderAt(part.range);
    }
  }

  #nested(arrange: () => NativeExpression): NativeExpression {
    if (!this.#parser.enter()) {
      this.#skippedRest = true;
      this.#at = this.#parts.length;
      return placeholderAt(this.#end);
    }
    const expression = arrange();
    this.#parser.leave();
    return expression;
  }

  #unexpected(part: EndPart, detail: string): void {
    this.#parser.error(`Unexpected ${part.kind} directive`, detail, part.range);
  }

  #conditional(open: IfPart): NativeExpression {
    const whenTrue: NativeExpression[] = [];
    const whenFalse: NativeExpression[] = [];
    let branch = whenTrue;
    for (;;) {
      const part = this.#parts[this.#at];
      if (part === undefined)
        return this.#missingEnd(`The if directive at ${formatRange(open.range)} is missing its corresponding endif directive.`);
      if (part.kind === "endif") {
        this.#at += 1;
        return {
          kind: "conditional",
          condition: open.condition,
          trueResult: branchOf(whenTrue, endOfRange(open.range)),
          falseResult: branchOf(whenFalse, startOfRange(part.range)),
          range: rangeBetween(open.range, part.range),
        };
      }
      if (part.kind === "else" && branch === whenTrue) {
        this.#at += 1;
        branch = whenFalse;
      } else if (part.kind === "else" || part.kind === "endfor") {
        this.#at += 1;
        const where = formatRange(open.range);
        if (part.kind === "else") this.#unexpected(part, `Already in the else clause for the if started at ${where}.`);
        else this.#unexpected(part, `Expecting an endif directive for the if started at ${where}.`);
        return placeholderAt(part.range);
      } else branch.push(this.next());
    }
  }

  #loop(open: ForPart): NativeExpression {
    const content: NativeExpression[] = [];
    for (;;) {
      const part = this.#parts[this.#at];
      if (part === undefined)
        return this.#missingEnd(`The for directive at ${formatRange(open.range)} is missing its corresponding endfor directive.`);
      if (part.kind === "endfor") {
        this.#at += 1;
        const tuple: ForExpression = {
          kind: "for",
          ...(open.keyName === undefined ? {} : { keyName: open.keyName }),
          valueName: open.valueName,
          collection: open.collection,
          value: branchOf(content, endOfRange(open.range)),
          group: false,
          openRange: open.range,
          closeRange: part.range,
          range: rangeBetween(open.range, part.range),
        };
        return { kind: "templateJoin", tuple, range: tuple.range };
      }
      if (part.kind === "else" || part.kind === "endif") {
        this.#at += 1;
        if (part.kind === "else") this.#unexpected(part, "An else clause is not expected for a for directive.");
        else this.#unexpected(part, `Expecting an endfor directive corresponding to the for directive at ${formatRange(open.range)}.`);
        return placeholderAt(part.range);
      }
      content.push(this.next());
    }
  }

  /** Reports a missing end, unless the rest was skipped because the nesting is too deep. */
  #missingEnd(detail: string): NativeExpression {
    if (!this.#skippedRest) this.#parser.error(unexpectedEnd, detail, this.#end);
    return placeholderAt(this.#end);
  }

  #skippedRest = false;
}

function placeholderAt(range: SourceRange): NativeExpression {
  return { kind: "literal", value: placeholder, range };
}

/** The branch of a directive; an empty text if it has no parts. */
function branchOf(expressions: readonly NativeExpression[], nothing: SourceRange): TemplateExpression {
  const parts: readonly NativeExpression[] =
    expressions.length > 0 ? expressions.slice() : [{ kind: "literal", value: emptyText, range: nothing }];
  return { kind: "template", parts, range: rangeBetween(parts[0]!.range, parts.at(-1)!.range) };
}
