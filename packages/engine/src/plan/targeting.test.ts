// SPDX-License-Identifier: Apache-2.0
import { dynamic } from "@tenon/cty";
import { createAttribute, createBlock } from "@tenon/schema";
import { describe, test } from "vitest";
import { parseResourceInstance, parseTarget, requireAddress } from "../address/index.ts";
import { loadConfiguration, objectFiles } from "../configuration/index.ts";
import { DependencyGraph } from "../evaluation/dependency-graph.ts";
import { emptyState } from "../state/index.ts";
import { select, type Selection } from "./targeting.ts";

const main = `
resource "test" "a" {
  count = 2
}
resource "test" "b" {
  input = test.a[0].input
}
resource "test" "c" {
  input = local.l
}
locals {
  l      = "x"
  unused = 1
}
output "constant" {
  value = 1
}
output "of_c" {
  value = test.c.input
}
output "of_both" {
  value = [test.c.input, test.b.input]
}
check "k" {
  assert {
    condition     = test.c.input == "x"
    error_message = "no"
  }
}
`;
const schema = createBlock({ attributes: { input: createAttribute({ type: dynamic, optional: true }) } });
const blocks = ["local.l", "local.unused", "output.constant", "output.of_c", "output.of_both", "check.k"];
const instances = ["test.a[0]", "test.a[1]", "test.b", "test.c", "test.removed"];

async function selected(options: {
  readonly targets?: readonly string[];
  readonly excludes?: readonly string[];
}): Promise<readonly string[]> {
  const { configuration } = await loadConfiguration({ files: objectFiles({ "main.tf": main }) });
  const graph = new DependencyGraph(configuration!, { resource: () => schema, provider: () => undefined });
  const subjects = (texts: readonly string[] = []) => texts.map((text) => requireAddress(text, parseTarget(text)).subject);
  const selection: Selection = select(graph, emptyState, {
    targets: subjects(options.targets),
    excludes: subjects(options.excludes),
    destroys: false,
  });
  return [
    ...blocks.filter((name) => selection.includes(graph.block([], name))),
    ...instances.filter((text) => selection.includesInstance(requireAddress(text, parseResourceInstance(text)))),
  ];
}

describe("select", () => {
  test("includes everything without targets and exclusions", async ({ expect }) => {
    expect(await selected({})).toEqual([...blocks, ...instances]);
  });

  test("includes a target, all that it depends on, and the outputs that refer only to these", async ({ expect }) => {
    expect(await selected({ targets: ["test.c"] })).toEqual(["local.l", "output.of_c", "test.c"]);
    expect(await selected({ targets: ["test.b"] })).toEqual(["test.a[0]", "test.a[1]", "test.b"]);
  });

  test("excludes a resource and all that depends on it, and keeps only the outputs that refer to other resources", async ({ expect }) => {
    expect(await selected({ excludes: ["test.a"] })).toEqual(["local.l", "output.of_c", "test.c", "test.removed"]);
  });

  test("excludes one instance and all that depends on its resource", async ({ expect }) => {
    expect(await selected({ excludes: ["test.a[1]"] })).toEqual(["local.l", "output.of_c", "test.a[0]", "test.c", "test.removed"]);
  });
});
