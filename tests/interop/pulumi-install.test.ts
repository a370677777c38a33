// SPDX-License-Identifier: Apache-2.0
// Providers that the Pulumi plugin installs: from registries and mirrors, with the CLIs' configuration, verified, cached and locked.
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { currentPlatform, formatPlatform } from "@tenon/plugin-host/install";
import { callErrorCode } from "@tenon/protocol/carrier/calls";
import { afterAll, beforeAll, beforeEach, describe, type ExpectStatic, test } from "vitest";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";
import { ProviderRegistry, signingKey } from "./provider-registry.ts";
import { PluginProcess, TestEngine } from "./pulumi-plugin.ts";

const platform = formatPlatform(currentPlatform());
const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-install-")));
let provider: PackagedProvider;
let registry: ProviderRegistry;
let engine: TestEngine;
let home = "";

beforeAll(async () => {
  provider = packageExample("apps/examples/textfile/main.ts", "--name", "textfile", "--version", "1.1.0", "--zip");
  engine = await TestEngine.start();
  registry = await ProviderRegistry.start();
  registry.keys = [await signingKey()];
  publish("1.0.0", "1.1.0", "2.0.0-rc1");
}, 120_000);
afterAll(async () => {
  provider[Symbol.dispose]();
  await engine[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  home = mkdtempSync(join(folder, "home-"));
  registry.seen.length = 0;
  registry.tamper = () => undefined;
});

function publish(...versions: readonly string[]): void {
  const file = readdirSync(join(provider.folder, "release")).find((name) => name.endsWith(".zip"))!;
  const zip = readFileSync(join(provider.folder, "release", file));
  registry.packages = versions.flatMap((version) =>
    [platform, "plan9_amd64"].map((each) => ({ namespace: "acme", type: "textfile", version, platform: each, zip })),
  );
}

/** Environment without the machine's own configuration and caches. */
function environment(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return { ...registry.environment, HOME: home, XDG_CACHE_HOME: join(home, "cache"), TF_CLI_CONFIG_FILE: "", ...more };
}

const source = (): string => `${registry.host}/acme/textfile`;

/** What a plugin says about a provider that it was asked for. */
interface Selected {
  readonly name: string;
  readonly version: string;
  /** Value of the parameter, decoded. */
  readonly value: { readonly remote: object; readonly lock?: { readonly platform: string; readonly hashes: readonly string[] } };
}

/** Starts a plugin and selects a provider by arguments, or by the value of an earlier selection. */
async function selected(args: readonly string[] | object, env: Readonly<Record<string, string>> = environment()): Promise<Selected> {
  await using plugin = await PluginProcess.start([engine.address], env);
  const calls = plugin.connect();
  const value = new TextEncoder().encode(JSON.stringify(args));
  const { name, version } = await calls.parameterize(
    Array.isArray(args)
      ? { parameters: { case: "args", value: { args: args as string[] } } }
      : { parameters: { case: "value", value: { name: "textfile", version: "1.0.0", value } } },
  );
  const { parameterization } = JSON.parse((await calls.getSchema({})).schema) as {
    readonly parameterization: { readonly parameter: string };
  };
  return { name, version, value: JSON.parse(Buffer.from(parameterization.parameter, "base64").toString()) as Selected["value"] };
}

async function expectRefused(expect: ExpectStatic, selection: Promise<unknown>, text: string): Promise<void> {
  const error = await selection.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect({ code: callErrorCode(error), message: String(error) }).toEqual({
    code: "failedPrecondition",
    message: expect.stringContaining(text) as string,
  });
}

const isDownload = ({ path }: { readonly path: string }): boolean => path.endsWith(".zip");

describe("a provider of a registry", { timeout: 120_000 }, () => {
  test("is the newest published release where no version is given, also where an older one is cached", async ({ expect }) => {
    publish("1.0.0");
    expect(await selected([source()])).toMatchObject({ name: "textfile", version: "1.0.0" });
    publish("1.0.0", "1.1.0", "2.0.0-rc1");
    expect(await selected([source()])).toMatchObject({ version: "1.1.0" });
    expect(await selected([source(), "1.0.0"])).toMatchObject({ version: "1.0.0" });
    expect(await selected([source(), "~> 1.0.0"])).toMatchObject({ version: "1.0.0" });
    expect(await selected([source(), "2.0.0-rc1"])).toMatchObject({ version: "2.0.0-rc1" });
  });

  test("is taken from the cache where its exact version is there, and where the registry cannot be reached", async ({ expect }) => {
    const cache = environment({ PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR: join(home, "plugins") });
    const { value } = await selected([source(), "1.1.0"], cache);
    expect(registry.seen.filter(isDownload)).toHaveLength(1);
    expect(readdirSync(join(home, "plugins"))).toEqual([registry.host]);
    registry.seen.length = 0;
    expect(await selected(value, cache)).toMatchObject({ version: "1.1.0" });
    expect(registry.seen).toEqual([]);
    registry.tamper = () => ({ status: 503 });
    expect(await selected([source()], cache)).toMatchObject({ version: "1.1.0" });
    await expectRefused(expect, selected([source()]), registry.host);
  });

  test("is locked: the parameter's value has its exact version and the hashes of its package", async ({ expect }) => {
    const { value } = await selected([source(), "1.0.0"]);
    expect(value).toEqual({
      remote: { url: source(), version: "1.0.0" },
      lock: { platform, hashes: [expect.stringMatching(/^h1:/), expect.stringMatching(/^zh:/)] },
    });
    const hashes = ["h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", `zh:${"0".repeat(64)}`];
    rmSync(join(home, "cache"), { recursive: true });
    await expectRefused(expect, selected({ ...value, lock: { platform, hashes } }), "none of the recorded checksums");
    // The hashes of one package for another platform say nothing about the package for this one.
    const elsewhere = { platform: "plan9_amd64", hashes: hashes.slice(0, 1) };
    expect(await selected({ ...value, lock: elsewhere })).toMatchObject({ version: "1.0.0", value: { lock: elsewhere } });
    expect(await selected({ remote: value.remote })).toMatchObject({ version: "1.0.0" });
  });

  test("is refused where the package or its signature is not what was published", async ({ expect }) => {
    registry.tamper = (path) => (isDownload({ path }) ? { type: "application/zip", body: "another package" } : undefined);
    await expectRefused(expect, selected([source()]), "checksum");
    const other = await signingKey();
    const [own] = registry.keys;
    registry.tamper = () => undefined;
    registry.keys = [{ ...own!, privateKey: other.privateKey }];
    await expectRefused(expect, selected([source()]), "signature");
    registry.keys = [own!];
    expect(await selected([source()])).toMatchObject({ version: "1.1.0" });
  });

  test("is requested with the credentials of the CLI configuration or the environment", async ({ expect }) => {
    const config = join(home, "credentials.tfrc");
    writeFileSync(config, `credentials ${JSON.stringify(registry.host)} {\n  token = "from-file"\n}\n`);
    await selected([source(), "1.1.0"], environment({ TF_CLI_CONFIG_FILE: config }));
    const authorizations = (): ReadonlySet<string | undefined> =>
      new Set(registry.seen.filter(({ path }) => path.startsWith("/v1/")).map(({ authorization }) => authorization));
    expect(authorizations()).toEqual(new Set(["Bearer from-file"]));
  });

  test("is not found where no such provider, version or platform is published", async ({ expect }) => {
    await expectRefused(expect, selected([`${registry.host}/acme/none`]), "acme/none");
    await expectRefused(expect, selected([source(), ">= 3.0.0"]), "1.1.0");
  });
});

describe("a provider of a mirror in the CLI configuration", { timeout: 120_000 }, () => {
  const configured = (installation: string): Readonly<Record<string, string>> => {
    const config = join(home, "mirror.tfrc");
    writeFileSync(config, `provider_installation {\n${installation}\n}\n`);
    return environment({ TF_CLI_CONFIG_FILE: config });
  };

  test("is installed from a network mirror", async ({ expect }) => {
    const env = configured(`  network_mirror {\n    url = "https://${registry.host}/mirror/"\n  }`);
    expect(await selected(["registry.opentofu.org/acme/textfile"], env)).toMatchObject({ name: "textfile", version: "1.1.0" });
    expect(registry.seen.filter(isDownload)).toHaveLength(1);
  });

  test("without a namespace is one of hashicorp", async ({ expect }) => {
    const env = configured(`  network_mirror {\n    url = "https://${registry.host}/mirror/"\n  }`);
    await expectRefused(expect, selected(["textfile", "1.1.0"], env), "registry.opentofu.org/hashicorp/textfile");
  });

  test("under development is run from its folder", async ({ expect }) => {
    const dev = join(provider.folder, "dev");
    const env = configured(`  dev_overrides {\n    "acme/textfile" = ${JSON.stringify(dev)}\n  }\n  direct {}`);
    expect(await selected(["acme/textfile"], env)).toEqual({
      name: "textfile",
      version: "0.0.0",
      value: { remote: { url: "registry.opentofu.org/acme/textfile", version: "0.0.0" } },
    });
    expect(registry.seen).toEqual([]);
  });
});

describePeer(["sdkv2-provider", "framework-provider"], "a provider's executable", (peers) => {
  test.for([
    ["5", "sdkv2-provider"],
    ["6", "framework-provider"],
  ] as const)(
    "of protocol %s is selected by its path, with only some of its components",
    { timeout: 180_000 },
    async ([, name], { expect }) => {
      await using plugin = await PluginProcess.start([engine.address]);
      const calls = plugin.connect();
      const parse = async (): Promise<{ readonly name: string; readonly resources: object }> =>
        JSON.parse((await calls.getSchema({})).schema) as { readonly name: string; readonly resources: object };
      await calls.parameterize({ parameters: { case: "args", value: { args: [peers[name].path, "--provider-name", "renamed"] } } });
      const all = await parse();
      expect(all.name).toBe("renamed");
      const [token = ""] = Object.keys(all.resources);
      expect(token).toMatch(/^renamed:index\//);

      await using second = await PluginProcess.start([engine.address]);
      const filtered = second.connect();
      const typeName = name === "sdkv2-provider" ? await firstType(peers[name].path) : "framework_record";
      await filtered.parameterize({ parameters: { case: "args", value: { args: [peers[name].path, "--exclude", typeName] } } });
      const rest = JSON.parse((await filtered.getSchema({})).schema) as { readonly resources: object };
      expect(Object.keys(rest.resources)).toHaveLength(Object.keys(all.resources).length - 1);
    },
  );
});

/** Name of the first resource type of a provider. */
async function firstType(path: string): Promise<string> {
  const { launchProvider } = await import("@tenon/plugin-host");
  await using launched = await launchProvider({ command: path });
  const { resources } = await launched.getProviderSchema({});
  return [...resources.keys()][0]!;
}
