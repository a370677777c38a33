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
import { packageProvider, type PackageOptions } from "./package-provider.ts";

/** A program that says how it was started, on the descriptor meant for the handshake line. */
const program = `
import { writeSync } from "node:fs";
console.log("noise");
const { late } = await import("./late.ts");

writeSync(Number(process.env.TENON_HANDSHAKE_FD), JSON.stringify({ late, args: process.argv.slice(2), node: process.execPath, folder: import.meta.dirname, pid: process.pid }) + "\\n");
`;
const late = `import { connect } from "node:http2";\nexport const late: string = "read late";\nexport const used = () => connect;\n`;

interface Said {
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
  const run = (path: string, env: NodeJS.ProcessEnv = {}, args: readonly string[] = []): Said =>
    JSON.parse(
      execFileSync(path, args, { encoding: "utf8", env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "ignore"] }),
    ) as Said;

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
    const said = run(launcher(), {}, ["--debug", "two words"]);
    expect(said).toMatchObject({ late: "read late", args: ["--debug", "two words"], node: process.execPath, folder: join(out(), "dev") });
  });

  test("is one process: the launcher becomes Node", ({ expect }) => {
    const { pid, stdout } = spawnSync(launcher(), { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    expect((JSON.parse(stdout) as Said).pid).toBe(pid);
  });

  test("lets nothing but the handshake line onto standard output, whatever is preloaded (pitfall 1)", ({ expect }) => {
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

  test("starts from a folder that nobody can write to, and leaves nothing in it (pitfall 32)", ({ expect }) => {
    const copy = join(folder, "read-only");
    cpSync(join(out(), "dev"), copy, { recursive: true });
    chmodSync(copy, 0o555);
    const before = readdirSync(copy);
    expect(run(join(copy, "terraform-provider-demo")).late).toBe("read late");
    expect(readdirSync(copy)).toEqual(before);
    chmodSync(copy, 0o755);
  });

  test("prefers the Node it is told to take", ({ expect }) => {
    const other = join(folder, "other-node");
    symlinkSync(process.execPath, other);
    writeFileSync(join(folder, "said-so"), `#!/bin/sh\necho '{"late":"another one"}' >&3\n`, { mode: 0o755 });
    expect(run(launcher(), { TENON_NODE: other }).late).toBe("read late");
    expect(run(launcher(), { TENON_NODE: join(folder, "said-so") }).late).toBe("another one");
  });

  describe("without a recorded Node", () => {
    let portable = "";
    beforeAll(async () => {
      await packageProvider({ ...options, out: join(folder, "portable"), portable: true });
      portable = join(folder, "portable", "dev", "terraform-provider-demo");
    });
    /** A folder to be PATH, with a `node` that says it is of a version, and what the launcher itself needs. */
    const pathWith = (name: string, node?: string): string => {
      const bin = join(folder, name);
      mkdirSync(bin);
      if (node !== undefined) writeFileSync(join(bin, "node"), `#!/bin/sh\n${node}\n`, { mode: 0o755 });
      return bin;
    };
    const start = (PATH: string): { status: number | null; stdout: string; stderr: string } =>
      spawnSync(portable, { encoding: "utf8", env: { PATH } });

    test("takes the one on PATH", ({ expect }) => {
      const bin = pathWith("bin-new");
      symlinkSync(process.execPath, join(bin, "node"));
      expect((JSON.parse(start(bin).stdout) as Said).late).toBe("read late");
    });

    test.for(["v20.19.0", "v22.17.1", "v9.0.0"])("refuses %s, and says what to do", (version, { expect }) => {
      const { status, stdout, stderr } = start(pathWith(`bin-${version}`, `echo ${version}`));
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toContain(`is Node ${version.slice(1)}; install Node 22.18 or newer, or set TENON_NODE`);
    });

    test("says so when there is none", ({ expect }) => {
      const { status, stdout, stderr } = start(pathWith("bin-empty"));
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toContain("there is no Node on PATH");
    });
  });

  test("carries its Node when it is told to", async ({ expect }) => {
    const embedding = join(folder, "embedding");
    await packageProvider({ ...options, out: embedding, mirror: false, zip: false, embedNode: true });
    const said = run(join(embedding, "dev", "terraform-provider-demo"), { PATH: "/nowhere" });
    expect(said.node).toBe(join(embedding, "dev", "node"));
  });

  test("lies in a mirror as hosts look for it, unpacked and packed", ({ expect }) => {
    const version = join(out(), "mirror", "example.com", "ns", "demo", "1.2.3", currentPlatform());
    expect(run(join(version, "terraform-provider-demo_v1.2.3")).late).toBe("read late");
    // A host takes the first file in order of name that looks like the provider.
    expect(readdirSync(version).filter((name) => name.startsWith("terraform-provider-demo"))).toEqual(["terraform-provider-demo_v1.2.3"]);
    expect(readdirSync(join(out(), "packed-mirror", "example.com", "ns", "demo"))).toEqual([
      `terraform-provider-demo_1.2.3_${currentPlatform()}.zip`,
    ]);
  });

  test("is released with checksums of what is published", ({ expect }) => {
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

  test("comes out the same, byte for byte", async ({ expect }) => {
    const again = join(folder, "again");
    await packageProvider({ ...options, out: again });
    for (const path of [
      `release/terraform-provider-demo_1.2.3_${currentPlatform()}.zip`,
      "dev/provider.mjs",
      "dev/terraform-provider-demo",
    ]) {
      expect(Buffer.compare(readFileSync(join(again, path)), readFileSync(join(out(), path))), path).toBe(0);
    }
  });

  test("leaves no file of an earlier version beside it", async ({ expect }) => {
    const stray = join(out(), "dev", "terraform-provider-demo.map");
    writeFileSync(stray, "");
    await packageProvider(options);
    expect(existsSync(stray)).toBe(false);
  });
});

describe("packageProvider refuses", () => {
  const valid: PackageOptions = { main: "main.ts", out: "out", name: "demo", version: "1.2.3" };
  test.for([
    [{ name: "Demo" }, `"Demo" is no name for a provider`],
    [{ version: "v1" }, `"v1" is no version`],
    [{ mirror: true }, "a mirror needs --address"],
    [{ address: "ns/demo" }, `"ns/demo" is no address in full`],
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
