// SPDX-License-Identifier: Apache-2.0
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterAll, describe, test } from "vitest";
import { describePeer } from "./describe-peer.ts";

const here = import.meta.dirname;
const sources = ["build.mjs", "installed.mjs", "python-peer.mjs", "peers.ts"];

const temporary = mkdtempSync(join(tmpdir(), "peers-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** Copies this folder's programs, without Go modules and built peers. */
function emptyCopy(): string {
  const copy = mkdtempSync(join(temporary, "copy-"));
  for (const source of sources) cpSync(join(here, source), join(copy, source));
  return copy;
}

/** Calls findPeer in its own process, with the test's PATH and TENON_PEERS. */
function findIn(folder: string, name: string, env: Record<string, string> = {}): { stdout: string; stderr: string; status: number | null } {
  const script = `import { findPeer } from ${JSON.stringify(join(folder, "peers.ts"))}; console.log(JSON.stringify(findPeer(${JSON.stringify(name)}) ?? null));`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", env: { PATH: "/nowhere", ...env } });
}

/** Writes a shell script into a new folder; returns the folder for PATH. */
function fakeCommand(folder: string, name: string, body: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(bin, name), 0o755);
  return bin;
}

describe("findPeer", () => {
  test("returns undefined for a peer that is not built", ({ expect }) => {
    const { stdout, status } = findIn(emptyCopy(), "tofu");
    expect({ stdout: stdout.trim(), status }).toEqual({ stdout: "null", status: 0 });
  });

  test("names the command that builds a required peer", ({ expect }) => {
    const { stderr, status } = findIn(emptyCopy(), "tofu", { TENON_PEERS: "required" });
    expect(status).toBe(1);
    expect(stderr).toContain("TENON_PEERS=required, but tofu is not built: run `npm run peers`");
  });

  test("names the command that builds a peer that only a benchmark needs", ({ expect }) => {
    const { stderr, status } = findIn(emptyCopy(), "kubernetes-controller", { TENON_PEERS: "required" });
    expect(status).toBe(1);
    expect(stderr).toContain("kubernetes-controller is not built: run `npm run peers -- --only kubernetes-controller`");
  });

  test.for(["terraform", "kubectl", "pulumi", "pyvider-provider"])("never requires %s, which is optional", (name, { expect }) => {
    const { stdout, status } = findIn(emptyCopy(), name, { TENON_PEERS: "required" });
    expect({ stdout: stdout.trim(), status }).toEqual({ stdout: "null", status: 0 });
  });

  test.runIf(process.platform !== "win32")("finds terraform on PATH and ignores the caller's TF_ variables", ({ expect }) => {
    const folder = emptyCopy();
    const PATH = fakeCommand(folder, "terraform", `echo "{\\"terraform_version\\":\\"1.2.3$TF_CLI_ARGS\\"}"`);
    const { stdout } = findIn(folder, "terraform", { PATH: `relative${delimiter}${PATH}`, TF_CLI_ARGS: "-bad" });
    expect(JSON.parse(stdout)).toEqual({ name: "terraform", version: "1.2.3", path: join(PATH, "terraform") });
  });

  test.runIf(process.platform !== "win32")("returns undefined for a terraform that does not run", ({ expect }) => {
    const folder = emptyCopy();
    const PATH = fakeCommand(folder, "terraform", "exit 1");
    expect(findIn(folder, "terraform", { PATH }).stdout.trim()).toBe("null");
  });

  test("returns undefined for a record without its binary", ({ expect }) => {
    const folder = emptyCopy();
    mkdirSync(join(folder, ".build"));
    writeFileSync(join(folder, ".build", "tofu.json"), JSON.stringify({ version: "1.0.0", binary: "tofu" }));
    expect(findIn(folder, "tofu").stdout.trim()).toBe("null");
  });
});

describe("build.mjs", () => {
  const build = (folder: string, env: Record<string, string>, ...args: string[]) =>
    spawnSync(process.execPath, [join(folder, "build.mjs"), ...args], { encoding: "utf8", env });

  test("reports that Go is not installed", ({ expect }) => {
    const { status, stderr } = build(emptyCopy(), { PATH: "/nowhere" });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining("built with Go 1.26 or newer, but there is no `go` on PATH"),
    });
  });

  test.runIf(process.platform !== "win32")("reports that Go is too old", ({ expect }) => {
    const folder = emptyCopy();
    const PATH = fakeCommand(
      folder,
      "go",
      `[ "$1" = env ] && echo '{"GOCACHE":"","GOMODCACHE":""}' || echo "go version go1.25.9 linux/amd64"`,
    );
    const { status, stderr } = build(folder, { PATH });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "the peers need Go 1.26 or newer, but PATH has go version go1.25.9 linux/amd64\n",
    });
  });

  test("rejects the name of an unknown peer", ({ expect }) => {
    const { status, stderr } = build(emptyCopy(), { PATH: "/nowhere" }, "--only", "nobody");
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining("unknown peer nobody; the peers are tofu, provider-time"),
    });
  });
});

describe.skipIf(process.platform === "win32")("the Python peer", () => {
  /** Builds the peer with a Python that a script simulates; returns the output and the reason that `whyAbsent` returns afterwards. */
  function buildWith(python: string | undefined): { readonly printed: string; readonly status: number | null; readonly reason: string } {
    const folder = emptyCopy();
    cpSync(join(here, "pyvider-provider"), join(folder, "pyvider-provider"), { recursive: true });
    const PATH = python === undefined ? "/nowhere" : fakeCommand(folder, "python3", python);
    const built = spawnSync(process.execPath, [join(folder, "build.mjs"), "--only", "pyvider-provider"], {
      encoding: "utf8",
      env: { PATH },
    });
    const script = `import { whyAbsent } from ${JSON.stringify(join(folder, "peers.ts"))}; console.log(whyAbsent("pyvider-provider"));`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    return { printed: built.stdout, status: built.status, reason: stdout.trim() };
  }

  test.for([
    ["there is no Python", undefined, "no Python 3.11 or newer on PATH"],
    ["Python is too old", "echo 3 10 12 /usr/bin/python3", "no Python 3.11 or newer on PATH"],
    [
      "Python cannot create virtual environments",
      `[ "$2" = -c ] && echo "3 12 1 $0" || { echo "ensurepip is not available" >&2; exit 1; }`,
      "Python cannot create a virtual environment: ensurepip is not available",
    ],
    [
      "its packages cannot be downloaded",
      // The script also stands for pip in the virtual environment.
      `PATH=/usr/bin:/bin; case "$2" in -c) echo "3 12 1 $0";; venv) mkdir -p "$4/bin"; cp "$0" "$4/bin/python";; *) echo "no matching distribution" >&2; exit 1;; esac`,
      "Python cannot install the packages: no matching distribution",
    ],
  ] as const)("is absent with a reason, without failing the build, when %s", ([, python, why], { expect }) => {
    const { printed, status, reason } = buildWith(python);
    expect({ printed, status }).toEqual({ printed: `pyvider-provider  absent  ${why}\n`, status: 0 });
    expect(reason).toBe(`pyvider-provider could not be built: ${why}`);
  });
});

describePeer(["pyvider-provider"], "the built Python peer", ({ "pyvider-provider": peer }) => {
  test("has the version of its library and does not run without a host", ({ expect }) => {
    expect(peer.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(spawnSync(peer.path, { encoding: "utf8", env: { PATH: "/nowhere" } }).stdout).toContain("not started by");
  });
});

describePeer(["framework-provider"], "a peer that fails to compile", () => {
  test("shows the compiler's output, names the peer, and leaves no partial build", { timeout: 120_000 }, ({ expect }) => {
    const folder = emptyCopy();
    const sources = join(folder, "framework-provider");
    cpSync(join(here, "framework-provider"), sources, { recursive: true });
    writeFileSync(join(sources, "broken.go"), "package main\n\nvar broken int = `text`\n");
    const { status, stderr } = spawnSync(process.execPath, [join(folder, "build.mjs"), "--only", "framework-provider"], {
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stderr).toContain(`peer framework-provider was not built (${sources})`);
    expect(stderr).toMatch(/broken\.go:3:\d+: cannot use `text`/);
    expect(existsSync(join(folder, ".build", "framework-provider.json"))).toBe(false);
    expect(findIn(folder, "framework-provider").stdout.trim()).toBe("null");
  });
});

describePeer(["tofu"], "tofu", ({ tofu }) => {
  test("reports its release version, which version constraints of providers need", ({ expect }) => {
    const stdout = execFileSync(tofu.path, ["version", "-json"], { encoding: "utf8", env: {} });
    expect(JSON.parse(stdout)).toMatchObject({ terraform_version: tofu.version });
    expect(tofu.version).toBe(/opentofu\/opentofu v(\S+)/.exec(readFileSync(join(here, "tofu", "go.mod"), "utf8"))?.[1]);
  });
});

describePeer(["provider-time", "framework-provider"], "a built provider", (peers) => {
  test.for(Object.values(peers))("$name does not run without a host", ({ path }, { expect }) => {
    const { status, stderr } = spawnSync(path, { encoding: "utf8", env: {} });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("This binary is a plugin") });
  });
});

describePeer(["plugin-client", "provider-time", "framework-provider"], "plugin-client", (peers) => {
  const observe = (...args: string[]) => {
    const { stdout, status } = spawnSync(peers["plugin-client"].path, args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
    return { seen: JSON.parse(stdout), status };
  };

  test.for([
    ["provider-time", 5],
    ["framework-provider", 6],
  ] as const)("observes %s with protocol %i over mutual TLS and a graceful shutdown", ([name, protocolVersion], { expect }) => {
    const { seen, status } = observe("-shutdown", "-calls=3", peers[name].path);
    expect(seen).toMatchObject({ protocolVersion, network: "unix", tls: true, diagnostics: 0, shutdown: { exitCode: 0, killed: false } });
    expect(seen.schemaBytes).toBeGreaterThan(1000);
    expect(seen.callMs).toBeGreaterThan(0);
    expect(status).toBe(0);
  });

  test("sends no certificate with -auto-mtls=false", ({ expect }) => {
    expect(observe("-auto-mtls=false", peers["framework-provider"].path).seen).toMatchObject({ protocolVersion: 6, tls: false });
  });

  // Any certificate suffices, because the host fails on a certificate that it did not request.
  const certificate = rootCertificates[0]?.replaceAll(/-----[^-]+-----|\s|=/g, "");

  test.runIf(process.platform !== "win32").for([
    ["no handshake line", "hello", [], "Unrecognized remote plugin message: hello"],
    ["an unknown protocol version", "1|7|unix|/nowhere|grpc|", [], "incompatible API version with plugin. Plugin version: 7"],
    ["an address without a server", "1|6|unix|/nowhere|grpc|", [], "connection error"],
    ["an unrequested certificate", `1|6|unix|/nowhere|grpc|${certificate}`, ["-auto-mtls=false"], "the host crashed"],
  ] as const)("reports %s", ([, line, flags, error], { expect }) => {
    const command = join(fakeCommand(mkdtempSync(join(temporary, "plugin-")), "plugin", `echo '${line}'; exec sleep 10`), "plugin");
    const { seen, status } = observe(...flags, "-start-timeout=5s", command);
    expect({ error: seen.error, status }).toEqual({ error: expect.stringContaining(error), status: 1 });
  });
});

describe("describePeer", () => {
  /** Runs a suite that needs a peer, in a copy without built peers; returns vitest's report of its only test. */
  function outcome(env: Record<string, string>): { status: string; fullName: string; failureMessages: string[] } | undefined {
    mkdirSync(join(here, ".build"), { recursive: true });
    // In this folder, because the suite imports vitest.
    const folder = mkdtempSync(join(here, ".build", "suite-"));
    try {
      for (const source of [...sources, "describe-peer.ts"]) cpSync(join(here, source), join(folder, source));
      writeFileSync(
        join(folder, "suite.test.ts"),
        `import { describePeer } from "./describe-peer.ts"; describePeer(["tofu", "terraform"], "a plan", () => { throw new Error("never") });`,
      );
      const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
      const report = join(folder, "report.json");
      const args = [vitest, "run", "--root", folder, "--reporter=json", `--outputFile=${report}`];
      spawnSync(process.execPath, args, { encoding: "utf8", env: { PATH: "/nowhere", ...env } });
      return JSON.parse(readFileSync(report, "utf8")).testResults[0]?.assertionResults[0];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  test("declares one skipped test that names the peers when one is absent", ({ expect }) => {
    expect(outcome({})).toMatchObject({ status: "skipped", fullName: "a plan needs tofu and terraform" });
  });

  test("fails that test when peers are required", ({ expect }) => {
    const failed = outcome({ TENON_PEERS: "required" });
    expect(failed).toMatchObject({ status: "failed", fullName: "a plan needs tofu and terraform" });
    expect(failed?.failureMessages.join()).toContain("tofu is not built: run `npm run peers`");
  });
});
