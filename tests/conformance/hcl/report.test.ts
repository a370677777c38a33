// SPDX-License-Identifier: Apache-2.0
// What diagnostics look like: as text beside the Go library's writer, as JSON beside what a CLI prints.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { list, number, object, of, string, tuple } from "@tenon/cty";
import { lowerFunc, maxFunc, upperFunc } from "@tenon/cty/stdlib";
import { createScope, diagnosticJson, evaluate, nativeBody, parseConfig, parseJson, type DiagnosticJson } from "@tenon/hcl";
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
  ...picked.flatMap(({ asked: { op, args } }) => (op === "evaluate" ? [args.slice(0, 3)] : [])),
].flatMap((args): Case[] => [0, 40].map((width) => ({ op: "diagnostics.text", args: [...(args as Json[]), width, width === 40] })));

describePeer(["hcl-oracle"], "diagnostics as text, beside the Go library", () => {
  test("are the same, but for what is marked", async ({ expect }) => {
    const oracle = await openOracle({ peer: "hcl-oracle", repeats: 1 });
    try {
      const answers = await oracle.ask(texts);
      let compared = 0;
      const problems: string[] = [];
      for (const [index, { args }] of texts.entries()) {
        const answer = answers[index]!;
        const own = diagnosticsText(args);
        // It cannot write marked values.
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
    local: of(object({ l: tuple(number), s: string, o: object({ a: number, b: list(string) }) }), {
      l: [1],
      s: "x",
      o: { a: 1, b: ["x"] },
    }),
  },
  functions: { upper: upperFunc, lower: lowerFunc, max: maxFunc },
});
const declared = 'locals {\n  l = [1]\n  s = "x"\n  o = { a = 1, b = tolist(["x"]) }\n}\n';

/** Files with what is wrong in them; those that can be parsed have an attribute `wrong`. */
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

describePeer(["tofu"], "diagnostics as JSON, beside tofu validate -json", ({ tofu }) => {
  test("are the same", ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-report-"));
    try {
      for (const [index, [name, text]] of broken.entries()) {
        const at = join(folder, `${index}`);
        writeFileSync(join(folder, "cli.tfrc"), "");
        mkdirSync(at);
        writeFileSync(join(at, name), text);
        const env = {
          PATH: process.env["PATH"] ?? "",
          HOME: folder,
          TF_CLI_CONFIG_FILE: join(folder, "cli.tfrc"),
          CHECKPOINT_DISABLE: "1",
        };
        const { stdout } = spawnSync(tofu.path, ["validate", "-json"], { cwd: at, env, encoding: "utf8" });
        const said = (JSON.parse(stdout) as { readonly diagnostics: readonly DiagnosticJson[] }).diagnostics;
        expect.soft(ownJson(name, text), text).toEqual(said);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
