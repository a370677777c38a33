// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { format } from "./format.ts";

describe("format", () => {
  test.for<readonly [source: string, formatted: string]>([
    ["a=1 # one\nlong = [ 2,3 ] # two\n", "a    = 1      # one\nlong = [2, 3] # two\n"],
    ["a = 1\n\nlong = 2\n", "a = 1\n\nlong = 2\n"],
    ["b{\na=1\nc {}\n}", "b {\n  a = 1\n  c {}\n}"],
    ["a = f ( -1 , - b [ 0 ] . c ... )", "a = f(-1, -b[0].c...)"],
    ["a = [for x in [y]: ! x]", "a = [for x in [y] : !x]"],
    ['a = "x  ${ b  +c } y" # z', 'a = "x  ${b + c} y" # z'],
    ["a = <<E\n  x\n y ${  z }\nE\nbc = 1\n", "a  = <<E\n  x\n y ${z}\nE\nbc = 1\n"],
    ["a = [[(\n1\n)\n]]\n", "a = [[(\n  1\n  )\n]]\n"],
    ["名前 = 1 # x\na = 2 # y", "名前 = 1 # x\na  = 2 # y"],
    ["\ufeffa = 1", "a = 1"],
    ["a = \n  \nb", "a =\n\nb"],
    ["", ""],
  ])("lays out %j", ([source, formatted], { expect }) => {
    expect(format(source)).toBe(formatted);
    expect(format(formatted)).toBe(formatted);
  });

  test("returns bytes for bytes, and keeps invalid UTF-8", ({ expect }) => {
    const bytes = Buffer.concat([Buffer.from("é=1 # "), Uint8Array.of(0xff, 0xe2, 0x82), Buffer.from("\u{1f600}\n")]);
    expect(Buffer.from(format(bytes)).toString("hex")).toBe(bytes.toString("hex").replace(/3d31/, "203d2031"));
  });

  test("limits the size of the result", ({ expect }) => {
    const deep = format("[\n".repeat(20_000));
    expect(deep.split("\n")[600]).toBe(`${" ".repeat(1000)}[`);
    expect(() => format(`${"a".repeat(100_000)} = 1\n${"b = 1\n".repeat(6_000)}`)).toThrow(expect.objectContaining({ code: "TOO_LONG" }));
  });
});
