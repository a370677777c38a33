// SPDX-License-Identifier: Apache-2.0
import { parseConfig } from "../parse/parse.ts";
import { scan } from "../scan/scanner.ts";
import { encodeText } from "../scan/source-text.ts";
import { Kind } from "../scan/token-kind.ts";
import type { Tokens } from "../scan/tokens.ts";
import type { AttributeSyntax, BlockSyntax, BodySyntax } from "../syntax/body.ts";
import { hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";
import { quoteLabel } from "./edit-text.ts";
import { format } from "./format.ts";
import { withoutInterpolation } from "./interpolation-only.ts";
import { TokenStarts } from "./token-starts.ts";

/** Result of {@link formatConfiguration}. */
export interface FormattedConfiguration<Source extends string | Uint8Array> {
  /** Formatted source; undefined if the source has errors. */
  readonly source: Source | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Formats a file of OpenTofu's or Terraform's language (`.tf`, `.tofu`, `.tfvars`, `.tftest.hcl`, …) as `tofu fmt` does. Besides the
 * layout of `format`, it updates the syntax of older versions:
 *
 * - an attribute's value that is a single interpolation: `"${var.name}"` becomes `var.name`;
 * - labels are quoted, and comments between them removed;
 * - the `type` of a `variable`: `"string"`, `"list"` and `"map"` become `string`, `list(string)` and `map(string)`; `list`, `map` and `set`
 *   become `list(any)`, `map(any)` and `set(any)`.
 *
 * It differs from `tofu fmt` in three cases where the result of that is invalid or has another meaning: it keeps an interpolation whose
 * expression would be truncated, labels with `$` or `%`, and indices such as `[null]`.
 *
 * @param filename File name for ranges; no file is read.
 * @throws HclError `TOO_LONG` as `format` does.
 * @see go opentofu internal/command/fmt.go, formatSourceCode
 *
 * @example
 * formatConfiguration('variable tags {\n  type = "map"\n}\n', "main.tf").source // => 'variable "tags" {\n  type = map(string)\n}\n'
 */
export function formatConfiguration(source: string, filename: string): FormattedConfiguration<string>;
export function formatConfiguration(source: Uint8Array, filename: string): FormattedConfiguration<Uint8Array>;
export function formatConfiguration(source: string | Uint8Array, filename: string): FormattedConfiguration<string | Uint8Array> {
  const { body, diagnostics } = parseConfig(source, filename);
  if (hasErrors(diagnostics)) return { source: undefined, diagnostics };
  const text = new Rewriter(scan(source, filename, "config")).file(body);
  return { source: typeof source === "string" ? format(text) : format(encodeText(text)), diagnostics };
}

/** Replacement of a part of the source. */
interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

class Rewriter {
  readonly #tokens: Tokens;
  readonly #starts: TokenStarts;
  readonly #replacements: Replacement[] = [];

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
    this.#starts = new TokenStarts(tokens);
  }

  file(body: BodySyntax): string {
    for (const attribute of body.attributes.values()) this.#value(attribute);
    for (const block of body.blocks) this.#block(block, block.type === "variable");
    const { text } = this.#tokens.source;
    const parts: string[] = [];
    let at = 0;
    for (const { from, to, text: replacement } of this.#replacements.sort((a, b) => a.from - b.from)) {
      parts.push(text.slice(at, from), replacement);
      at = to;
    }
    return parts.join("") + text.slice(at);
  }

  #block(block: BlockSyntax, isVariable: boolean): void {
    this.#labels(block);
    for (const attribute of block.body.attributes.values()) {
      if (isVariable && attribute.name === "type") this.#type(attribute);
      else this.#value(attribute);
    }
    for (const inner of block.body.blocks) this.#block(inner, false);
  }

  #labels({ labels, typeRange, labelRanges }: BlockSyntax): void {
    const last = labelRanges.at(-1);
    if (last === undefined) return;
    const type = this.#starts.at(typeRange.start.byte);
    const end = this.#starts.at(last.end.byte);
    this.#replace(type + 1, end, ` ${labels.map(quoteLabel).join(" ")}`);
  }

  #value({ expression }: AttributeSyntax): void {
    const [first, end] = this.#tokensOf(expression);
    const text = withoutInterpolation(this.#tokens, first, end);
    if (text !== undefined) this.#replace(first, end, text);
  }

  #type({ expression }: AttributeSyntax): void {
    const [first, end] = this.#tokensOf(expression);
    const type = currentType(this.#tokens, first, end);
    if (type !== undefined) this.#replace(first, end, type);
  }

  #tokensOf({ range }: AttributeSyntax["expression"]): readonly [first: number, end: number] {
    return [this.#starts.at(range.start.byte), this.#starts.at(range.end.byte)];
  }

  #replace(first: number, end: number, text: string): void {
    this.#replacements.push({ from: this.#tokens.startIndex(first), to: this.#tokens.endIndex(end - 1), text });
  }
}

/** Quoted types of Terraform 0.11, whose elements were strings. */
const quotedTypes: ReadonlyMap<string, string> = new Map([
  ["string", "string"],
  ["list", "list(string)"],
  ["map", "map(string)"],
]);
const collections: ReadonlySet<string> = new Set(["list", "map", "set"]);

/** Current form of a variable's type in legacy syntax; undefined for other types. */
function currentType(tokens: Tokens, first: number, end: number): string | undefined {
  const kinds = Array.from({ length: Math.min(end - first, 4) }, (_, index) => tokens.kind(first + index));
  if (kinds.length === 1 && kinds[0] === Kind.Ident && collections.has(tokens.text(first))) return `${tokens.text(first)}(any)`;
  const isQuoted = kinds.length === 3 && kinds[0] === Kind.OQuote && kinds[1] === Kind.QuotedLit;
  return isQuoted ? quotedTypes.get(tokens.text(first + 1)) : undefined;
}
