// SPDX-License-Identifier: Apache-2.0
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import { Kind } from "./token-kind.ts";
import type { Tokens } from "./tokens.ts";

const invalidCharacter = "Invalid character";
const unsupportedOperator = "Unsupported operator";
const bitwise = "Bitwise operators are not supported.";

/** Errors about tokens that are not part of the language. Errors that tend to repeat are reported only a few times. */
export function invalidTokens(tokens: Tokens): readonly Diagnostic[] {
  if (!tokens.hasInvalid) return [];
  const diagnostics: Diagnostic[] = [];
  let bitwiseOperators = 0;
  let backticks = 0;
  let apostrophes = 0;
  let semicolons = 0;
  let badBytes = 0;
  for (let index = 0; index < tokens.count; index++) {
    const kind = tokens.kind(index);
    if (kind < Kind.BitwiseAnd) continue;
    const report = (summary: string, detail: string): void => void diagnostics.push(errorAt(summary, detail, tokens.range(index)));
    switch (kind) {
      case Kind.BitwiseAnd:
      case Kind.BitwiseOr:
      case Kind.BitwiseNot:
      case Kind.BitwiseXor:
        if (bitwiseOperators++ < 4) report(unsupportedOperator, bitwise + (suggestions[kind] ?? ""));
        break;
      case Kind.Backtick:
        // One error is enough for the two backticks around a string; later ones may not come in pairs.
        if (backticks % 2 === 0) {
          report(
            invalidCharacter,
            'The "`" character is not valid. To create a multi-line string, use the "heredoc" syntax, like "<<EOT".',
          );
        }
        if (backticks <= 2) backticks += 1;
        break;
      case Kind.Apostrophe:
        if (apostrophes % 2 === 0) report(invalidCharacter, 'Single quotes are not valid. Use double quotes (") to enclose strings.');
        if (apostrophes <= 2) apostrophes += 1;
        break;
      case Kind.Semicolon:
        if (semicolons++ < 1) {
          report(
            invalidCharacter,
            'The ";" character is not valid. Use newlines to separate arguments and blocks, and commas to separate items in collection values.',
          );
        }
        break;
      case Kind.BadUtf8:
        if (badBytes++ < 1) {
          report(
            "Invalid character encoding",
            "All input files must be UTF-8 encoded. Ensure that UTF-8 encoding is selected in your editor.",
          );
        }
        break;
      case Kind.QuotedNewline:
        report(
          "Invalid multi-line string",
          'Quoted strings may not be split over multiple lines. To produce a multi-line string, either use the \\n escape to represent a newline character or use the "heredoc" multi-line template syntax.',
        );
        break;
      case Kind.Invalid: {
        const text = tokens.text(index);
        const detail =
          text === "“" || text === "”"
            ? '"Curly quotes" are not valid here. These can sometimes be inadvertently introduced when sharing code via documents or discussion forums. It might help to replace the character with a "straight quote".'
            : "This character is not used within the language.";
        report(invalidCharacter, detail);
        break;
      }
    }
  }
  return diagnostics;
}

const suggestions: Readonly<Record<number, string>> = {
  [Kind.BitwiseAnd]: ' Did you mean boolean AND ("&&")?',
  [Kind.BitwiseOr]: ' Did you mean boolean OR ("||")?',
  [Kind.BitwiseNot]: ' Did you mean boolean NOT ("!")?',
};
