// SPDX-License-Identifier: Apache-2.0
// Diagnostics as text, ours and that of the Go library's writer, as far as both say the same.
import { evaluate, formatDiagnostics, type Diagnostic } from "@tenon/hcl";
import type { Json } from "../cty/notation.ts";
import { filename, readExpression, readScope } from "./notation.ts";

/** What is told of an expression that is parsed and evaluated, as the oracle's `diagnostics.text` has it. */
export function diagnosticsText([syntax, source, scopeNotation, width, color]: readonly Json[]): string {
  const { made, diagnostics } = readExpression(syntax!, source!);
  const found: Diagnostic[] = [...diagnostics];
  if (!found.some(({ severity }) => severity === "error")) found.push(...evaluate(made, readScope(scopeNotation!)).diagnostics);
  return formatDiagnostics(found, new Map([[filename, source as string]]), { width: width as number, color: color as boolean });
}

/** Is our text the Go library's, but for what only one of them says? */
export function isSameReport(theirs: string, ours: string): boolean {
  const hidden = hiddenIn(ours);
  return inCommon(theirs, hidden) === inCommon(ours, hidden);
}

/** As {@link isSameReport}, where characters were cut by colours: only what is ASCII, and no colours. */
export function isNearlySameReport(theirs: string, ours: string): boolean {
  const hidden = hiddenIn(ours);
  const plain = (text: string): string => inCommon(text, hidden).replace(/<marked>|<end>|[^\n -~]/g, "");
  return plain(theirs) === plain(ours);
}

const valuesOf = /^with ((?:.*,\n {5})*.*)\.\n\n/gm;

/** Names of values that may not be told, or are not known: only ours says that there are any. */
function hiddenIn(ours: string): ReadonlySet<string> {
  const entries = [...ours.matchAll(valuesOf)].flatMap(([, values]) => values!.split(",\n     "));
  return new Set(
    entries.flatMap((one) => /^(.*)(?: not yet known| as \((?:sensitive|ephemeral|marked) value\))$/.exec(one)?.slice(1) ?? []),
  );
}

/** Without what only one side says: carets, empty lines of the source, hidden values, names of blocks. */
function inCommon(text: string, hidden: ReadonlySet<string>): string {
  return (
    text
      .replace(valuesOf, (_, values: string) => {
        const shown = values.split(",\n     ").filter((one) => !hidden.has(/^(.*?)(?: as | set to | not yet )/.exec(one)?.[1] ?? ""));
        return shown.length === 0 ? "" : `with ${shown.join(",\n     ")}.\n\n`;
      })
      // What the generator damages sources with; ours shows pictures of control characters.
      .replaceAll("\0", "␀")
      .replace(/^ {6}[ \t]*\^+$\n/gm, "")
      .replace(/^ *\d+: $\n/gm, "")
      .replaceAll(/\p{Cc}\[1m\p{Cc}\[4m|\p{Cc}\[1;4m/gu, "<marked>")
      .replaceAll(/\p{Cc}\[24m\p{Cc}\[22m|\p{Cc}\[39m|\p{Cc}\[0m/gu, "<end>")
      .replace(/^( {2}on .* line \d+), in .*:$/gm, "$1:")
  );
}
