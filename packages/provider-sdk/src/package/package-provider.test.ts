// SPDX-License-Identifier: Apache-2.0
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { currentPlatform } from "./platform.ts";
import { packageProgram } from "./package-program.ts";
import { packageProvider, type PackageOptions } from "./package-provider.ts";
import { writePackage } from "./write-package.ts";

/** A program that reports how it was started, on the file descriptor of the handshake line. */
const program = `
import { writeSync } from "node:fs";
if (process.env.TENON_PROVIDER_INSPECT) {
  console.log('{"protocols":[5,6]}');
  process.exit(0);
}
console.log("noise");
const { late } = await import("./late.ts");

writeSync(Number(process.env.TENON_HANDSHAKE_FD), JSON.stringify({ late, args: process.argv.slice(2), node: process.execPath, folder: import.meta.dirname, pid: process.pid }) + "\\n");
`;
const late = `import { connect } from "node:http2";\nexport const late: string = "read late";\nexport const used = () => connect;\n`;

/** Writes a module to preload: it makes Node report version 20.9.0, and removes what that version lacks. */
function oldNode(folder: string): string {
  const path = join(folder, "old-node.cjs");
  const lines = [
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.9.0" } });`,
    "delete process.getBuiltinModule;",
    "delete Promise.withResolvers;",
  ];
  writeFileSync(path, lines.join("\n"));
  return path;
}

/** The report of the packaged program. */
interface Report {
  readonly late: string;
  readonly args: readonly string[];
  readonly node: string;
  readonly folder: string;
  readonly pid: number;
}

describe.skipIf(process.platform === "win32")("a packaged program", () => {
  let folder = "";
  let options: PackageOptions;
  const out = (): string => join(folder, "out");
  const launcher = (): string => join(out(), "dev", "terraform-provider-demo");
  const run = (path: string, env: NodeJS.ProcessEnv = {}, args: readonly string[] = []): Report =>
    JSON.parse(
      execFileSync(path, args, { encoding: "utf8", env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "ignore"] }),
    ) as Report;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tenon package "));
    writeFileSync(join(folder, "main.ts"), program);
    writeFileSync(join(folder, "late.ts"), late);
    options = {
      main: join(folder, "main.ts"),
      out: out(),
      name: "demo",
      version: "1.2.3",
      address: "example.com/ns/demo",
      mirror: true,
      zip: true,
    };
    await packageProvider(options);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("starts under the Node that packaged it, with its arguments, in its own folder", ({ expect }) => {
    const report = run(launcher(), {}, ["--debug", "two words"]);
    expect(report).toMatchObject({ late: "read late", args: ["--debug", "two words"], node: process.execPath, folder: join(out(), "dev") });
  });

  test("runs as one process: the launcher replaces itself with Node", ({ expect }) => {
    const { pid, stdout } = spawnSync(launcher(), { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    expect((JSON.parse(stdout) as Report).pid).toBe(pid);
  });

  test("prints only the handshake line to standard output, also with a preloaded module (pitfall 1)", ({ expect }) => {
    const preloaded = join(folder, "banner.cjs");
    writeFileSync(preloaded, `console.log("a banner");`);
    const { stdout, stderr } = spawnSync(launcher(), {
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: `--require "${preloaded}"` },
    });
    expect(stdout[0]).toBe("{");
    expect(stderr).toContain("a banner\nnoise\n");
  });

  test("starts through a link, a chain of links, a relative link and a linked folder", ({ expect }) => {
    const links = join(folder, "links");
    mkdirSync(join(links, "deeper"), { recursive: true });
    symlinkSync(launcher(), join(links, "absolute"));
    symlinkSync("../../out/dev/terraform-provider-demo", join(links, "deeper", "relative"));
    symlinkSync("deeper/relative", join(links, "chain"));
    symlinkSync(join(out(), "dev"), join(links, "folder"));
    for (const path of ["absolute", "deeper/relative", "chain", "folder/terraform-provider-demo"]) {
      expect(run(join(links, path)).late, path).toBe("read late");
    }
  });

  test("starts from a read-only folder, and writes no files into it (pitfall 32)", ({ expect }) => {
    const copy = join(folder, "read-only");
    cpSync(join(out(), "dev"), copy, { recursive: true });
    chmodSync(copy, 0o555);
    const before = readdirSync(copy);
    expect(run(join(copy, "terraform-provider-demo")).late).toBe("read late");
    expect(readdirSync(copy)).toEqual(before);
    chmodSync(copy, 0o755);
  });

  test("prefers the Node in TENON_NODE", ({ expect }) => {
    const other = join(folder, "other-node");
    symlinkSync(process.execPath, other);
    writeFileSync(
      join(folder, "fake-node"),
      `#!/bin/sh\n[ "$1" = --version ] && echo v99.0.0 && exit\necho '{"late":"another one"}' >&3\n`,
      {
        mode: 0o755,
      },
    );
    expect(run(launcher(), { TENON_NODE: other }).late).toBe("read late");
    expect(run(launcher(), { TENON_NODE: join(folder, "fake-node") }).late).toBe("another one");
  });

  test("rejects a recorded Node that is too old when it starts, in the first line of standard output", ({ expect }) => {
    const { status, stdout, stderr } = spawnSync(launcher(), {
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: `--require "${oldNode(folder)}"` },
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    const bundled = join(out(), "dev", "provider.mjs");
    expect(stdout).toBe(
      `${bundled}: ${process.execPath} is Node 20.9.0; install Node 22.19 or newer, or set TENON_NODE to the path of one\n`,
    );
  });

  test.for([
    [{}, 8],
    [{ youngGenerationMiB: 32 }, 32],
  ] as const)("has the young generation of its options: %o, %i MiB", async ([settings, expected], { expect }) => {
    const main = join(folder, "flags.ts");
    writeFileSync(
      main,
      `import { writeSync } from "node:fs";\nwriteSync(Number(process.env.TENON_HANDSHAKE_FD), process.execArgv.join());\n`,
    );
    const packaged = join(folder, `young-${expected}`);
    await writePackage(packaged, await packageProgram({ main, name: "flags", ...settings }));
    expect(execFileSync(join(packaged, "flags"), { encoding: "utf8" })).toBe(`--max-semi-space-size=${expected}`);
  });

  describe("without a recorded Node", () => {
    let portable = "";
    beforeAll(async () => {
      await packageProvider({ ...options, out: join(folder, "portable"), portable: true });
      portable = join(folder, "portable", "dev", "terraform-provider-demo");
    });
    /** A folder for PATH, with a `node` that reports the version, and the commands that the launcher needs. */
    const pathWith = (name: string, node?: string): string => {
      const bin = join(folder, name);
      mkdirSync(bin);
      if (node !== undefined) writeFileSync(join(bin, "node"), `#!/bin/sh\n${node}\n`, { mode: 0o755 });
      return bin;
    };
    const start = (PATH: string): { status: number | null; stdout: string; stderr: string } =>
      spawnSync(portable, { encoding: "utf8", env: { PATH } });

    test("uses the Node on PATH", ({ expect }) => {
      const bin = pathWith("bin-new");
      symlinkSync(process.execPath, join(bin, "node"));
      expect((JSON.parse(start(bin).stdout) as Report).late).toBe("read late");
    });

    test.for(["v20.19.0", "v22.17.1", "v9.0.0"])("rejects %s, and prints advice", (version, { expect }) => {
      const { status, stdout, stderr } = start(pathWith(`bin-${version}`, `echo ${version}`));
      expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
      expect(stdout).toContain(`is Node ${version.slice(1)}; install Node 22.19 or newer, or set TENON_NODE`);
    });

    test("fails when there is no Node", ({ expect }) => {
      const { status, stdout, stderr } = start(pathWith("bin-empty"));
      expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
      expect(stdout).toContain("there is no Node on PATH");
    });
  });

  test("contains Node with embedNode", async ({ expect }) => {
    const embedding = join(folder, "embedding");
    await packageProvider({ ...options, out: embedding, mirror: false, zip: false, embedNode: true });
    const report = run(join(embedding, "dev", "terraform-provider-demo"), { PATH: "/nowhere" });
    expect(report.node).toBe(join(embedding, "dev", "node"));
  });

  test("has the folder layout of mirrors, unpacked and packed", ({ expect }) => {
    const version = join(out(), "mirror", "example.com", "ns", "demo", "1.2.3", currentPlatform());
    expect(run(join(version, "terraform-provider-demo_v1.2.3")).late).toBe("read late");
    // A host runs the first file, by name, whose name matches the provider.
    expect(readdirSync(version).filter((name) => name.startsWith("terraform-provider-demo"))).toEqual(["terraform-provider-demo_v1.2.3"]);
    expect(readdirSync(join(out(), "packed-mirror", "example.com", "ns", "demo"))).toEqual([
      `terraform-provider-demo_1.2.3_${currentPlatform()}.zip`,
    ]);
  });

  test("has a release with checksums of the published files", ({ expect }) => {
    const release = join(out(), "release");
    const base = "terraform-provider-demo_1.2.3";
    const sums = readFileSync(join(release, `${base}_SHA256SUMS`), "utf8")
      .trimEnd()
      .split("\n");
    expect(sums).toHaveLength(2);
    for (const line of sums) {
      const [sum, name = ""] = line.split("  ");
      expect(
        createHash("sha256")
          .update(readFileSync(join(release, name)))
          .digest("hex"),
        name,
      ).toBe(sum);
    }
  });

  test("is reproducible byte for byte", async ({ expect }) => {
    const again = join(folder, "again");
    await packageProvider({ ...options, out: again });
    for (const path of [
      `release/terraform-provider-demo_1.2.3_${currentPlatform()}.zip`,
      "dev/provider.mjs",
      "dev/provider.mjs.map",
      "dev/terraform-provider-demo",
    ]) {
      expect(Buffer.compare(readFileSync(join(again, path)), readFileSync(join(out(), path))), path).toBe(0);
    }
  });

  test("ships source maps that name the sources from the project and contain no path of this machine", ({ expect }) => {
    const dev = join(out(), "dev");
    const code = readdirSync(dev).filter((name) => name.endsWith(".mjs"));
    expect(code.length).toBeGreaterThan(1);
    const sources = code.flatMap((name) => {
      expect(readFileSync(join(dev, name), "utf8").split("\n").slice(-2)).toEqual([`//# sourceMappingURL=${name}.map`, ""]);
      const map = readFileSync(join(dev, `${name}.map`), "utf8");
      expect(map).not.toContain(folder);
      return (JSON.parse(map) as { readonly sources: readonly string[] }).sources;
    });
    // From `dist-provider/dev` below the project, wherever the output is written.
    expect(sources).toEqual(expect.arrayContaining(["../../main.ts", "../../late.ts"]));
  });

  test("has no source maps with sourceMaps: false", async ({ expect }) => {
    await packageProvider({ ...options, out: join(folder, "without-maps"), sourceMaps: false });
    const dev = join(folder, "without-maps", "dev");
    expect(readdirSync(dev).filter((name) => name.endsWith(".map"))).toEqual([]);
    expect(readFileSync(join(dev, "provider.mjs"), "utf8")).not.toContain("sourceMappingURL");
    expect(run(join(dev, "terraform-provider-demo")).late).toBe("read late");
  });

  test("removes the files of an earlier version", async ({ expect }) => {
    const stray = join(out(), "dev", "terraform-provider-demo.map");
    writeFileSync(stray, "");
    await packageProvider(options);
    expect(existsSync(stray)).toBe(false);
  });
});

describe("packageProvider rejects", () => {
  const valid: PackageOptions = { main: "main.ts", out: "out", name: "demo", version: "1.2.3" };
  test.for([
    [{ name: "Demo" }, `"Demo" is not a valid provider name`],
    [{ version: "v1" }, `"v1" is not a valid version`],
    [{ mirror: true }, "a mirror needs --address"],
    [{ address: "ns/demo" }, `"ns/demo" is not a complete source address`],
    [{ address: "example.com/ns/other" }, "ends in other, but the provider's name is demo"],
  ] as const)("%j", async ([wrong, why], { expect }) => {
    const refused = expect.objectContaining({ code: "INVALID_PACKAGE_OPTION", message: expect.stringContaining(why) as string });
    await expect(packageProvider({ ...valid, ...wrong })).rejects.toThrow(refused as never);
  });

  test("sources that cannot be bundled, with file and line", async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-"));
    writeFileSync(join(folder, "main.ts"), `import { gone } from "./gone.ts";\ngone();\n`);
    const refused = expect.objectContaining({
      code: "BUNDLE_FAILED",
      message: expect.stringMatching(/gone\.ts[\s\S]*main\.ts:1/) as string,
    });
    await expect(packageProvider({ ...valid, main: join(folder, "main.ts"), out: join(folder, "out") })).rejects.toThrow(refused as never);
    rmSync(folder, { recursive: true });
  });
});

describe.skipIf(process.platform === "win32")("packageProvider rejects a provider", () => {
  const serving = (provider: string): Readonly<Record<string, string>> => ({
    "main.ts": `import { serve } from ${JSON.stringify(join(import.meta.dirname, "../serve/index.ts"))};\nawait serve(() => import("./provider.ts"));\n`,
    "provider.ts": `import { attr, defineProvider } from ${JSON.stringify(join(import.meta.dirname, "../index.ts"))};\n${provider}`,
  });
  test.for<readonly [string, Readonly<Record<string, string>>, RegExp]>([
    [
      "that does not load",
      serving(`\nthrow new Error("no such file");\nexport default {} as never;\n`),
      /no such file[\s\S]*provider\.ts:3/,
    ],
    ["that does not call serve", { "main.ts": "export {};\n" }, /ended without calling serve/],
    ["whose program throws", { "main.ts": `\nthrow new Error("at once");\n` }, /does not start[\s\S]*main\.ts:2[\s\S]*at once/],
    [
      "with an invalid schema",
      serving(
        `\nconst demo = defineProvider({ name: "demo", version: "1.0.0" });\nexport default demo.with([\n  demo.dataSource("a", { schema: { Bad: attr.string({ computed: true }) }, read: () => ({ Bad: "" }) }),\n]);\n`,
      ),
      /attribute Bad: a name must consist of lower-case letters[\s\S]*provider\.ts:5/,
    ],
  ])("%s", async ([, files, message], { expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-unusable-"));
    try {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      const options = { main: join(folder, "main.ts"), out: join(folder, "out"), name: "demo", version: "1.0.0" };
      await expect(packageProvider(options)).rejects.toThrow(
        expect.objectContaining({ code: "UNUSABLE_PROVIDER", message: expect.stringMatching(message) as string }),
      );
      expect(existsSync(join(folder, "out"))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
