// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { formatConfiguration } from "./format-configuration.ts";

describe("formatConfiguration", () => {
  test.for<readonly [source: string, formatted: string]>([
    // Interpolations.
    ['a="${b}" # c\nlong = "${ c . d }"\n', "a    = b # c\nlong = c.d\n"],
    ['a = "${\n  b\n}"\n', "a = b\n"],
    ['a = "${b\n  ? c : d}"\n', "a = (b\n? c : d)\n"],
    ['a = "${(b\n  ? c : d)}"\n', "a = (b\n? c : d)\n"],
    ['a = "${f("${b}")}"\n', 'a = f("${b}")\n'],
    ['a = "${"${b}"}"\n', 'a = "${b}"\n'],
    ['a = "${<<E\nx\nE\n}"\n', "a = <<E\nx\nE\n"],
    ['b {\n  c {\n    a = "${d}"\n  }\n}\n', "b {\n  c {\n    a = d\n  }\n}\n"],
    // Templates that are not a single interpolation.
    ['a = "${b}${c}"\n', 'a = "${b}${c}"\n'],
    ['a = "${b}" == "${c}"\n', 'a = "${b}" == "${c}"\n'],
    ['a = ["${b}"]\n', 'a = ["${b}"]\n'],
    ['a = "%{ if b }c%{ endif }"\n', 'a = "%{if b}c%{endif}"\n'],
    ["a = <<E\n${b}\nE\n", "a = <<E\n${b}\nE\n"],
    // Sources that would become invalid.
    ['a = "${<<E\nx\nE\n}" # c\n', 'a = "${<<E\nx\nE\n}" # c\n'],
    ['a = "${(b)\n+ (c)}"\n', 'a = "${(b)\n+ (c)}"\n'],
    ['a = "${ # b\nc}"\n', 'a = "${ # b\nc}"\n'],
    ['b { a = "${c # d\n}" }\n', 'b { a = "${c # d\n}" }\n'],
    ['a = "${c # d\n}" // e\n // f\n', "a = c # d\n// e\n// f\n"],
    // Labels.
    ['b /* x */ c /* y */ "d" /* z */ {}\n', 'b "c" "d" /* z */ {}\n'],
    ['b "\\u00e9" "\\u200d" "\\t\\U000E0001" "e\u0301" {}\n', 'b "é" "\\u200d" "\\t\\U000e0001" "é" {}\n'],
    ['b "$5" x "$${y}" {}\n', 'b "$5" "x" "$${y}" {}\n'],
    // Types.
    ['variable v {\n  type = "map"\n  d = "list"\n}\n', 'variable "v" {\n  type = map(string)\n  d    = "list"\n}\n'],
    ['variable "v" { type = set }\n', 'variable "v" { type = set(any) }\n'],
    ['variable "v" {\n  type = "${list}"\n}\n', 'variable "v" {\n  type = "${list}"\n}\n'],
    ['variable "v" {\n  type = "number"\n}\n', 'variable "v" {\n  type = "number"\n}\n'],
    ['b {\n  variable "v" {\n    type = "map"\n  }\n}\n', 'b {\n  variable "v" {\n    type = "map"\n  }\n}\n'],
    ["type = list\n", "type = list\n"],
    // Layout.
    ["b {\n\n\n a=1\n\n}\n\n\n", "b {\n\n\n  a = 1\n\n}\n\n\n"],
    ['\ufeffa = "${b}"', "a = b"],
    ["", ""],
  ])("formats %j", ([source, formatted], { expect }) => {
    expect(formatConfiguration(source, "main.tf")).toEqual({ source: formatted, diagnostics: [] });
  });

  test("gives no source after errors", ({ expect }) => {
    const { source, diagnostics } = formatConfiguration('a = "${b}"\nc =\n', "main.tf");
    expect(source).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { severity: "error", summary: "Invalid expression", subject: { filename: "main.tf", start: { line: 2 } } },
    ]);
  });

  test("returns bytes for bytes, and keeps invalid UTF-8", ({ expect }) => {
    const bytes = Buffer.concat([Buffer.from('é="${b}" # '), Uint8Array.of(0xff, 0xe2, 0x82), Buffer.from("\u{1f600}\n")]);
    const { source } = formatConfiguration(bytes, "main.tf");
    expect(Buffer.from(source!).toString("latin1")).toBe(bytes.toString("latin1").replace('="${b}"', " = b"));
  });
});
