// SPDX-License-Identifier: Apache-2.0
import type { Random } from "@tenon/testing/generate";

/** A configuration with `moved` blocks, and a state to which no move has been applied. */
export interface MoveCase {
  readonly files: Readonly<Record<string, string>>;
  readonly state: string;
}

const keys = ["", "", "", "", "[0]", '["k"]'];
const types = ["test_a", "test_a", "test_b"];
const names = ["x", "y"];
const calls = ["m", "n"];

function moduleSteps(random: Random, depth: number): string {
  const count = random.chance(0.5) ? 0 : random.int(depth + 1);
  return random.times(count, () => `module.${random.pick(calls)}${random.pick(keys)}.`).join("");
}

function resourceText(random: Random): string {
  return `${random.pick(types)}.${random.pick(names)}`;
}

function movedBlock(random: Random, depth: number): string {
  const isModule = depth > 0 && random.chance(0.35);
  const end = (): string =>
    isModule
      ? `${moduleSteps(random, depth - 1)}module.${random.pick(calls)}${random.pick(keys)}`
      : `${moduleSteps(random, depth)}${resourceText(random)}${random.pick(keys)}`;
  const from = end();
  let to = end();
  // OpenTofu's result for a module that moves into itself depends on the order of a Go map.
  while (withoutKeys(to).startsWith(`${withoutKeys(from)}.`)) to = end();
  return `moved {\n  from = ${from}\n  to   = ${to}\n}\n`;
}

function withoutKeys(address: string): string {
  return address.replace(/\[[^\]]*\]/g, "");
}

function repetition(random: Random): string {
  return random.weighted([
    [4, ""],
    [2, "  count = 2\n"],
    [1, "  count = 0\n"],
    [2, "  for_each = { k = 1, l = 2 }\n"],
    [1, "  lifecycle {\n    enabled = false\n  }\n"],
  ]);
}

function moduleText(random: Random, depth: number): string {
  const resources = new Set(random.times(random.int(4), () => resourceText(random)));
  const blocks = Array.from(resources, (resource) => {
    const [type, name] = resource.split(".");
    return `resource "${type}" "${name}" {\n${repetition(random)}}\n`;
  });
  if (depth > 0) {
    for (const name of calls) {
      if (random.chance(0.7))
        blocks.push(`module "${name}" {\n  source = "./${depth === 2 ? "outer" : "inner"}"\n${repetition(random)}}\n`);
    }
  }
  const moved = random.times(random.int(depth === 2 ? 5 : 2), () => movedBlock(random, depth));
  return [...blocks, ...moved].join("");
}

function stateText(random: Random): string {
  const resources = new Map<
    string,
    { readonly module: string; readonly resource: string; readonly indexes: Set<string | number | undefined> }
  >();
  for (let left = 3 + random.int(8); left > 0; left--) {
    const [module, resource] = [moduleSteps(random, 2).replace(/\.$/, ""), resourceText(random)];
    const known = resources.get(`${module} ${resource}`) ?? { module, resource, indexes: new Set() };
    known.indexes.add(random.pick([undefined, undefined, 0, "k"]));
    resources.set(`${module} ${resource}`, known);
  }
  const written = Array.from(resources.values(), ({ module, resource, indexes }) => {
    const [type, name] = resource.split(".");
    return {
      ...(module === "" ? {} : { module }),
      mode: "managed",
      type,
      name,
      provider: `provider["registry.opentofu.org/hashicorp/${random.pick(["test", "other"])}"]`,
      instances: Array.from(indexes, (index) => ({
        ...(index === undefined ? {} : { index_key: index }),
        schema_version: 0,
        attributes: { id: `${module}.${resource}.${index}` },
        sensitive_attributes: [],
      })),
    };
  });
  return JSON.stringify({ version: 4, terraform_version: "1.12.6", serial: 1, lineage: "moves", outputs: {}, resources: written });
}

/** Makes a case. Most of its `moved` blocks have an effect or an error. */
export function makeMoveCase(random: Random): MoveCase {
  const files = {
    "main.tf": moduleText(random, 2),
    "outer/main.tf": moduleText(random, 1),
    "outer/inner/main.tf": moduleText(random, 0),
  };
  return { files, state: stateText(random) };
}
