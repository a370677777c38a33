// SPDX-License-Identifier: Apache-2.0
import { list, mark, number, of, string, unknown } from "@tenon/cty";
import { PassThrough } from "node:stream";
import { WriteStream } from "node:tty";
import { describe, test, vi } from "vitest";
import { evaluate } from "../evaluate/evaluate.ts";
import { createScope } from "../syntax/scope.ts";
import { parseConfig, parseExpression } from "../parse/parse.ts";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import { formatDiagnostic, formatDiagnostics, type FormatDiagnosticOptions } from "./format.ts";
import { diagnosticJson } from "./json.ts";

const plain: FormatDiagnosticOptions = { color: false };
const at = (start: number, end: number): Diagnostic["subject"] => ({
  filename: "main.tf",
  start: { line: 1, column: start + 1, byte: start },
  end: { line: 1, column: end + 1, byte: end },
});

const scope = createScope({
  variables: {
    password: mark(of(string, "hunter2"), "sensitive"),
    passwords: of(list(string), [mark(of(string, "hunter3"), "sensitive")]),
    token: mark(of(string, "hunter4"), "ephemeral"),
    odd: mark(unknown(string), Symbol("odd")),
    id: unknown(string),
    ids: unknown(list(string)),
    name: of(string, "web"),
    huge: of(number, 1e200),
    vast: evaluate(parseExpression("1e99999999", "main.tf").expression).value,
  },
});

describe("formatDiagnostics", () => {
  test("shows the range in its source lines, with carets and context", ({ expect }) => {
    const text = 'resource "a" "b" {\n\n  name =\n}\n';
    expect(formatDiagnostics(parseConfig(text, "main.tf").diagnostics, new Map([["main.tf", text]]), { color: false, width: 40 })).toBe(
      [
        "Error: Invalid expression",
        '  on main.tf line 3, in resource "a" "b":\n   3:   name =\n              ^\n   4: }',
        "Expected the start of an expression, but\nfound an invalid expression token.",
        "",
      ].join("\n\n"),
    );
  });

  test("marks the right cells after tabs and wide characters", ({ expect }) => {
    const text = '\t"日本" + 名前';
    const start = Buffer.byteLength('\t"日本" + ');
    const shown = formatDiagnostic(
      { severity: "warning", summary: "S", detail: "", subject: at(start, start + 6)! },
      new Map([["main.tf", text]]),
      plain,
    );
    expect(shown).toBe(`Warning: S\n\n  on main.tf line 1:\n   1: ${text}\n      \t         ^^^^\n\n`);
  });

  test("marks whole characters if a range ends inside one", ({ expect }) => {
    const shown = formatDiagnostic(
      { severity: "error", summary: "S", detail: "", subject: at(2, 3)! },
      new Map([["main.tf", "ab日c"]]),
      plain,
    );
    expect(shown).not.toContain("\ufffd");
    const within = formatDiagnostic(
      { severity: "error", summary: "S", detail: "", subject: at(3, 4)! },
      new Map([["main.tf", "ab日c"]]),
      plain,
    );
    expect(within).toBe("Error: S\n\n  on main.tf line 1:\n   1: ab日c\n        ^^\n\n");
  });

  test("shows values, except marked ones", ({ expect }) => {
    const { expression } = parseExpression("[password, passwords, token, odd, id, name, huge, vast, gone]", "main.tf");
    const diagnostic: Diagnostic = { severity: "error", summary: "S", detail: "", subject: at(0, 1)!, expression, scope };
    const shown = formatDiagnostic(diagnostic, new Map(), plain);
    expect(shown).toContain(
      'with huge as 1e+200,\n     id not yet known,\n     name as "web",\n     odd as (marked value),\n     password as (sensitive value),\n' +
        "     passwords as list of string with 1 element,\n     token as (ephemeral value),\n     vast as a very large or very small number.\n\n",
    );
    const json = JSON.stringify(diagnosticJson(diagnostic, new Map([["main.tf", "x"]]), { causes: { marked: true, unknown: true } }));
    expect(shown + json).not.toContain("hunter");
    expect(json).toContain("has an ephemeral value");
  });

  test("uses colours on request, unless NO_COLOR is set", ({ expect }) => {
    const diagnostic: Diagnostic = { severity: "error", summary: "S", detail: "", subject: at(2, 3)! };
    const sources = new Map([["main.tf", "a+b+c"]]);
    expect(formatDiagnostic(diagnostic, sources, { color: true })).toBe(
      "\u001b[31mError\u001b[39m: S\n\n  on main.tf line 1:\n   1: a+\u001b[1m\u001b[4mb\u001b[24m\u001b[22m+c\n\n",
    );
    // A terminal of 256 colours, independent of the test's environment (`CI` would disable them).
    const environment = () => ({ TERM: "xterm-256color", NO_COLOR: process.env["NO_COLOR"] });
    const stream = Object.assign(new PassThrough(), {
      isTTY: true,
      getColorDepth: () => WriteStream.prototype.getColorDepth(environment()),
    });
    vi.stubEnv("FORCE_COLOR", undefined);
    vi.stubEnv("NO_COLOR", undefined);
    try {
      expect(formatDiagnostic(diagnostic, sources, { stream })).toContain("\u001b[31mError");
      vi.stubEnv("NO_COLOR", "1");
      expect(formatDiagnostic(diagnostic, sources, { stream })).toBe("Error: S\n\n  on main.tf line 1:\n   1: a+b+c\n        ^\n\n");
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("replaces control characters of a configuration", ({ expect }) => {
    const diagnostic: Diagnostic = { severity: "error", summary: "\u001b[2J", detail: "\u0007\u009b", subject: at(0, 1)! };
    const shown = formatDiagnostic(diagnostic, new Map([["main.tf", "\u001b]0;x\u0007\r\n"]]), plain);
    // oxlint-disable-next-line no-control-regex -- control characters must not be in the text
    expect(shown).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
    expect(shown).toContain("␛]0;x␇");
  });

  test("notes that a source is missing, and formats a diagnostic without a range", ({ expect }) => {
    expect(formatDiagnostic({ severity: "error", summary: "S", detail: "D", subject: at(0, 1)! }, new Map(), plain)).toBe(
      "Error: S\n\n  on main.tf line 1:\n  (source code not available)\n\nD\n\n",
    );
    expect(formatDiagnostic({ severity: "error", summary: "S", detail: "D" }, new Map(), plain)).toBe("Error: S\n\nD\n\n");
  });
});

describe("diagnosticJson", () => {
  test("counts offsets in the code it shows, also with CR LF and empty lines", ({ expect }) => {
    const text = "locals {\r\n  a = [1,\r\n\r\n    2 ä 3]\r\n}\r\n";
    const [diagnostic] = parseConfig(text, "main.tf").diagnostics;
    const { snippet } = diagnosticJson(diagnostic!, new Map([["main.tf", text]]));
    const { code, highlight_start_offset: start, highlight_end_offset: end } = snippet!;
    expect(Buffer.from(code).toString("utf8", start, end)).toBe("ä");
    expect(code).toBe("  a = [1,\n\n    2 ä 3]");
    expect(snippet).toMatchObject({ start_line: 2, context: "locals", values: [] });
  });

  test("describes unknown values on request", ({ expect }) => {
    const diagnostic: Diagnostic = {
      severity: "error",
      summary: "S",
      detail: "",
      subject: at(0, 1)!,
      expression: parseExpression("[id, ids.x, password]", "main.tf").expression,
      scope,
    };
    const sources = new Map([["main.tf", "x"]]);
    expect(diagnosticJson(diagnostic, sources).snippet?.values).toEqual([
      { traversal: "id", statement: "is a string" },
      { traversal: "ids", statement: "is a list of string" },
    ]);
    expect(diagnosticJson(diagnostic, sources, { causes: { unknown: true, marked: true } }).snippet?.values).toEqual([
      { traversal: "id", statement: "is a string, known only after apply" },
      { traversal: "ids", statement: "is a list of string, known only after apply" },
      { traversal: "password", statement: "has a sensitive value" },
    ]);
  });
});
