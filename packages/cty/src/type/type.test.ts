// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, test } from "vitest";
import {
  bool,
  capsule,
  dynamic,
  friendlyName,
  friendlyNameForConstraint,
  hasDynamic,
  list,
  map,
  number,
  object,
  optional,
  set,
  string,
  testConformance,
  tuple,
  withoutOptionalAttributes,
  type Type,
} from "../index.ts";

describe("types", () => {
  test("with equal structure are the same object", ({ expect }) => {
    expect(object({ b: list(string), a: number })).toBe(object({ a: number, b: list(string) }));
    expect(tuple(string, map(bool))).toBe(tuple(string, map(bool)));
    expect(list(string)).not.toBe(set(string));
    expect(object({ a: optional(string) })).not.toBe(object({ a: string }));
    expect(capsule("blob")).not.toBe(capsule("blob"));
  });

  test("with equal structure are the same object in two installed copies", ({ expect, onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), "cty-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(join(import.meta.dirname, ".."), join(folder, "src"), { recursive: true });
    const script = `
      const one = await import(${JSON.stringify(join(import.meta.dirname, "../index.ts"))});
      const two = await import(${JSON.stringify(join(folder, "src/index.ts"))});
      const type = one.object({ a: one.list(one.number) });
      const value = one.of(type, { a: [1, 10n ** 30n] });
      let error; try { two.of(two.string, 1); } catch (caught) { error = caught; }
      console.log(type === two.object({ a: two.list(two.number) }), two.same(value, two.of(type, { a: [1, 10n ** 30n] })), error instanceof one.CtyError,
        one.unknown(one.string).payload === two.unknown(two.string).payload);`;
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(run.stdout.trim(), run.stderr).toBe("true true true true");
  });

  test("keep attribute names in normal form C, sorted by code point", ({ expect }) => {
    expect(object({ "\u{1f600}": string, "\uffff": string, "e\u0301": string, __proto__x: string }).names).toEqual([
      "__proto__x",
      "é",
      "\uffff",
      "\u{1f600}",
    ]);
    expect(() => object({ é: string, "e\u0301": string })).toThrow('duplicate attribute "é"');
  });

  test("lose their optional attributes at any depth", ({ expect }) => {
    const nested = list(object({ a: optional(object({ b: optional(string) })) }));
    expect(withoutOptionalAttributes(nested)).toBe(list(object({ a: object({ b: string }) })));
    expect(withoutOptionalAttributes(list(string))).toBe(list(string));
  });

  test("report whether they contain dynamic", ({ expect }) => {
    expect(hasDynamic(map(tuple(string, list(dynamic))))).toBe(true);
    expect(hasDynamic(map(tuple(string, list(bool))))).toBe(false);
  });

  test.for<[Type, string, string, string]>([
    [list(dynamic), "list of dynamic", "list of any single type", "cty.List(cty.DynamicPseudoType)"],
    [dynamic, "dynamic", "any type", "cty.DynamicPseudoType"],
    [set(list(dynamic)), "set of list of dynamic", "set of list of any single type", "cty.Set(cty.List(cty.DynamicPseudoType))"],
    [object({}), "object", "object", "cty.EmptyObject"],
    [tuple(), "tuple", "tuple", "cty.EmptyTuple"],
    [
      object({ b: optional(bool), a: number }),
      "object",
      "object",
      'cty.ObjectWithOptionalAttrs(map[string]cty.Type{"a":cty.Number, "b":cty.Bool}, []string{"b"})',
    ],
  ])("have go-cty's names: %o", ([type, name, constraint, goString], { expect }) => {
    expect([friendlyName(type), friendlyNameForConstraint(type), inspect(type)]).toEqual([name, constraint, goString]);
  });

  test("report every difference from a type that they do not conform to", ({ expect }) => {
    const given = object({ a: string, extra: bool, c: list(object({ d: number })), t: tuple(string) });
    const want = object({ a: number, c: list(object({ d: dynamic, e: string })), t: tuple(string, bool), missing: bool });
    expect(testConformance(given, want).map((error) => error.message)).toEqual([
      'unsupported attribute "extra"',
      'missing required attribute "missing"',
      "number required, but received string",
      'missing required attribute "e"',
      "2 elements are required, but got 1",
    ]);
    expect(testConformance(given, dynamic)).toEqual([]);
  });
});
