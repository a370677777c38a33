// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  dynamic,
  goString,
  isKnown,
  isMarked,
  list,
  listOf,
  map,
  mark,
  number,
  object,
  of,
  set,
  string,
  toJs,
  unknown,
  unmark,
  type Mark,
  type Value,
} from "@tenon/cty";
import { unmarkDeepWithPaths } from "@tenon/cty/paths";
import { parseExpression } from "@tenon/hcl";
import { createScope, evaluate } from "@tenon/hcl/evaluate";
import { afterAll, beforeAll, describe, test } from "vitest";
import { EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";
import { createFunctionTable, type FunctionTableOptions } from "./table.ts";
import { processEnvironment, type FunctionEnvironment } from "./environment.ts";
import { filesBelow } from "./file-access.ts";

/** Expressions, with the JSON text that `tofu console` 1.12.6 prints for each, or the detail of its error. */
const answers = JSON.parse(readFileSync(join(import.meta.dirname, "../../test/functions/console-answers.json"), "utf8")) as readonly [
  expression: string,
  answer: string | { readonly error: string },
][];

const files: Readonly<Record<string, string | Buffer>> = {
  "a.txt": "hello",
  "sub/b.txt": "B\n",
  "sub/deep/c.tf": "x",
  bin: Buffer.from([0xff, 0xfe]),
  "t.tpl": "Hi ${name}%{ for x in xs } ${x}%{ endfor }",
  "loop.tpl": '${templatefile("loop.tpl",{})}',
  ".hidden.txt": "h",
};

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-functions-"));
  mkdirSync(join(folder, "sub/deep"), { recursive: true });
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content);
});
afterAll(() => rmSync(folder, { recursive: true }));

function evaluated(source: string, environment: Partial<FunctionEnvironment> = {}, options: FunctionTableOptions = {}): Value | string {
  const functions = createFunctionTable({ ...processEnvironment(), baseDirectory: folder, ...environment }, options);
  const { value, diagnostics } = evaluate(parseExpression(source, "").expression, createScope({ variables: {}, functions }));
  return diagnostics[0]?.detail ?? value;
}

describe("functions", () => {
  test.for(answers)("%s returns the same as in tofu console", ([source, answer], { expect }) => {
    const result = evaluated(`jsonencode(${source})`);
    // The console runs in the folder itself, so its errors show relative paths.
    if (typeof result === "string") expect({ error: result.replaceAll(`${folder}/`, "").replaceAll(folder, ".") }).toEqual(answer);
    else expect(result.payload).toBe(answer);
  });

  test("include all functions of OpenTofu, also by their core:: names", ({ expect }) => {
    const names = [...createFunctionTable(processEnvironment()).keys()];
    const plain = names.filter((name) => !name.startsWith("core::"));
    // OpenTofu does not list `list` and `map`, whose calls are errors.
    expect(plain.filter((name) => name !== "list" && name !== "map")).toHaveLength(121);
    expect(
      names
        .filter((name) => name.startsWith("core::"))
        .map((name) => name.slice(6))
        .sort(),
    ).toEqual(plain.sort());
  });

  test("return unknown values if they are impure, with pureOnly", ({ expect }) => {
    for (const source of ['bcrypt("a")', "timestamp()", "uuid()"]) {
      const value = evaluated(source, {}, { pureOnly: true }) as Value;
      expect(isKnown(value), source).toBe(false);
    }
  });

  test("take the time and random numbers from the environment", ({ expect }) => {
    const environment = { now: () => new Date("2026-01-02T03:04:05.678Z"), randomBytes: (count: number) => new Uint8Array(count) };
    const text = (source: string): unknown => toJs(evaluated(source, environment, { planTime: new Date("2026-01-01T00:00:00Z") }) as Value);
    expect(text("timestamp()")).toBe("2026-01-02T03:04:05Z");
    expect(text("plantimestamp()")).toBe("2026-01-01T00:00:00Z");
    expect(text("uuid()")).toBe("00000000-0000-0000-0000-000000000000");
    expect(text('bcrypt("secret", 4)')).toMatch(/^\$2a\$04\$\.{22}/);
    expect(isKnown(evaluated("plantimestamp()") as Value)).toBe(false);
  });

  test("read only files below the folders of filesBelow", ({ expect }) => {
    const inside = { files: filesBelow([join(folder, "sub")]), baseDirectory: join(folder, "sub") };
    expect(toJs(evaluated('file("b.txt")', inside) as Value)).toBe("B\n");
    for (const source of [
      'file("../a.txt")',
      'fileexists("../a.txt")',
      'filemd5("../a.txt")',
      'fileset("..", "*")',
      'file("/etc/passwd")',
    ]) {
      expect(evaluated(source, inside), source).toContain("functions may only read files below");
    }
  });

  test("follow symbolic links to folders in fileset", ({ expect }) => {
    const linked = mkdtempSync(join(tmpdir(), "tenon-functions-"));
    try {
      symlinkSync(join(folder, "sub"), join(linked, "link"));
      writeFileSync(join(linked, "own"), "");
      const value = evaluated('fileset(".", "**")', { baseDirectory: linked }) as Value;
      expect(toJs(value)).toEqual(["link/b.txt", "link/deep/c.tf", "own"]);
    } finally {
      rmSync(linked, { recursive: true });
    }
  });

  test("keep the marks of arguments, except the functions that change marks", ({ expect }) => {
    const marked = evaluated('file(sensitive("a.txt"))') as Value;
    expect(isMarked(marked, SENSITIVE)).toBe(true);
    expect(isMarked(evaluated('nonsensitive(sensitive("a"))') as Value)).toBe(false);
    const functions = createFunctionTable(processEnvironment());
    const ephemeral = unmark(of(string, "token"))[0];
    const given = functions.get("sensitive")!.call([ephemeral]);
    expect(isMarked(functions.get("ephemeralasnull")!.call([given]), SENSITIVE)).toBe(true);
    expect(isMarked(given, EPHEMERAL)).toBe(false);
  });
});

// docs/differences.md describes the differences with these names. tests/conformance/engine/function-deviations.ts has further ones.
describe("a difference from OpenTofu", () => {
  test("gzip-bytes: base64gzip writes Go's header, and base64gunzip returns the text", ({ expect }) => {
    const text = "a text, a text, a longer text";
    const compressed = toJs(evaluated(`base64gzip("${text}")`) as Value) as string;
    expect(Buffer.from(compressed, "base64").subarray(0, 10).toString("hex")).toBe("1f8b08000000000000ff");
    expect(toJs(evaluated(`base64gunzip("${compressed}")`) as Value)).toBe(text);
  });

  test("template-depth: templatefile calls itself 60 times, but not endlessly", ({ expect }) => {
    const deep = join(folder, "deep.tpl");
    writeFileSync(deep, '%{ if n > 0 }${templatefile("deep.tpl", { n = n - 1 })}%{ else }end%{ endif }');
    expect(toJs(evaluated('templatefile("deep.tpl", { n = 60 })') as Value)).toBe("end");
    expect(evaluated('templatefile("loop.tpl", {})')).toMatch(/maximum recursion depth \d+ reached in /);
  });

  test("contains-null: contains searches for null", ({ expect }) => {
    expect(toJs(evaluated('contains(tolist(["a", null]), tostring(null))') as Value)).toBe(true);
    expect(toJs(evaluated('contains(tolist(["a", "b"]), tostring(null))') as Value)).toBe(false);
  });

  test("function-panics: cidrsubnet rejects a negative prefix length", ({ expect }) => {
    expect(evaluated('cidrsubnet("10.0.0.0/8", -9, 0)')).toContain("prefix of 8 cannot be extended by -9");
  });
});

/** Expressions with functions of OpenTofu 1.13, and what its implementation returns: the value in Go's notation with its marks, or an error. */
const laterAnswers = JSON.parse(readFileSync(join(import.meta.dirname, "../../test/functions/later-answers.json"), "utf8")) as readonly [
  expression: string,
  answer: string | { readonly error: string } | { readonly value: string; readonly marks: readonly string[] },
][];

describe("the functions of OpenTofu 1.13", () => {
  const variables: ReadonlyMap<string, Value> = new Map<string, Value>([
    ["any", unknown(dynamic)],
    ["str", unknown(string)],
    ["num", unknown(number)],
    ["list", unknown(list(string))],
    ["set", unknown(set(string))],
    ["map", unknown(map(string))],
    ["obj", unknown(object({ a: string }))],
    ["secret", mark(of(string, "s"), SENSITIVE)],
    ["token", mark(of(string, "s"), EPHEMERAL)],
    ["secrets", listOf([mark(of(string, "s"), SENSITIVE)])],
    ["hidden", mark(unknown(string), SENSITIVE)],
  ]);
  const functions = createFunctionTable({ ...processEnvironment(), version: "1.13" });
  const nameOf = (one: Mark): string => (one === SENSITIVE ? "sensitive" : "ephemeral");

  test.for(laterAnswers)("%s returns the same as in OpenTofu", ([source, answer], { expect }) => {
    const { value, diagnostics } = evaluate(parseExpression(source, "").expression, createScope({ variables, functions }));
    if (diagnostics.length > 0) {
      expect({ error: diagnostics[0]!.detail }).toEqual(answer);
      return;
    }
    const [plain, places] = unmarkDeepWithPaths(value);
    const marks = places.flatMap(({ path, marks: found }) => [...found].map((one) => `${path.length}:${nameOf(one)}`));
    expect(marks.length === 0 ? goString(plain) : { value: goString(plain), marks }).toEqual(answer);
  });

  test("exist on request only, also by their core:: names", ({ expect }) => {
    const before = createFunctionTable(processEnvironment());
    const added = [...functions.keys()].filter((name) => !before.has(name));
    expect(added.filter((name) => !name.startsWith("core::"))).toHaveLength(13);
    expect(added).toHaveLength(26);
  });
});
