// SPDX-License-Identifier: Apache-2.0
// The commands and the program on the pages of bridge, without the `pulumi` CLI: the plugin gets what the CLI would send it.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { currentPlatform } from "@tenon/plugin-host/install";
import { afterAll, test } from "vitest";
import { parse } from "yaml";
import { PluginProcess, TestEngine } from "./pulumi-plugin.ts";

const bridge = join(import.meta.dirname, "../../packages/bridge");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-pages-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pages = ["README.md", ...readdirSync(join(bridge, "docs")).map((name) => `docs/${name}`)];
const textOf = (page: string): string => readFileSync(join(bridge, page), "utf8");

/** Arguments of the plugin in the commands of all pages. */
const commands = pages.flatMap((page) =>
  Array.from(textOf(page).matchAll(/^pulumi package add \S*\/pulumi-resource-terraform-provider (.+)$/gm), ([, args = ""]) => ({
    page,
    args: Array.from(args.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain!),
  })),
);

/** A YAML program. */
interface Program {
  readonly resources: Readonly<Record<string, { readonly type: string; readonly properties: Readonly<Record<string, unknown>> }>>;
  readonly outputs: Readonly<Record<string, string>>;
}

describePeer(["provider-time"], "the pages of bridge", ({ "provider-time": time }) => {
  const version = "0.14.2";
  const { os, arch } = currentPlatform();
  const packageFolder = join(folder, "mirror/registry.opentofu.org/hashicorp/time", version, `${os}_${arch}`);
  mkdirSync(packageFolder, { recursive: true });
  copyFileSync(time.path, join(packageFolder, `terraform-provider-time_v${version}`));
  mkdirSync(join(folder, "bin"));
  copyFileSync(time.path, join(folder, "bin/terraform-provider-notes"));
  writeFileSync(
    join(folder, "cli.tfrc"),
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(join(folder, "mirror"))}\n  }\n}\n`,
  );
  const environment = { HOME: folder, XDG_CACHE_HOME: join(folder, "cache"), TF_CLI_CONFIG_FILE: join(folder, "cli.tfrc") };

  test.for(commands)("$page: adds $args", { timeout: 180_000 }, async ({ args }, { expect }) => {
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address], environment);
    const provider = plugin.connect();
    // The page's path is relative to the program.
    const own = args.map((arg) => (arg.startsWith("./") ? join(folder, arg) : arg));
    const { name } = await provider.parameterize({ parameters: { case: "args", value: { args: own } } });
    expect(name).toBe(args.includes("clock") ? "clock" : args[0]!.startsWith("./") ? "notes" : "time");
    const { resources } = JSON.parse((await provider.getSchema({})).schema) as { readonly resources: object };
    expect(Object.keys(resources)).toHaveLength(args.includes("--include") ? 2 : 4);
  });

  test("docs/using.md has a program that works", { timeout: 180_000 }, async ({ expect }) => {
    const [, text = ""] = /^```yaml\n([\s\S]*?)^```/m.exec(textOf("docs/using.md"))!;
    const program = parse(text) as Program;
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address], environment);
    const provider = plugin.connect();
    await provider.parameterize({ parameters: { case: "args", value: { args: ["hashicorp/time"] } } });
    await provider.configure({ args: {} });
    const outputs = new Map<string, Readonly<Record<string, unknown>>>();
    const evaluated = (value: unknown): unknown => {
      const [, resource = "", property = ""] = /^\$\{(\w+)\.(\w+)\}$/.exec(String(value)) ?? [];
      return resource === "" ? value : outputs.get(resource)![property];
    };
    for (const [name, { type, properties }] of Object.entries(program.resources)) {
      const urn = `urn:pulumi:dev::${name}::${type}::${name}`;
      const news = Object.fromEntries(Object.entries(properties).map(([property, value]) => [property, evaluated(value)]));
      const { inputs, failures } = await provider.check({ urn, news: news as never });
      expect(failures).toEqual([]);
      outputs.set(name, (await provider.create({ urn, properties: inputs! })).properties!);
    }
    expect(Object.values(program.outputs).map(evaluated)).toEqual([1767323045]);
    expect(outputs.get("support")).toMatchObject({ rfc3339: "2026-01-09T03:04:05Z" });
  });
});
