// SPDX-License-Identifier: Apache-2.0
// Packaged plugins: a provider of the SDK by the documented command, and the published plugin. They run from other folders and through
// links, under the engine's own client.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { currentPlatform } from "@tenon/plugin-host/install";
import { afterAll, beforeAll, describe, test } from "vitest";
import { PulumiEngine } from "./pulumi-engine.ts";

const root = join(import.meta.dirname, "../..");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi package ")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the documented command. */
function packaged(...args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const command = join(root, "packages/bridge/src/pulumi/package/main.ts");
  return spawnSync(process.execPath, [command, ...args], { encoding: "utf8", cwd: folder });
}

const urn = (type: string, name: string): string => `urn:pulumi:dev::project::${type}::${name}`;

/** Leads a note through its life, under a plugin that is configured. */
async function liveNote(engine: PulumiEngine): Promise<void> {
  const name = urn("notebook:index/note:Note", "first");
  const created = await engine.created(name, { title: "packaged" });
  const updated = await engine.updated(name, created, { title: "renamed" });
  const read = await engine.read(name, updated);
  if (read.outputs?.["title"] !== "renamed") throw new Error(`read ${JSON.stringify(read)}`);
  await engine.deleted(name, updated);
}

describe.skipIf(process.platform === "win32")("a packaged provider of the SDK", { timeout: 120_000 }, () => {
  const out = join(folder, "out");
  beforeAll(() => {
    const { status, stdout, stderr } = packaged(join(root, "apps/examples/notebook/src/provider.ts"), "--out", out, "--archive");
    if (status !== 0) throw new Error(stderr);
    const archive = stdout.trimEnd().split("\n").at(-1)!;
    mkdirSync(join(folder, "unpacked"));
    execFileSync("tar", ["xzf", archive], { cwd: join(folder, "unpacked") });
  }, 120_000);

  test("is a folder, the provider's schema and an archive", ({ expect }) => {
    const schema = JSON.parse(readFileSync(join(out, "schema/schema.json"), "utf8")) as { readonly resources: object };
    expect(schema).toMatchObject({ name: "notebook", version: "1.0.0" });
    expect(Object.keys(schema.resources)).toContain("notebook:index/note:Note");
    expect(existsSync(join(folder, "unpacked/pulumi-resource-notebook"))).toBe(true);
  });

  test("contains no code that installs or launches other providers", ({ expect }) => {
    const names = readdirSync(join(out, "plugin"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".mjs"));
    expect(names.length).toBeGreaterThan(0);
    const holding = (text: string): readonly string[] =>
      names.filter((name) => readFileSync(join(out, "plugin", name), "utf8").includes(text));
    // Its own texts are there.
    expect(holding("takes no parameters")).not.toEqual([]);
    for (const text of ["OpenPGP", "filesystem_mirror", "PLUGIN_MIN_PORT"]) expect(holding(text), text).toEqual([]);
  });

  describePeer(["pulumi-engine"], "under the engine's client", ({ "pulumi-engine": client }) => {
    test("runs through links, from another folder than it was packaged into", async ({ expect }) => {
      const moved = join(folder, "moved", "plugin");
      mkdirSync(join(folder, "moved"));
      cpSync(join(out, "plugin"), moved, { recursive: true });
      mkdirSync(join(folder, "bin"));
      symlinkSync("../moved/plugin/pulumi-resource-notebook", join(folder, "bin/relative"));
      symlinkSync(join(folder, "bin/relative"), join(folder, "bin/pulumi-resource-notebook"));
      renameSync(join(out, "plugin"), join(out, "away"));
      await using engine = await PulumiEngine.start(client.path, join(folder, "bin/pulumi-resource-notebook"));
      expect(await engine.call("getPluginInfo")).toEqual({ version: "1.0.0" });
      expect(await engine.call("getSchema", {})).toEqual(JSON.parse(readFileSync(join(out, "schema/schema.json"), "utf8")));
      const provider = "urn:pulumi:dev::project::pulumi:providers:notebook::default";
      await engine.call("configure", { urn: provider, inputs: { path: join(folder, "linked.db") } });
      await liveNote(engine);
    });

    test("runs from the archive, with a Node of TENON_NODE and noise of a preloaded module", async () => {
      writeFileSync(join(folder, "banner.cjs"), `console.log("a banner");`);
      const environment = { TENON_NODE: process.execPath, NODE_OPTIONS: `--require "${join(folder, "banner.cjs")}"` };
      await using engine = await PulumiEngine.start(client.path, join(folder, "unpacked/pulumi-resource-notebook"), environment);
      const provider = "urn:pulumi:dev::project::pulumi:providers:notebook::default";
      await engine.call("configure", { urn: provider, inputs: { path: join(folder, "unpacked.db") } });
      await liveNote(engine);
    });
  });

  test("has the name and the version of the command line", ({ expect }) => {
    const named = join(folder, "named");
    const provider = join(root, "apps/examples/notebook/src/provider.ts");
    const { status } = packaged(provider, "--out", named, "--name", "pages", "--version", "v2.0.0-beta.1", "--no-source-maps");
    expect(status).toBe(0);
    expect(existsSync(join(named, "plugin/pulumi-resource-pages"))).toBe(true);
    const schema = JSON.parse(readFileSync(join(named, "schema/schema.json"), "utf8")) as object;
    expect(schema).toMatchObject({ name: "pages", version: "2.0.0-beta.1" });
  });

  test("may be a program that serves any provider", ({ expect }) => {
    const program = join(import.meta.dirname, "fixtures/pulumi-notebook.ts");
    expect(packaged(program, "--main", "--out", join(folder, "program")).status).toBe(0);
    expect(existsSync(join(folder, "program/plugin/pulumi-resource-notebook"))).toBe(true);
  });

  test.for([
    ["exports no provider", "export const other = 1;\n", /does not answer: .*exports no provider/],
    ["does not load", `throw new Error("at once");\nexport {};\n`, /does not answer: .*at once/],
    ["cannot be bundled", `import "./gone.ts";\n`, /cannot bundle[\s\S]*gone\.ts/],
  ] as const)("is refused where the module %s", ([name, text, problem], { expect }) => {
    const path = join(folder, `${name.replaceAll(" ", "-")}.ts`);
    const sdk = join(root, "packages/provider-sdk/src/index.ts");
    writeFileSync(path, `import {} from ${JSON.stringify(sdk)};\n${text}`);
    symlinkNodeModules();
    const { status, stderr } = packaged(path, "--out", join(folder, "refused"));
    expect(status).toBe(1);
    expect(stderr).toMatch(problem);
    expect(existsSync(join(folder, "refused"))).toBe(false);
  });
});

/** Lets modules of the temporary folder import what this package depends on. */
function symlinkNodeModules(): void {
  if (!existsSync(join(folder, "node_modules"))) symlinkSync(join(import.meta.dirname, "node_modules"), join(folder, "node_modules"));
}

describePeer(["pulumi-engine", "provider-time", "framework-provider"], "the published plugin", (peers) => {
  const plugin = join(folder, "published");
  beforeAll(() => {
    execFileSync(process.execPath, [join(root, "scripts/build-bridge-plugin.ts")], { stdio: ["ignore", "inherit", "inherit"] });
    cpSync(join(root, "packages/bridge/dist/plugin"), plugin, { recursive: true });
    symlinkSync("published/pulumi-resource-terraform-provider", join(folder, "pulumi-resource-terraform-provider"));
  }, 120_000);
  const start = (environment: Readonly<Record<string, string>> = {}): Promise<PulumiEngine> =>
    PulumiEngine.start(peers["pulumi-engine"].path, join(folder, "pulumi-resource-terraform-provider"), {
      TENON_NODE: process.execPath,
      ...environment,
    });

  test("is packaged by the build, and runs through a link", { timeout: 120_000 }, async ({ expect }) => {
    await using engine = await start();
    await engine.configured([peers["provider-time"].path], {});
    const created = await engine.created(urn("time:index/static:Static", "now"), { rfc3339: "2026-01-02T03:04:05Z" });
    expect(created).toMatchObject({ id: "2026-01-02T03:04:05Z", outputs: { unix: 1767323045 } });
  });

  test("caches the schema of an installed provider by the hash of its package", { timeout: 120_000 }, async ({ expect }) => {
    const { os, arch } = currentPlatform();
    const mirror = join(folder, "mirror");
    const packageFolder = join(mirror, "registry.opentofu.org/tenon/framework/1.0.0", `${os}_${arch}`);
    mkdirSync(packageFolder, { recursive: true });
    cpSync(peers["framework-provider"].path, join(packageFolder, "terraform-provider-framework_v1.0.0"));
    const config = join(folder, "cli.tfrc");
    writeFileSync(config, `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`);
    const environment = { HOME: folder, XDG_CACHE_HOME: join(folder, "cache"), TF_CLI_CONFIG_FILE: config };
    const schema = async (...args: readonly string[]): Promise<unknown> => {
      await using engine = await start(environment);
      await engine.call("parameterizeArgs", ["tenon/framework", ...args]);
      return await engine.call("getSchema", {});
    };
    const cached = (): readonly string[] => readdirSync(join(folder, "cache/tenon/schemas")).filter((name) => name.endsWith(".data"));
    const first = await schema();
    expect(cached()).toHaveLength(1);
    expect(await schema()).toEqual(first);
    expect(cached()).toHaveLength(1);
    expect(await schema("--include", "framework_record")).not.toEqual(first);
    expect(cached()).toHaveLength(2);
  });
});
