// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { parseConfig } from "../parse/parse.ts";
import type { EditableBody } from "./editable-body.ts";
import { parseEditable } from "./parse-editable.ts";

function edited(source: string, edit: (body: EditableBody) => unknown): string {
  const { body } = parseEditable(source, "main.tf");
  edit(body!);
  return String(body);
}

const setsHeredoc = (body: EditableBody): void => body.blocks()[0]!.body.setAttribute("a", "<<E\nE");

test.for<string>([
  "",
  "\ufeffa = 1",
  "\ufeff# only\n\n",
  "  # a\n\n# b\na=1 # c\n/* d */ e  =  /* f */ [ 1,\n2 ] // g\n\n\n",
  'b  "x" y {  # z\n\n  # c\n  d = 1\n\n  # end\n  } # e\nf { g = 1 }\nh{}',
  "a = <<E\n  x\nE\nb = <<-E\r\n y\r\n E\r\n",
])("keeps the bytes of an unchanged source: %j", (source, { expect }) => {
  expect(edited(source, () => undefined)).toBe(source);
});

describe("an edit", () => {
  test.for<readonly [source: string, edit: (body: EditableBody) => unknown, result: string]>([
    // Attributes.
    ["a   = 1 # one\n# two\nb=2", (body) => body.setAttribute("a", " [ 3 ] "), "a   = [ 3 ] # one\n# two\nb=2"],
    ["a = /* x */ 1\n", (body) => body.setAttribute("a", "2"), "a = /* x */ 2\n"],
    ["a = 1", (body) => body.setAttribute("b", "2"), "a = 1\nb = 2\n"],
    ["", (body) => body.setAttribute("b", "2"), "b = 2\n"],
    ["\ufeff", (body) => body.setAttribute("b", "2"), "\ufeffb = 2\n"],
    ["b {}\n", (body) => body.blocks("b")[0]!.body.setAttribute("c", "1"), "b {\n  c = 1\n}\n"],
    ["b { a = 1 } # x\n", (body) => body.blocks("b")[0]!.body.setAttribute("c", "1"), "b {\n  a = 1\n  c = 1\n} # x\n"],
    [
      "b {\n    a = 1\n    # end\n}\n",
      (body) => body.blocks("b")[0]!.body.setAttribute("c", "1"),
      "b {\n    a = 1\n    # end\n    c = 1\n}\n",
    ],
    ["a = 1\r\n", (body) => body.setAttribute("b", "[\n  2\n]"), "a = 1\r\nb = [\r\n  2\r\n]\r\n"],
    ["b { a = 1 }", (body) => body.blocks()[0]!.body.setAttribute("a", "<<E\nx\nE"), "b {\n  a = <<E\nx\nE\n}"],
    ["# free\n\n# a's\na = 1 # a's\n# b's\nb = 2\n", (body) => body.removeAttribute("a"), "# free\n\n# b's\nb = 2\n"],
    ["a = 1 /* x */\n\nb = 2\n", (body) => body.removeAttribute("b"), "a = 1 /* x */\n"],
    ["b { # b's\n  a = 1\n}\n", (body) => body.blocks()[0]!.body.removeAttribute("a"), "b { # b's\n}\n"],
    // Heredocs, after which nothing may follow.
    ["a = 1 # x\n", (body) => body.setAttribute("a", "<<E\ny\nE"), "# x\na = <<E\ny\nE\n"],
    ["# w\na = 1 /* x */ // y\r\nb = 2\r\n", (body) => body.setAttribute("a", "<<E\nE"), "# w\n/* x */ // y\r\na = <<E\r\nE\r\nb = 2\r\n"],
    ["b {\n  # w\n  /* v */ a = 1 /* x\n x */\n}\n", setsHeredoc, "b {\n  # w\n  /* x\n x */\n  /* v */ a = <<E\nE\n}\n"],
    ["b { a = 1 /* x */ } # y\n", setsHeredoc, "b {\n  /* x */\n  a = <<E\nE\n} # y\n"],
    ["b {\n  a = 1\n}\n", setsHeredoc, "b {\n  a = <<E\nE\n}\n"],
    ["a = 1 # x", (body) => body.setAttribute("a", "<<E\nE"), "# x\na = <<E\nE\n"],
    ["a = 1", (body) => body.setAttribute("a", "<<E\nE"), "a = <<E\nE\n"],
    ["a = 1 # x\n", (body) => body.setAttribute("a", "f(<<E\nE\n)"), "a = f(<<E\nE\n) # x\n"],
    ["a = <<E\nE\n# x\nb = 1\n", (body) => body.setAttribute("a", "1"), "a = 1\n# x\nb = 1\n"],
    ["a = <<E\nE\n# x\n", (body) => body.setAttribute("a", "<<F\nF"), "a = <<F\nF\n# x\n"],
    // Blank lines around removed items.
    ["a = 1\n\nb = 2\n\nc = 3\n", (body) => body.removeAttribute("b"), "a = 1\n\nc = 3\n"],
    ["a = 1\n\n\nb = 2\n\nc = 3\n", (body) => body.removeAttribute("b"), "a = 1\n\n\nc = 3\n"],
    ["a = 1\n\nb = 2\nc = 3\n", (body) => body.removeAttribute("b"), "a = 1\n\nc = 3\n"],
    ["a = 1\nb = 2\n\nc = 3\n", (body) => body.removeAttribute("b"), "a = 1\n\nc = 3\n"],
    ["# file\n\na = 1\n\n# end\n", (body) => body.removeAttribute("a"), "# file\n\n# end\n"],
    ["a = 1\n\nb = 2\n", (body) => body.removeAttribute("a"), "b = 2\n"],
    ["b {\n  a = 1\n\n  c = 2\n}\n", (body) => body.blocks()[0]!.body.removeAttribute("a"), "b {\n  c = 2\n}\n"],
    ["b { # x\n  a = 1\n\n  c = 2\n}\n", (body) => body.blocks()[0]!.body.removeAttribute("a"), "b { # x\n  c = 2\n}\n"],
    ["b {\n  a = 1\r\n \t\r\n  c = 2\n}\n", (body) => body.blocks()[0]!.body.removeAttribute("c"), "b {\n  a = 1\r\n}\n"],
    ["b {\n\n  a = 1\n\n}\n", (body) => body.blocks()[0]!.body.removeAttribute("a"), "b {\n\n}\n"],
    ["\ufeff\na = 1\n\nb = 2", (body) => body.removeAttribute("b"), "\ufeff\na = 1\n"],
    // Blocks.
    ["a = 1\n", (body) => body.addBlock("b", ["x", 'y"\\']), 'a = 1\n\nb "x" "y\\"\\\\" {\n}\n'],
    ["b {\n}\n", (body) => body.blocks()[0]!.body.addBlock("c").body.setAttribute("d", "1"), "b {\n  c {\n    d = 1\n  }\n}\n"],
    ['a {}\n# x\nb "x" {\n c = 1\n} # y\nb "z" {}\n', (body) => body.removeBlock(body.blocks("b", "x")[0]!), 'a {}\nb "z" {}\n'],
    ['b x /* y */ "z" /* w */ { # v\n}\n', (body) => body.blocks()[0]!.setLabels(["é", "${q}"]), 'b "é" "$${q}" /* w */ { # v\n}\n'],
    ["b {}\n", (body) => body.blocks()[0]!.setLabels(["x"]), 'b "x" {}\n'],
    ['b "x" "y"{}\n', (body) => body.blocks()[0]!.setLabels([]), "b{}\n"],
    [
      '# x\na "b" {\n\t# y\n\tc = 1\n}\n',
      (body) => body.blocks()[0]!.body.addBlock("d").body.setAttribute("e", "1"),
      '# x\na "b" {\n\t# y\n\tc = 1\n\n\td {\n\t  e = 1\n\t}\n}\n',
    ],
    // References.
    [
      'a = f(var.old, "${ var.old[0].x }é", var.older, local.var.old)\nb {\n  c = var.old # var.old\n}\n',
      (body) => body.renameReference("var.old", "var.new"),
      'a = f(var.new, "${ var.new[0].x }é", var.older, local.var.old)\nb {\n  c = var.new # var.old\n}\n',
    ],
    [
      "a = [for x in x.y : x.y + z[x.y]]\nb = { x = x.y }\n",
      (body) => body.renameReference("x.y", "q"),
      "a = [for x in q : x.y + z[x.y]]\nb = { x = q }\n",
    ],
    [
      'a = m.x["é"].b + m.x["f"].b + m.x[0]\n',
      (body) => body.renameReference('m.x["é"]', "m.y[1]"),
      'a = m.y[1].b + m.x["f"].b + m.x[0]\n',
    ],
    [
      "a = <<E\n${x.y}\n%{ for i in x.y }${x.y}%{ endfor }\nE\n",
      (body) => body.renameReference("x.y", "z"),
      "a = <<E\n${z}\n%{ for i in z }${z}%{ endfor }\nE\n",
    ],
  ])("of %j", ([source, edit, result], { expect }) => {
    const text = edited(source, edit);
    expect(text).toBe(result);
    expect(parseConfig(text, "").diagnostics).toEqual([]);
  });

  test.for<readonly [source: string, edit: (body: EditableBody) => unknown, why: string]>([
    ["", (body) => body.setAttribute("1a", "1"), '"1a" is not a valid name'],
    ["", (body) => body.setAttribute("a", "1\nb = 2"), "cannot be an attribute's expression"],
    ["", (body) => body.setAttribute("a", "1 # x"), "without a comment after it"],
    ["", (body) => body.setAttribute("a", "1 +"), "Invalid expression"],
    ["", (body) => body.addBlock("a b"), '"a b" is not a valid name'],
    ["a = [for x in v : v.y]\n", (body) => body.renameReference("v", "x"), '"x" would have another meaning'],
    [
      "a = v\nb {\n  c = { for k, w in [] : k => v.y }\n}\n",
      (body) => body.renameReference("v", "k.v"),
      '"k.v" would have another meaning',
    ],
    ["", (body) => body.renameReference("f()", "a"), '"f()" is not a reference'],
    ["", (body) => body.renameReference("a", "b # c"), '"b # c" is not a reference'],
  ])("of %j is refused", ([source, edit, why], { expect }) => {
    const { body } = parseEditable(source, "main.tf");
    expect(() => edit(body!)).toThrow(expect.objectContaining({ code: "INVALID_EDIT", message: expect.stringContaining(why) }));
    expect(String(body)).toBe(source);
  });

  test.for(["", "a b", '"\\', "${x}", "%{ if }", "$${", "$", "\n\t\r\0", "é\u{1f600}"])(
    "writes the label %j so that it is read again",
    (label, { expect }) => {
      const { body, diagnostics } = parseConfig(
        edited("", (made) => made.addBlock("b", [label])),
        "",
      );
      expect(diagnostics).toEqual([]);
      expect(body.blocks[0]!.labels).toEqual([label]);
    },
  );

  test("can be repeated in the same body", ({ expect }) => {
    const text = edited("# start\n", (body) => {
      for (let index = 0; index < 3; index++) {
        body.setAttribute(`a${index}`, "1");
        body.addBlock("b", [String(index)]).body.setAttribute("c", "v");
        body.setAttribute("a0", String(index));
      }
      body.removeBlock(body.blocks("b", "1")[0]!);
      body.removeAttribute("a1");
      body.setAttribute("a1", "2");
      expect(body.removeAttribute("none")).toBe(false);
      expect(body.removeBlock(body.blocks("b")[0]!.body.addBlock("inner"))).toBe(false);
      expect(body.attributes.map(({ name }) => name)).toEqual(["a0", "a2", "a1"]);
      expect(body.renameReference("v", "w.x")).toBe(2);
    });
    expect(parseConfig(text, "").diagnostics).toEqual([]);
    expect(text.match(/c = w\.x/g)).toHaveLength(2);
  });

  test("requires a source without errors", ({ expect }) => {
    const { body, diagnostics } = parseEditable("a =\n", "main.tf");
    expect(body).toBeUndefined();
    expect(diagnostics).toHaveLength(1);
  });
});
