// SPDX-License-Identifier: Apache-2.0
/* Worst-case sources for printing and for finding variables. The source is smaller if its tree is much larger than the source. */
import { parseConfig, parseExpression, parseTemplate } from "@tenon/hcl";
import { variables } from "@tenon/hcl/analysis";
import { print, printTemplate } from "@tenon/hcl/print";
import type { WritingFamily } from "./writing-families.ts";

const printed = (source: string): string => print(parseExpression(source, "").expression);
const printedBody = (source: string): string => print(parseConfig(source, "").body);
const printedTemplate = (source: string): string => printTemplate(parseTemplate(source, "").expression);

const times = (text: string, size: number): string => text.repeat(Math.ceil(size / text.length));
/** A list of expressions, each nested nearly to the depth limit. @param levels nesting levels that one `open` adds. */
const nested = (open: string, close: string, levels: number, size: number): string => {
  const depth = Math.floor(480 / levels);
  return `[${times(`${open.repeat(depth)}1${close.repeat(depth)},`, size)}]`;
};

export const printingFamilies: readonly WritingFamily[] = [
  { name: "print operators", make: (size) => `a${times(" + b", size)}`, write: printed },
  { name: "print operators to the right", make: (size) => nested("a||a&&a==a<a+a*(", ")", 1, size / 4), write: printed },
  { name: "print indices", make: (size) => `[${times(`a${"[b]".repeat(400)},`, size / 4)}]`, write: printed },
  { name: "print objects in lists", make: (size) => nested("[{a=", "}]", 2, size / 8), write: printed },
  { name: "print a wide object", make: (size) => `{${times("a = 1, ", size)}}`, write: printed },
  { name: "print one long text", make: (size) => `"${times("\\n\u200d$${", size)}"`, write: printed },
  { name: "print sequences", make: (size) => times(" ${~ a ~} %{ if b }c%{ endif }", size), write: printedTemplate },
  { name: "print attributes and blocks", make: (size) => times("a {\n  b = <<E\nc\n  d\nE\n}\n", size), write: printedBody },
  {
    name: "find variables",
    make: (size) => nested("[for a in b : c[", "]]", 2, size),
    write: (source) => variables(parseExpression(source, "").expression),
  },
];
