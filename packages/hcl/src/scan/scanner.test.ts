// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, test } from "vitest";
import { formatRange } from "../syntax/range.ts";
import { scan, type ScanMode } from "./scanner.ts";
import { kindNames } from "./token-kind.ts";
import { tokenize } from "./tokenize.ts";
import type { Tokens } from "./tokens.ts";

const kinds = (tokens: Tokens): readonly string[] => Array.from({ length: tokens.count }, (_, index) => kindNames[tokens.kind(index)]!);

/** Each token as `Kind text`, without `Eof`. */
function written(source: string | Uint8Array, mode: ScanMode = "config"): readonly string[] {
  const tokens = scan(source, "", mode);
  return kinds(tokens)
    .slice(0, -1)
    .map((kind, index) => `${kind} ${tokens.text(index)}`);
}

describe("tokens", () => {
  test.for<readonly [source: string, ...tokens: readonly string[]]>([
    ["a = 1", "Ident a", "Equal =", "NumberLit 1"],
    ["a-1 _b größe λ", "Ident a-1", "Ident _b", "Ident größe", "Ident λ"],
    [
      "1.5 1..2. 1e5 1e 2E-3x",
      "NumberLit 1.5",
      "NumberLit 1..2",
      "Dot .",
      "NumberLit 1e5",
      "NumberLit 1",
      "Ident e",
      "NumberLit 2E-3",
      "Ident x",
    ],
    [
      "== != <= >= && || :: => ...",
      "EqualOp ==",
      "NotEqual !=",
      "LessThanEq <=",
      "GreaterThanEq >=",
      "And &&",
      "Or ||",
      "DoubleColon ::",
      "FatArrow =>",
      "Ellipsis ...",
    ],
    ["# a\n// b\r\n/* c\n */ d", "LineComment # a\n", "LineComment // b\r\n", "Comment /* c\n */", "Ident d"],
    ["/* a", "Slash /", "Star *", "Ident a"],
    ['"a\\"b${c}"', 'OQuote "', 'QuotedLit a\\"b', "TemplateInterp ${", "Ident c", "TemplateSeqEnd }", 'CQuote "'],
    ['"$${~a} %%{ $"', 'OQuote "', "QuotedLit $${~", "QuotedLit a} ", "QuotedLit %%{", "QuotedLit  ", "QuotedLit $", 'CQuote "'],
    ['"${{}}"', 'OQuote "', "TemplateInterp ${", "OBrace {", "CBrace }", "TemplateSeqEnd }", 'CQuote "'],
    ["<<E\n a\nE\n", "OHeredoc <<E\n", "StringLit  a\n", "CHeredoc E", "Newline \n"],
    [
      "<<-E\r\n${a}E\r\n E \r\n",
      "OHeredoc <<-E\r\n",
      "TemplateInterp ${",
      "Ident a",
      "TemplateSeqEnd }",
      "StringLit E\r\n",
      "CHeredoc  E ",
      "Newline \r\n",
    ],
    ["<<E a", "LessThan <", "LessThan <", "Ident E", "Ident a"],
    ['"a\nb"', 'OQuote "', "QuotedLit a", "QuotedNewline \n", "QuotedLit b", 'CQuote "'],
    ["a ~} @", "Ident a", "TemplateSeqEnd ~}", "Invalid @"],
  ])("of %j", ([source, ...tokens], { expect }) => {
    expect(written(source)).toEqual(tokens);
  });

  test.for<readonly [source: string, ...tokens: readonly string[]]>([
    ["a ${b}\n%{ if", "StringLit a ", "TemplateInterp ${", "Ident b", "TemplateSeqEnd }", "StringLit \n", "TemplateControl %{", "Ident if"],
    ["a$", "StringLit a", "StringLit $"],
    ["$x\ny", "StringLit $x", "StringLit \n", "StringLit y"],
    ["a\rb", "StringLit a", "StringLit \rb"],
  ])("of the template %j", ([source, ...tokens], { expect }) => {
    expect(written(source, "template")).toEqual(tokens);
  });
});

describe("positions", () => {
  const places = (source: string | Uint8Array): readonly string[] => {
    const tokens = scan(source, "", "config");
    return kinds(tokens).map((_, index) => `${formatRange(tokens.range(index)).slice(1)} from ${tokens.start(index).byte}`);
  };

  test("count grapheme clusters as columns, and bytes as offsets", ({ expect }) => {
    expect(places('é = "e\u0301👨‍👩‍👧" # 日本\nb')).toEqual([
      "1,1-2 from 0",
      "1,3-4 from 3",
      "1,5-6 from 5",
      "1,6-8 from 6",
      "1,8-9 from 27",
      "1,10-2,1 from 29",
      "2,1-2 from 38",
      "2,2-2 from 39",
    ]);
  });

  test("do not count the byte order mark as a column", ({ expect }) => {
    expect(places("\ufeffa")).toEqual(["1,1-2 from 3", "1,2-2 from 4"]);
  });

  test("start at the given position", ({ expect }) => {
    const tokens = scan("a\nb", "", "config", { line: 7, column: 5, byte: 100 });
    expect([tokens.start(0), tokens.start(2)]).toEqual([
      { line: 7, column: 5, byte: 100 },
      { line: 8, column: 1, byte: 102 },
    ]);
  });

  test("count invalid UTF-8, as single bytes and as malformed sequences", ({ expect }) => {
    const source = Uint8Array.from([0x61, 0xff, 0xed, 0xa0, 0x80, 0x62]);
    expect(places(source)).toEqual(["1,1-2 from 0", "1,2-3 from 1", "1,3-4 from 2", "1,4-5 from 5", "1,5-5 from 6"]);
    expect(kinds(scan(source, "", "config"))).toEqual(["Ident", "BadUtf8", "Invalid", "Ident", "Eof"]);
  });
});

test("only spaces and tabs lie between tokens", ({ expect }) => {
  const piece = fc.constantFrom(...'""${}%~<E-\n\r\\#/*é🇩 \ta1', "${", "<<E\n", "E\n");
  fc.assert(
    fc.property(fc.array(piece), fc.constantFrom<ScanMode>("config", "template"), (pieces, mode) => {
      const source = pieces.join("");
      const tokens = scan(source, "", mode);
      let at = 0;
      for (let index = 0; index < tokens.count; index++) {
        expect(source.slice(at, tokens.startIndex(index))).toMatch(/^[ \t]*$/);
        expect(tokens.end(index).byte - tokens.start(index).byte).toBe(Buffer.byteLength(tokens.text(index)));
        at = tokens.endIndex(index);
      }
      expect(at).toBe(source.length);
    }),
  );
});

test("the source can be restored from the tokens and the text between them", ({ expect }) => {
  const source = '\ta = "é${ b }" # c\r\n\n<<E\n x\nE\n@\ud83d';
  const bytes = Buffer.from(source);
  const { tokens, diagnostics } = tokenize(source, "main.tf");
  let written = "";
  let at = 0;
  for (const { text, range } of tokens) {
    written += bytes.toString("utf8", at, range.start.byte) + text;
    at = range.end.byte;
  }
  expect(written).toBe(source.toWellFormed());
  expect(tokens.at(-1)).toMatchObject({ type: "EOF", text: "" });
  expect(diagnostics.map(({ summary }) => summary)).toEqual(["Invalid character", "Invalid character"]);
});
