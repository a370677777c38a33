// SPDX-License-Identifier: Apache-2.0
// Compares our text of diagnostics with that of the Go library's writer, without the parts that only one of them writes.
import type { Diagnostic } from "@tenon/hcl";
import { evaluate } from "@tenon/hcl/evaluate";
import { formatDiagnostics } from "@tenon/hcl/report";
import type { Json } from "../cty/notation.ts";
import { filename, readExpression, readScope } from "./notation.ts";

/** Text of the diagnostics of an expression that is parsed and evaluated, as in the oracle's `diagnostics.text`. */
export function diagnosticsText([syntax, source, scopeNotation, width, color]: readonly Json[]): string {
  const { made, diagnostics } = readExpression(syntax!, source!);
  const found: Diagnostic[] = [...diagnostics];
  if (!found.some(({ severity }) => severity === "error")) found.push(...evaluate(made, readScope(scopeNotation!)).diagnostics);
  return formatDiagnostics(found, new Map([[filename, source as string]]), { width: width as number, color: color as boolean });
}

/** Whether both texts are equal in the parts that both write. */
export function isSameReport(theirs: string, ours: string): boolean {
  const hidden = hiddenIn(ours);
  return inCommon(theirs, hidden) === inCommon(ours, hidden);
}

/** Whether both texts are equal in ASCII and without colours. For reports in which a colour code splits a character. */
export function isNearlySameReport(theirs: string, ours: string): boolean {
  const hidden = hiddenIn(ours);
  const plain = (text: string): string => inCommon(text, hidden).replace(/<marked>|<end>|[^\n -~]/g, "");
  return plain(theirs) === plain(ours);
}

const valuesOf = /^with ((?:.*,\n {5})*.*)\.\n\n/gm;

/** Names of values that are marked or unknown; only our report lists them. */
function hiddenIn(ours: string): ReadonlySet<string> {
  const entries = [...ours.matchAll(valuesOf)].flatMap(([, values]) => values!.split(",\n     "));
  return new Set(
    entries.flatMap((one) => /^(.*)(?: not yet known| as \((?:sensitive|ephemeral|marked) value\))$/.exec(one)?.slice(1) ?? []),
  );
}

/** Removes what only one side writes: carets, empty source lines, hidden values, names of blocks. */
function inCommon(text: string, hidden: ReadonlySet<string>): string {
  return (
    text
      .replace(valuesOf, (_, values: string) => {
        const shown = values.split(",\n     ").filter((one) => !hidden.has(/^(.*?)(?: as | set to | not yet )/.exec(one)?.[1] ?? ""));
        return shown.length === 0 ? "" : `with ${shown.join(",\n     ")}.\n\n`;
      })
      // The generator inserts NUL characters; our report shows a control picture for them.
      .replaceAll("\0", "␀")
      .replace(/^ {6}[ \t]*\^+$\n/gm, "")
      .replace(/^ *\d+: $\n/gm, "")
      .replaceAll(/\p{Cc}\[1m\p{Cc}\[4m|\p{Cc}\[1;4m/gu, "<marked>")
      .replaceAll(/\p{Cc}\[24m\p{Cc}\[22m|\p{Cc}\[39m|\p{Cc}\[0m/gu, "<end>")
      .replace(/^( {2}on .* line \d+), in .*:$/gm, "$1:")
  );
}
