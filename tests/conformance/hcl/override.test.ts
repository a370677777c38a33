// SPDX-License-Identifier: Apache-2.0
// Compares overrideBody with the way tofu applies override files.
import { dirname } from "node:path";
import { bool, list, number, string, toJs } from "@tenon/cty";
import type { Body } from "@tenon/hcl";
import { overrideBody } from "@tenon/hcl/body";
import { decode, type Decoding, type Spec } from "@tenon/hcl/decode";
import { expandDynamicBlocks } from "@tenon/hcl/dynamic-block";
import { createScope } from "@tenon/hcl/evaluate";
import { loadFiles, memoryFiles } from "@tenon/hcl/files";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { CoreFolder } from "./core-folder.ts";

const attribute = (name: string, type: Extract<Spec, { kind: "attribute" }>["type"], required = false): Spec => ({
  kind: "attribute",
  name,
  type,
  required,
});
const object = (specs: Readonly<Record<string, Spec>>): Spec => ({ kind: "object", specs });

/** Spec of the attributes and blocks of the provider's `framework_record` that the cases use. */
const record: Spec = object({
  name: attribute("name", string, true),
  size: attribute("size", number),
  tags: attribute("tags", list(string)),
  rule: {
    kind: "blockList",
    type: "rule",
    nested: object({
      port: attribute("port", number, true),
      comment: attribute("comment", string),
      match: { kind: "blockList", type: "match", nested: object({ pattern: attribute("pattern", string, true) }) },
    }),
  },
  access: { kind: "blockSet", type: "access", nested: object({ role: attribute("role", string, true), write: attribute("write", bool) }) },
  limits: { kind: "block", type: "limits", nested: object({ cpu: attribute("cpu", number), memory: attribute("memory", string) }) },
});

const base = `resource "framework_record" "r" {
  name = "base"
  size = 1
  tags = ["a", "b"]
  rule {
    port    = 1
    comment = "first"
    match {
      pattern = "x"
    }
  }
  rule {
    port = 2
  }
  access {
    role = "reader"
  }
  limits {
    cpu    = 2
    memory = "1G"
  }
}
`;
const withDynamic = base.replace(
  / {2}rule \{[^]*?\n {2}\}\n/,
  '  dynamic "rule" {\n    for_each = [7, 8]\n    content {\n      port = rule.value\n    }\n  }\n',
);
const over = (body: string): string => `resource "framework_record" "r" {\n${body}}\n`;
const dynamicRule =
  '  dynamic "rule" {\n    for_each = { a = 5, b = 6 }\n    content {\n      port    = rule.value\n      comment = rule.key\n    }\n  }\n';

/** Override files by name, applied to `main.tf` in the order of the names. */
const cases: readonly Readonly<Record<string, string>>[] = [
  { "override.tf": over('  name = "over"\n  tags = []\n') },
  { "override.tf": over("  rule {\n    port = 9\n  }\n") },
  {
    "override.tf": over(
      '  access {\n    role = "a"\n  }\n  access {\n    role  = "b"\n    write = true\n  }\n  limits {\n    cpu = 3\n  }\n',
    ),
  },
  { "override.tf": over(dynamicRule) },
  { "main.tf": withDynamic, "override.tf": over("  rule {\n    port = 9\n  }\n") },
  { "main.tf": withDynamic, "override.tf": over(dynamicRule) },
  { "main.tf": withDynamic, "override.tf": over("  size = 4\n") },
  { "override.tf": over("") },
  {
    "override.tf.json":
      '{"resource": {"framework_record": {"r": {"size": "${1 + 4}", "rule": [{"port": 3, "match": {"pattern": "y"}}, {"port": 4}]}}}}',
  },
  {
    "override.tf": over("  size = 7\n  rule {\n    port = 7\n  }\n"),
    "a_override.tf": over('  size = 6\n  name = "a"\n  rule {\n    port = 6\n  }\n'),
  },
  { "override.tf": over('  rule {\n    comment = "no port"\n  }\n') },
  { "main.tf": base.replace('  name = "base"\n', ""), "override.tf": over('  name = "over"\n') },
];

/** Applies the override files one after another in the order of their names, as OpenTofu does, and decodes the result. */
function ownAnswer(files: Readonly<Record<string, string>>): Decoding {
  const { files: loaded, diagnostics } = loadFiles(Object.keys(files).sort(), memoryFiles(new Map(Object.entries(files))));
  if (diagnostics.length > 0) throw new Error(diagnostics[0]!.detail);
  const isOverride = (path: string): boolean => /(?:^|_)override\.tf(?:\.json)?$/.test(path);
  const bodies = [...loaded].sort((a, b) => Number(isOverride(a.path)) - Number(isOverride(b.path))).map(({ body }) => resourceIn(body));
  const [first, ...others] = bodies;
  const scope = createScope({ variables: {} });
  return decode(expandDynamicBlocks(others.reduce(overrideBody, first!), scope), record, scope);
}

function resourceIn(body: Body): Body {
  const { content } = body.partialContent({ blocks: [{ type: "resource", labelNames: ["type", "name"] }] });
  return content.blocks[0]!.body;
}

interface TofuOutput {
  readonly planned_values?: { readonly root_module: { readonly resources: readonly [{ readonly values: Record<string, unknown> }] } };
  readonly diagnostics?: readonly {
    readonly summary: string;
    readonly range?: { readonly filename: string; readonly start: { readonly line: number } };
  }[];
}

describePeer(["tofu", "framework-provider"], "override files", ({ tofu, "framework-provider": provider }) => {
  const writeConfiguration = (folder: CoreFolder, files: Readonly<Record<string, string>>): void => {
    const place = JSON.stringify(dirname(provider.path));
    folder.write("cli.tfrc", `provider_installation {\n  dev_overrides {\n    "tenon/framework" = ${place}\n  }\n}\n`);
    const needed = 'framework = {\n      source = "tenon/framework"\n    }';
    folder.write(
      "provider.tf",
      `terraform {\n  required_providers {\n    ${needed}\n  }\n}\nprovider "framework" {\n  directory = "."\n}\n`,
    );
    for (const [name, text] of Object.entries(files)) folder.write(name, text);
  };

  test.for(cases.map((files) => [Object.keys(files).join(", "), files] as const))(
    "change a configuration as in tofu: %#, %s",
    { timeout: 180_000 },
    async ([, files], { expect }) => {
      using folder = new CoreFolder(tofu.path);
      const all: Readonly<Record<string, string>> = { "main.tf": base, ...files };
      writeConfiguration(folder, all);
      const own = ownAnswer(all);
      if (own.diagnostics.length > 0) {
        const { diagnostics = [] } = JSON.parse((await folder.run(["validate", "-json"])).stdout) as TofuOutput;
        // Skip the warning about the development override of the provider, which has no range.
        const places = diagnostics.flatMap(({ summary, range }) => (range ? [[summary, range.filename, range.start.line]] : []));
        expect(own.diagnostics.map(({ summary, subject }) => [summary, subject?.filename, subject?.start.line])).toEqual(places);
        return;
      }
      expect((await folder.run(["plan", "-input=false", "-out=plan"])).stderr).toBe("");
      const { planned_values: planned } = JSON.parse((await folder.run(["show", "-json", "plan"])).stdout) as TofuOutput;
      const { values } = planned!.root_module.resources[0];
      const decoded = toJs(own.value) as Record<string, unknown>;
      expect(decoded).toEqual(Object.fromEntries(Object.keys(decoded).map((name) => [name, values[name]])));
    },
  );

  test("report an attribute that the resource does not have, which tofu ignores", async ({ expect }) => {
    using folder = new CoreFolder(tofu.path);
    writeConfiguration(folder, { "main.tf": base, "override.tf": over("  nonsense = 1\n") });
    expect((await folder.run(["validate", "-no-color"])).stdout).toContain("Success!");
    const { diagnostics } = ownAnswer({ "main.tf": base, "override.tf": over("  nonsense = 1\n") });
    expect(diagnostics.map(({ detail }) => detail)).toEqual(['An argument named "nonsense" is not expected here.']);
  });
});
