// SPDX-License-Identifier: Apache-2.0
import { mark, of, string } from "@tenon/cty";
import { maxFunc } from "@tenon/cty/stdlib";
import { describe, test } from "vitest";
import { evaluate } from "../evaluate/evaluate.ts";
import { createScope } from "../syntax/scope.ts";
import { parseExpression } from "../parse/parse.ts";
import { formatDiagnosticJson } from "./format-json.ts";
import { diagnosticJson, type DiagnosticJson } from "./json.ts";

const scope = createScope({
  variables: { name: of(string, "web"), password: mark(of(string, "hunter2"), "sensitive") },
  functions: { max: maxFunc },
});

function problem(source: string): DiagnosticJson {
  const [diagnostic] = evaluate(parseExpression(source, "main.tf").expression, scope).diagnostics;
  return diagnosticJson(diagnostic!, new Map([["main.tf", source]]), { causes: { marked: true } });
}

/** Writes style codes as `<`, their number, `>`. */
const visible = (text: string): string => text.replaceAll(/\p{Cc}\[(\d+)m/gu, "<$1>");

describe("formatDiagnosticJson", () => {
  test("formats as the CLIs do without colours", ({ expect }) => {
    expect(formatDiagnosticJson(problem('max(1,\n  "日本${name}", password)'), { color: false, width: 40 })).toBe(
      [
        "",
        "Error: Invalid function argument",
        "",
        "  on main.tf line 2:",
        "   1: max(1,",
        '   2:   "日本${name}", password)',
        "    ├────────────────",
        "    │ while calling max(numbers...)",
        '    │ name is "web"',
        "",
        'Invalid value for "numbers" parameter:',
        "a number is required.",
        "",
      ].join("\n"),
    );
  });

  test("underlines each line beside a rule, with colours", ({ expect }) => {
    const snippet = {
      ...problem("name.x").snippet!,
      code: "a (\n  b\n) c",
      highlight_start_offset: 2,
      highlight_end_offset: 9,
      values: [],
    };
    const range = { filename: "main.tf", start: { line: 1, column: 3, byte: 2 }, end: { line: 3, column: 2, byte: 9 } };
    const shown = formatDiagnosticJson({ severity: "warning", summary: "S", detail: "D", range, snippet }, { color: true });
    expect(visible(shown).split("\n")).toEqual([
      "<33>╷<39>",
      "<33>│<39> <1><33>Warning: <39><22><1>S<22>",
      "<33>│<39>",
      "<33>│<39>   on main.tf line 1:",
      "<33>│<39>    1: a <4>(<24>",
      "<33>│<39>    2: <4>  b<24>",
      "<33>│<39>    3: <4>)<24> c",
      "<33>│<39>",
      "<33>│<39> D",
      "<33>╵<39>",
      "",
    ]);
  });

  test("mentions a sensitive value without showing it, and replaces control characters", ({ expect }) => {
    const shown = formatDiagnosticJson(problem("password + 1"), { color: false });
    expect(shown).toContain("│ password has a sensitive value");
    expect(shown).not.toContain("hunter2");
    expect(formatDiagnosticJson({ severity: "error", summary: "\u001b[2J", detail: "\u0007" }, { color: false })).toBe(
      "\nError: ␛[2J\n\n␇\n",
    );
  });

  test("notes that a source is missing, and keeps indented lines of the detail", ({ expect }) => {
    const { snippet: _, ...rest } = problem("name.x");
    const detail = "one two three\n  four five six";
    expect(formatDiagnosticJson({ ...rest, detail }, { color: false, width: 9 })).toBe(
      "\nError: Unsupported attribute\n\n  on main.tf line 1:\n  (source code not available)\n\none two\nthree\n  four five six\n",
    );
  });
});
