// SPDX-License-Identifier: Apache-2.0
import { parseConfig, parseTraversal, rootName, variables, walk, type BodySyntax } from "@tenon/hcl";
import { format, parseEditable, type EditableBody } from "@tenon/hcl/write";
import { describe, test } from "vitest";
import { randomFor, type Random } from "../cty/random.ts";
import { SourceMaker } from "./syntax-source.ts";

/** Sources without errors, each with what chance is left after it was made. */
function* sources(count: number): Generator<readonly [source: string, random: Random]> {
  for (let index = 0; index < count; index++) {
    const random = randomFor(20_261_121, "edit", index);
    const source = new SourceMaker(random, 4 + random.int(24)).config();
    if (parseConfig(source, "").diagnostics.length === 0) yield [source, random];
  }
}

/** What a body says, whatever its layout: the text of each attribute, and each block with what is in it. */
function saidBy(body: EditableBody): unknown[] {
  return [
    ...body.attributes.map(({ name, expression }) => [name, expression]),
    ...body.blocks().map(({ type, labels, body: inner }) => [type, labels, saidBy(inner)]),
  ];
}

/** A body somewhere within. */
function anyBody(random: Random, body: EditableBody): EditableBody {
  const blocks = body.blocks();
  return blocks.length === 0 || random.chance(0.4) ? body : anyBody(random, random.pick(blocks).body);
}

function referencesIn(body: BodySyntax): string[] {
  const found: string[] = [];
  walk(body, {
    enter: (node) => {
      if (node.kind === "attribute") found.push(...variables(node.expression).map((traversal) => rootName(traversal)!));
    },
  });
  return found;
}

describe("sources of all forms", () => {
  test("are written as they were, and after edits say what they said and what was changed", ({ expect }) => {
    let tried = 0;
    for (const [source, random] of sources(1500)) {
      tried += 1;
      const body = parseEditable(source, "").body!;
      expect(body.toString()).toBe(source);
      const place = anyBody(random, body);
      const edit = random.int(6);
      if (edit === 0)
        place.setAttribute(random.pick(["new", "a", "var"]), random.pick(["1", "[\n  1, # one\n]", '"x"', "{ a = 1 }", "<<E\ny\nE"]));
      else if (edit === 1) place.attributes.slice(0, 2).forEach(({ name }) => place.removeAttribute(name));
      else if (edit === 2) place.addBlock("new", ["é"]).body.setAttribute("x", "<<E\ny\nE");
      else if (edit === 3)
        place
          .blocks()
          .slice(0, 1)
          .forEach((block) => place.removeBlock(block));
      else if (edit === 4) body.renameReference("var", "renamed.x");
      else
        place
          .blocks()
          .slice(0, 1)
          .forEach((block) => block.setLabels(["new", 'x"y']));
      const text = body.toString();
      const again = parseEditable(text, "");
      expect(again.diagnostics, `${JSON.stringify(source)} → ${JSON.stringify(text)}`).toEqual([]);
      expect(saidBy(again.body!)).toEqual(saidBy(body));
      expect(saidBy(parseEditable(format(text), "").body!).length).toBe(saidBy(body).length);
      if (edit === 4) expect(referencesIn(parseConfig(text, "").body)).not.toContain("var");
    }
    expect(tried).toBeGreaterThan(1000);
  });

  test("have all references renamed, and nothing else", ({ expect }) => {
    expect(parseTraversal("renamed.x", "").diagnostics).toEqual([]);
    for (const [source] of sources(500)) {
      const before = referencesIn(parseConfig(source, "").body);
      const body = parseEditable(source, "").body!;
      expect(body.renameReference("var", "renamed.x")).toBe(before.filter((name) => name === "var").length);
      const after = referencesIn(parseConfig(body.toString(), "").body);
      expect(after).toEqual(before.map((name) => (name === "var" ? "renamed" : name)));
      if (!before.includes("var")) expect(body.toString()).toBe(source);
    }
  });
});
