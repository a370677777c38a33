// SPDX-License-Identifier: Apache-2.0
// Compares diagnostics as text with the Go library's writer and the CLI, and as JSON with the CLI.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { list, mark, number, object, of, string, tuple } from "@tenon/cty";
import { lowerFunc, maxFunc, upperFunc } from "@tenon/cty/stdlib";
import { parseConfig, parseJson } from "@tenon/hcl";
import { nativeBody } from "@tenon/hcl/body";
import { createScope, evaluate } from "@tenon/hcl/evaluate";
import { diagnosticJson, formatDiagnosticJson, type DiagnosticJson } from "@tenon/hcl/report";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import type { Case, Json } from "../cty/notation.ts";
import { openOracle } from "../cty/oracle.ts";
import { picked } from "./picked.ts";
import { diagnosticsText, isSameReport } from "./report-text.ts";
import { pickedErrors } from "./syntax-picked.ts";

const syntaxOf: Readonly<Record<string, string>> = {
  "parse.expression": "native",
  "parse.template": "template",
  "json.expression": "json",
};

const texts: readonly Case[] = [
  ...pickedErrors.flatMap(([op, source]) => (op in syntaxOf ? [[syntaxOf[op]!, source, []]] : [])),
  ...picked.flatMap(({ input: { op, args } }) => (op === "evaluate" ? [args.slice(0, 3)] : [])),
].flatMap((args): Case[] => [0, 40].map((width) => ({ op: "diagnostics.text", args: [...(args as Json[]), width, width === 40] })));

describePeer(["hcl-oracle"], "diagnostics as text", () => {
  test("equal the Go library's, except for marked values", async ({ expect }) => {
    const oracle = await openOracle({ peer: "hcl-oracle", repeats: 1 });
    try {
      const answers = await oracle.ask(texts);
      let compared = 0;
      const problems: string[] = [];
      for (const [index, { args }] of texts.entries()) {
        const answer = answers[index]!;
        const own = diagnosticsText(args);
        // The Go library's writer fails on marked values.
        if (!("ok" in answer) || own === "") continue;
        compared++;
        if (!isSameReport(answer.ok as string, own)) problems.push(`${JSON.stringify(args)}\n${answer.ok as string}---\n${own}`);
      }
      expect(problems).toEqual([]);
      expect(compared).toBeGreaterThan(140);
    } finally {
      oracle.close();
    }
  });
});

const scope = createScope({
  variables: {
    local: of(object({ l: tuple(number), s: string, o: object({ a: number, b: list(string) }), pw: string }), {
      l: [1],
      s: "x",
      o: { a: 1, b: ["x"] },
      pw: mark(of(string, "hunter2"), "sensitive"),
    }),
  },
  functions: { upper: upperFunc, lower: lowerFunc, max: maxFunc },
});
const declared = 'locals {\n  l = [1]\n  s = "x"\n  o = { a = 1, b = tolist(["x"]) }\n  pw = sensitive("hunter2")\n}\n';

/** Files with errors; in those without syntax errors, the error is in the attribute `wrong`. */
const broken: readonly (readonly [string, string])[] = [
  ["main.tf", 'resource "a" "b" {\n  name = \n}\n'],
  ["main.tf", "locals {\n  a = 1 2\n}\n"],
  ["main.tf", '# große Straße 日本\nlocals {\n  größe = "${1 +}"\n}\n'],
  ["main.tf", "locals {\n  a = [1,\n    2 3]\n}\n"],
  ["main.tf", 'locals {\n  a = "\n}\n'],
  ["main.tf", "locals {\n  a = 1\n  a = 2\n}\n"],
  ["main.tf", 'locals {\n  a = 1\n}\n\nlocal "x" {\n  a = 1\n}\n'],
  ["main.tf.json", '{\n  "locals": {\n    "a": [{"b": tru}]\n  }\n}\n'],
  ["main.tf", `${declared}locals {\n  wrong = local.l[5]\n}\n`],
  ["main.tf", `${declared}locals {\n  wrong = local.o.c\n}\n`],
  ["main.tf", `${declared}locals {\n  wrong = upper(\n    local.s,\n    local.l[0]\n  )\n}\n`],
  ["main.tf", `${declared}locals {\n  wrong = upper()\n}\n`],
  ["main.tf", `${declared}locals {\n  wrong = max("x", local.l[0])\n}\n`],
  ["main.tf", `${declared}locals {\n  wrong = local.s + local.l[0]\n}\n`],
  ["main.tf", `${declared}locals {\n  wrong = [for x in local.s : x]\n}\n`],
  ["main.tf", `${declared}locals {\n  wrong = "\${local.o}!"\n}\n`],
  ...[
    "upper([\n    local.l[7],\n    local.s,\n  ])",
    "upper(\n    [local.s,\n    local.s]\n  )",
    '"👩‍👩‍👧‍👦 é 日本 ${local.o.c}"',
    "<<EOT\n  first\n  größe ${local.o.c}\nEOT",
    "[\n\t\tlocal.l.x,\t1]",
    "local.pw + 1",
    "-local.pw",
    "[for k in local.pw : k]",
    '"x${[local.pw]}"',
    "local.o[local.pw]",
    "local.pw ? local.l[0] : local.s",
    "upper([local.pw, local.s])",
    "max(local.pw, local.l...)",
    '{ for x in [1, 2] : "a" => local.s }',
    "true ? local.l : local.s",
    "upper(local.s, local.pw)",
    "local.l[local.s]",
    "local.l[*].x",
    'local.o["c"]',
    "zzzzqqqq(local.s)",
    '"x${null}"',
    "{ (null) = local.s }",
  ].map((expression) => ["main.tf", `${declared}locals {\n  wrong = ${expression}\n}\n`] as const),
];

function ownJson(name: string, text: string): readonly DiagnosticJson[] {
  const sources = new Map([[name, text]]);
  if (name.endsWith(".json")) return parseJson(text, name).diagnostics.map((diagnostic) => diagnosticJson(diagnostic, sources));
  const { body, diagnostics } = parseConfig(text, name, { recovery: "first-error" });
  const wrong = body.blocks.flatMap((block) => [...block.body.attributes.values()]).find((attribute) => attribute.name === "wrong");
  const found = [
    ...diagnostics,
    ...nativeBody(body).content({ blocks: [{ type: "locals" }, { type: "resource", labelNames: ["type", "name"] }] }).diagnostics,
    ...(wrong ? evaluate(wrong.expression, scope).diagnostics : []),
  ];
  return found.map((diagnostic) => diagnosticJson(diagnostic, sources));
}

describePeer(["tofu"], "diagnostics", ({ tofu }) => {
  const validate = (args: readonly string[], at: string): { readonly stdout: string; readonly stderr: string } => {
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: dirname(at),
      TF_CLI_CONFIG_FILE: join(dirname(at), "cli.tfrc"),
      CHECKPOINT_DISABLE: "1",
    };
    return spawnSync(tofu.path, ["validate", ...args], { cwd: at, env, encoding: "utf8" });
  };

  test("equal the CLI's, as JSON and as text with and without colours", { timeout: 300_000 }, ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-report-"));
    try {
      writeFileSync(join(folder, "cli.tfrc"), "");
      for (const [index, [name, text]] of broken.entries()) {
        const at = join(folder, `${index}`);
        mkdirSync(at);
        writeFileSync(join(at, name), text);
        const theirs = (JSON.parse(validate(["-json"], at).stdout) as { readonly diagnostics: readonly DiagnosticJson[] }).diagnostics;
        const own = ownJson(name, text);
        expect.soft(theirs, text).not.toEqual([]);
        expect.soft(own, text).toEqual(theirs);
        // Alternate between colours and none, because each run of the CLI is slow.
        const color = index % 2 === 0;
        const inOrder = [...own].sort((a, b) => (a.range?.start.byte ?? 0) - (b.range?.start.byte ?? 0));
        const shown = inOrder.map((one) => formatDiagnosticJson(one, { color, width: 78 })).join("");
        // The CLI's underline ends after the first line, because the colour of the left border resets it.
        const isAcross = own.some(({ range }) => range!.end.line > range!.start.line);
        const looks = (text: string): string => (isAcross ? styles(text).replace(/ ?4>/g, ">").replaceAll("<>", "") : styles(text));
        expect.soft(looks(shown), text).toBe(looks(validate(color ? [] : ["-no-color"], at).stderr));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Replaces escape codes by the style of the characters that follow, because several codes give the same style. */
function styles(text: string): string {
  let [shown, now, before] = ["", "", ""];
  const active = new Map<string, string>();
  for (const [, code, plain] of text.matchAll(/\p{Cc}\[([\d;]*)m|([^])/gu)) {
    for (const one of code?.split(";") ?? []) {
      if (one === "0") active.clear();
      else if (one === "22" || one === "24" || one === "39") active.delete({ 22: "1", 24: "4", 39: "3" }[one]!);
      else active.set(one.length === 1 ? one : "3", one);
    }
    if (plain === undefined) continue;
    now = plain === "\n" || plain === " " ? before : `<${[...active.values()].sort().join(" ")}>`;
    shown += now === before ? plain : now + plain;
    before = now;
  }
  // The CLI writes a space in lines with only the left border.
  return shown.replace(/ +$/gm, "");
}
