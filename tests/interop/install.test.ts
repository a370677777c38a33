// SPDX-License-Identifier: Apache-2.0
// installProvider and both CLIs install from the same registry and mirror, with the same results.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, openProvider } from "@tenon/plugin-host";
import {
  currentPlatform,
  decodeCliConfig,
  formatPlatform,
  type InstallEvent,
  installProvider,
  type InstallOptions,
} from "@tenon/plugin-host/install";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";
import { ProviderRegistry, signingKey } from "./provider-registry.ts";

const platform = formatPlatform(currentPlatform());

let provider: PackagedProvider;
let registry: ProviderRegistry;
const caches: string[] = [];

beforeAll(async () => {
  provider = packageExample("apps/examples/textfile/main.ts", "--name", "textfile", "--version", "1.1.0", "--zip");
  const files = readdirSync(provider.folder, { recursive: true, encoding: "utf8" });
  const zip = readFileSync(
    join(
      provider.folder,
      files.find((name) => name.endsWith(".zip"))!,
    ),
  );
  registry = await ProviderRegistry.start();
  registry.keys = [await signingKey()];
  registry.packages = ["1.0.0", "1.1.0", "2.0.0-rc1"].map((version) => ({ namespace: "acme", type: "textfile", version, platform, zip }));
});
afterAll(async () => {
  provider[Symbol.dispose]();
  await registry[Symbol.asyncDispose]();
});
afterEach(() => {
  registry.seen.length = 0;
  registry.tamper = () => undefined;
  registry.ociPassword = undefined;
  for (const folder of caches.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const source = (): string => `${registry.host}/acme/textfile`;
const mirrorConfig = (): string => `provider_installation {\n  network_mirror {\n    url = "https://${registry.host}/mirror/"\n  }\n}\n`;

/** Returns options with an empty cache, without the machine's own configuration. */
function settings(more: InstallOptions = {}): InstallOptions & Required<Pick<InstallOptions, "cacheFolder" | "environment">> {
  const cacheFolder = mkdtempSync(join(tmpdir(), "tenon-cache-"));
  caches.push(cacheFolder);
  return { cacheFolder, environment: { ...registry.environment, HOME: cacheFolder }, ...more };
}

describe("installProvider", () => {
  test("installs and verifies the newest release of a registry, which can be launched", async ({ expect }) => {
    const events: InstallEvent[] = [];
    const installed = await installProvider(source(), settings({ version: "~> 1.0", onProgress: (event) => events.push(event) }));
    expect(installed).toMatchObject({ address: source(), version: "1.1.0", source: registry.host, trust: "signed" });
    expect(installed.signedBy).toEqual([expect.stringMatching(/^[0-9A-F]{16}$/)]);
    expect(installed.hashes).toEqual([expect.stringMatching(/^h1:/), expect.stringMatching(/^zh:/)]);
    expect([...new Set(events.map(({ kind }) => kind))]).toEqual([
      "looking",
      "warning",
      "selected",
      "downloading",
      "verifying",
      "unpacking",
      "installed",
    ]);
    await using launched = await launchProvider({ command: installed.executable });
    const { resources } = await launched.getProviderSchema({});
    expect([...resources.keys()]).toEqual(["textfile_file"]);
  });

  test("uses the cache without a request, unless upgrade is set", async ({ expect }) => {
    const options = settings({ version: "= 1.0.0" });
    const first = await installProvider(source(), options);
    registry.seen.length = 0;
    expect(await installProvider(source(), { ...options, version: "~> 1.0" })).toEqual(first);
    expect(registry.seen).toEqual([]);
    expect(await installProvider(source(), { ...options, version: "~> 1.0", upgrade: true })).toMatchObject({ version: "1.1.0" });
  });

  test("installs one complete package when it runs twenty times at once", async ({ expect }) => {
    const options = settings();
    const all = await Promise.all(Array.from({ length: 20 }, async () => await installProvider(source(), options)));
    expect(new Set(all.map(({ executable }) => executable)).size).toBe(1);
    const temporary = readdirSync(options.cacheFolder, { recursive: true, encoding: "utf8" }).filter(
      (name) => /(?:^|\/)\./.test(name) && !name.startsWith(".cache"),
    );
    expect(temporary).toEqual([]);
  });

  test("is called by openProvider for a source address", async ({ expect }) => {
    const { cacheFolder, environment } = settings();
    const install = { cacheFolder, environment };
    await using textfile = await openProvider(source(), { version: "~> 1.0", install, config: { folder: cacheFolder } });
    const files = textfile.resource("textfile_file");
    const path = join(cacheFolder, "note.txt");
    const file = await files.create({ name: "note.txt", text: "kept" });
    expect(readFileSync(path, "utf8")).toBe("kept");
    await files.delete(file);
    expect(existsSync(path)).toBe(false);
  });

  test("prefers a development override to all other sources", async ({ expect }) => {
    const { cacheFolder, environment } = settings();
    const config = `provider_installation {\n  dev_overrides {\n    "acme/textfile" = "${join(provider.folder, "dev")}"\n  }\n}\n`;
    const cliConfig = decodeCliConfig(config, "cli.tfrc", "opentofu", {});
    const installed = await installProvider("acme/textfile", { cacheFolder, environment, cliConfig });
    expect(installed).toMatchObject({ trust: "development", executable: join(provider.folder, "dev", "terraform-provider-textfile") });
    expect(installed.version).toBeUndefined();
    await using textfile = await openProvider("acme/textfile", {
      install: { cacheFolder, environment, cliConfig },
      config: { folder: cacheFolder },
    });
    expect([...textfile.schema.resources.keys()]).toEqual(["textfile_file"]);
  });

  test("searches the local folders of the CLIs, packed and unpacked", async ({ expect }) => {
    const { cacheFolder, environment } = settings();
    const folder = join(cacheFolder, ".terraform.d", "plugins", "example.com", "acme", "textfile");
    mkdirSync(join(folder, "1.0.0"), { recursive: true });
    symlinkSync(join(provider.folder, "dev"), join(folder, "1.0.0", platform));
    const [{ zip } = { zip: new Uint8Array() }] = registry.packages;
    writeFileSync(join(folder, `terraform-provider-textfile_1.1.0_${platform}.zip`), zip);
    const own = { cacheFolder: join(cacheFolder, "cache"), environment };
    const packed = await installProvider("example.com/acme/textfile", own);
    expect(packed).toMatchObject({ version: "1.1.0", trust: "none", source: join(cacheFolder, ".terraform.d", "plugins") });
    const unpacked = await installProvider("example.com/acme/textfile", { ...own, version: "1.0.0" });
    expect(unpacked).toMatchObject({ version: "1.0.0", folder: join(folder, "1.0.0", platform) });
    expect(registry.seen).toEqual([]);
  });

  test("installs from a network mirror in the CLI configuration", async ({ expect }) => {
    const options = settings();
    const tokens = { [`TF_TOKEN_${registry.host.replaceAll(".", "_")}`]: "s3cret" };
    const cliConfig = decodeCliConfig(mirrorConfig(), "cli.tfrc", "opentofu", {});
    const environment = { ...options.environment, ...tokens };
    const installed = await installProvider("acme/textfile", { ...options, cliConfig, environment });
    expect(installed).toMatchObject({
      address: "registry.opentofu.org/acme/textfile",
      version: "1.1.0",
      source: `https://${registry.host}/mirror/`,
      trust: "checksum",
    });
    const [index, details, archive] = registry.seen;
    expect([index?.authorization, details?.authorization, archive?.authorization]).toEqual(["Bearer s3cret", "Bearer s3cret", undefined]);
  });
});

const ociConfig = (more = ""): string => `provider_installation {
  oci_mirror {
    repository_template = "${registry.host}/\${namespace}/\${type}"
    include             = ["registry.opentofu.org/*/*"]
  }
}
${more}`;

/** Makes the registry require a token, and returns a configuration with its credentials. */
function signedIn(): string {
  registry.ociPassword = `Basic ${Buffer.from("me:secret").toString("base64")}`;
  return ociConfig(`oci_credentials "${registry.host}/acme" {\n  username = "me"\n  password = "secret"\n}\n`);
}

describe("an OCI mirror", () => {
  test("provides the registry's package, with or without credentials", async ({ expect }) => {
    for (const config of [ociConfig, signedIn]) {
      const options = settings({ version: "~> 1.0", cliConfig: decodeCliConfig(config(), "cli.tfrc", "opentofu", {}) });
      expect(await installProvider("acme/textfile", options)).toMatchObject({
        address: "registry.opentofu.org/acme/textfile",
        version: "1.1.0",
        source: `${registry.host}/acme/textfile`,
        trust: "checksum",
      });
    }
  });

  test("does not receive the password of another repository", async ({ expect }) => {
    signedIn();
    const other = ociConfig('oci_credentials "example.com/acme" {\n  username = "me"\n  password = "secret"\n}\n');
    const options = settings({ cliConfig: decodeCliConfig(other, "cli.tfrc", "opentofu", {}) });
    await expect(installProvider("acme/textfile", options)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(registry.seen.map(({ authorization }) => authorization)).not.toContainEqual(expect.stringContaining("Basic"));
  });
});

describePeer(["tofu"], "an OCI mirror under tofu", ({ tofu }) => {
  test("results in the same lock file as with installProvider", async ({ expect }) => {
    const config = signedIn();
    using workspace = new CliWorkspace(tofu.path, { kind: "filesystemMirror", folder: "/nowhere" });
    const requirements = 'terraform {\n  required_providers {\n    textfile = { source = "acme/textfile", version = "~> 1.0" }\n  }\n}\n';
    workspace.write({ "main.tf": requirements, "cli.tfrc": config });
    await workspace.must(["init", "-no-color"], { env: registry.environment });
    const options = settings({ version: "~> 1.0", cliConfig: decodeCliConfig(config, "cli.tfrc", "opentofu", {}) });
    const lockFile = join(options.cacheFolder, "own.lock.hcl");
    await installProvider("acme/textfile", { ...options, lockFile });
    expect(readFileSync(lockFile, "utf8")).toBe(readFileSync(join(workspace.folder, ".terraform.lock.hcl"), "utf8"));
  });
});

test("npm start prints the source of a provider and how it was verified", async ({ expect }) => {
  const { cacheFolder, environment } = settings();
  const main = join(import.meta.dirname, "../../apps/examples/tour/main.ts");
  const env = { PATH: process.env["PATH"], XDG_CACHE_HOME: cacheFolder, ...environment };
  const start = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [main, ...args], { env })).stdout;
  const first = await start(source(), "~> 1.0");
  expect(first).toMatch(new RegExp(`✓ ${source()} 1\\.1\\.0 \\d`));
  expect(first).toContain(`from ${registry.host}`);
  expect(first).toMatch(/its checksums are signed with the key [0-9A-F]{16}/);
  expect(first).toMatch(/✓ started terraform-provider-textfile_v1\.1\.0, process \d+/);
  expect(first).toContain("✓ 1 resource ");
  expect(first).toContain("textfile_file  2 attributes");
  const again = await start(source(), "~> 1.0");
  expect(again).toContain(`✓ ${source()} 1.1.0, from the cache`);
  expect(again).toMatch(/its checksums are signed with the key [0-9A-F]{16}/);
  const file = await start(join(provider.folder, "dev", "terraform-provider-textfile"));
  expect(file).toMatch(/not verified\n {2}sha256:[0-9a-f]{64}\n/);
  expect(file).toContain("textfile_file  2 attributes");
});

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `an installation by ${cli}`, (peers) => {
    const required = (address: string): string => `terraform {
      required_providers {
        textfile = { source = "${address}", version = "~> 1.0" }
      }
    }`;

    const flavour = cli === "tofu" ? "opentofu" : "terraform";

    test.for(["registry", "mirror"] as const)(
      "from the %s writes the same lock file as installProvider (pitfall 33)",
      async (from, { expect }) => {
        const config = from === "mirror" ? mirrorConfig() : "provider_installation {\n  direct {}\n}\n";
        const address = from === "mirror" ? "acme/textfile" : source();
        using workspace = new CliWorkspace(peers[cli].path, { kind: "filesystemMirror", folder: "/nowhere" });
        workspace.write({ "main.tf": required(address), "cli.tfrc": config });
        await workspace.must(["init", "-no-color"], { env: registry.environment });
        const lockFile = join(workspace.folder, ".terraform.lock.hcl");
        const theirs = readFileSync(lockFile, "utf8");

        // A new lock file of installProvider has the same bytes.
        const options = settings({ version: "~> 1.0", flavour, cliConfig: decodeCliConfig(config, "cli.tfrc", flavour, {}) });
        const ownLock = join(options.cacheFolder, "own.lock.hcl");
        const installed = await installProvider(address, { ...options, lockFile: ownLock });
        expect(readFileSync(ownLock, "utf8")).toBe(theirs);

        // installProvider accepts the CLI's lock file without a change, with a cached and with a downloaded package.
        for (const cacheFolder of [options.cacheFolder, settings().cacheFolder]) {
          const again = { ...options, cacheFolder, lockFile, readonlyLockFile: true };
          expect(await installProvider(address, again)).toMatchObject({ version: "1.1.0", hashes: installed.hashes });
        }
        expect(readFileSync(lockFile, "utf8")).toBe(theirs);

        // The CLI accepts the lock file of installProvider.
        writeFileSync(lockFile, readFileSync(ownLock));
        rmSync(join(workspace.folder, ".terraform"), { recursive: true });
        await workspace.must(["init", "-no-color", "-lockfile=readonly"], { env: registry.environment });
      },
    );

    test("accepts an expired key, as installProvider does", async ({ expect }) => {
      const past = new Date(Date.now() - 10 * 86_400_000);
      const valid = registry.keys;
      try {
        registry.keys = [await signingKey({ date: past, expiresInSeconds: 5 * 86_400 })];
        registry.signedAt = new Date(past.getTime() + 86_400_000);
        using workspace = new CliWorkspace(peers[cli].path, { kind: "filesystemMirror", folder: "/nowhere" });
        workspace.write({ "main.tf": required(source()), "cli.tfrc": "provider_installation {\n  direct {}\n}\n" });
        const { code, stdout, stderr } = await workspace.run(["init", "-no-color"], { env: registry.environment });
        expect(code, stdout + stderr).toBe(0);
        expect(await installProvider(source(), settings({ flavour }))).toMatchObject({ trust: "signed" });
      } finally {
        registry.keys = valid;
        registry.signedAt = undefined;
      }
    });

    test("requires a signature, as installProvider does", async ({ expect }) => {
      const valid = registry.keys;
      try {
        registry.keys = [];
        using workspace = new CliWorkspace(peers[cli].path, { kind: "filesystemMirror", folder: "/nowhere" });
        workspace.write({ "main.tf": required(source()), "cli.tfrc": "provider_installation {\n  direct {}\n}\n" });
        const { code, stderr } = await workspace.run(["init", "-no-color"], { env: registry.environment });
        expect([code, stderr]).toEqual([1, expect.stringContaining("sign")]);
        await expect(installProvider(source(), settings({ flavour }))).rejects.toMatchObject({ code: "SIGNATURE_INVALID" });
      } finally {
        registry.keys = valid;
      }
    });

    test("fills the plugin cache that installProvider uses", async ({ expect }) => {
      const options = settings({ version: "~> 1.0", flavour });
      const cache = join(options.cacheFolder, "shared");
      mkdirSync(cache);
      const env = { ...registry.environment, TF_PLUGIN_CACHE_DIR: cache };
      using workspace = new CliWorkspace(peers[cli].path, { kind: "filesystemMirror", folder: "/nowhere" });
      workspace.write({ "main.tf": required(source()), "cli.tfrc": "" });
      await workspace.must(["init", "-no-color"], { env });
      registry.seen.length = 0;
      const lockFile = join(workspace.folder, ".terraform.lock.hcl");
      const shared = { ...options, environment: { ...options.environment, ...env }, cacheFolder: cache, lockFile };
      const installed = await installProvider(source(), shared);
      expect(installed.folder).toBe(join(cache, registry.host, "acme", "textfile", "1.1.0", platform));
      expect(registry.seen).toEqual([]);
    });
  });
}
