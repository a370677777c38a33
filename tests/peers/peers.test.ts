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

const workshop = mkdtempSync(join(tmpdir(), "peers-"));
afterAll(() => rmSync(workshop, { recursive: true, force: true }));

/** A copy of this folder's programs, with no Go module and nothing built. */
function emptyCopy(): string {
  const copy = mkdtempSync(join(workshop, "copy-"));
  for (const source of sources) cpSync(join(here, source), join(copy, source));
  return copy;
}

/** Calls findPeer in a process of its own, where PATH and TENON_PEERS are what the test says. */
function findIn(folder: string, name: string, env: Record<string, string> = {}): { stdout: string; stderr: string; status: number | null } {
  const script = `import { findPeer } from ${JSON.stringify(join(folder, "peers.ts"))}; console.log(JSON.stringify(findPeer(${JSON.stringify(name)}) ?? null));`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", env: { PATH: "/nowhere", ...env } });
}

/** Puts a shell script on a PATH of its own; answers that PATH. */
function fakeCommand(folder: string, name: string, body: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(bin, name), 0o755);
  return bin;
}

describe("findPeer", () => {
  test("answers nothing for what is not built", ({ expect }) => {
    const { stdout, status } = findIn(emptyCopy(), "tofu");
    expect({ stdout: stdout.trim(), status }).toEqual({ stdout: "null", status: 0 });
  });

  test("with TENON_PEERS=required says what to run", ({ expect }) => {
    const { stderr, status } = findIn(emptyCopy(), "tofu", { TENON_PEERS: "required" });
    expect(status).toBe(1);
    expect(stderr).toContain("TENON_PEERS=required, but tofu is not built: run `npm run peers`");
  });

  test.for(["terraform", "pyvider-provider"])("never requires %s, which nobody has to have", (name, { expect }) => {
    const { stdout, status } = findIn(emptyCopy(), name, { TENON_PEERS: "required" });
    expect({ stdout: stdout.trim(), status }).toEqual({ stdout: "null", status: 0 });
  });

  test.runIf(process.platform !== "win32")("finds terraform on PATH, whatever the caller's TF_ variables say", ({ expect }) => {
    const folder = emptyCopy();
    const PATH = fakeCommand(folder, "terraform", `echo "{\\"terraform_version\\":\\"1.2.3$TF_CLI_ARGS\\"}"`);
    const { stdout } = findIn(folder, "terraform", { PATH: `relative${delimiter}${PATH}`, TF_CLI_ARGS: "-bad" });
    expect(JSON.parse(stdout)).toEqual({ name: "terraform", version: "1.2.3", path: join(PATH, "terraform") });
  });

  test.runIf(process.platform !== "win32")("takes a terraform that does not run for an absent one", ({ expect }) => {
    const folder = emptyCopy();
    const PATH = fakeCommand(folder, "terraform", "exit 1");
    expect(findIn(folder, "terraform", { PATH }).stdout.trim()).toBe("null");
  });

  test("takes a record whose binary is gone for an absent peer", ({ expect }) => {
    const folder = emptyCopy();
    mkdirSync(join(folder, ".build"));
    writeFileSync(join(folder, ".build", "tofu.json"), JSON.stringify({ version: "1.0.0", binary: "tofu" }));
    expect(findIn(folder, "tofu").stdout.trim()).toBe("null");
  });
});

describe("build.mjs", () => {
  const build = (folder: string, env: Record<string, string>, ...args: string[]) =>
    spawnSync(process.execPath, [join(folder, "build.mjs"), ...args], { encoding: "utf8", env });

  test("says that there is no Go", ({ expect }) => {
    const { status, stderr } = build(emptyCopy(), { PATH: "/nowhere" });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining("built with Go 1.26 or newer, but there is no `go` on PATH"),
    });
  });

  test.runIf(process.platform !== "win32")("says that Go is too old", ({ expect }) => {
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

  test("refuses a peer that is not there", ({ expect }) => {
    const { status, stderr } = build(emptyCopy(), { PATH: "/nowhere" }, "--only", "nobody");
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("no peer nobody; there is tofu, provider-time") });
  });
});

describe.skipIf(process.platform === "win32")("the peer of Python", () => {
  /** Builds it with a Python that answers as the script says; answers what was printed, and what is said of it afterwards. */
  function buildWith(python: string | undefined): { readonly printed: string; readonly status: number | null; readonly said: string } {
    const folder = emptyCopy();
    cpSync(join(here, "pyvider-provider"), join(folder, "pyvider-provider"), { recursive: true });
    const PATH = python === undefined ? "/nowhere" : fakeCommand(folder, "python3", python);
    const built = spawnSync(process.execPath, [join(folder, "build.mjs"), "--only", "pyvider-provider"], {
      encoding: "utf8",
      env: { PATH },
    });
    const script = `import { whyAbsent } from ${JSON.stringify(join(folder, "peers.ts"))}; console.log(whyAbsent("pyvider-provider"));`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    return { printed: built.stdout, status: built.status, said: stdout.trim() };
  }

  test.for([
    ["there is no Python", undefined, "no Python 3.11 or newer on PATH"],
    ["Python is too old", "echo 3 10 12 /usr/bin/python3", "no Python 3.11 or newer on PATH"],
    [
      "Python lacks what makes environments",
      `[ "$2" = -c ] && echo "3 12 1 $0" || { echo "ensurepip is not available" >&2; exit 1; }`,
      "Python makes no virtual environment here: ensurepip is not available",
    ],
    [
      "packages cannot be had",
      // Also what is asked to install them, in the environment that it should have made.
      `PATH=/usr/bin:/bin; case "$2" in -c) echo "3 12 1 $0";; venv) mkdir -p "$4/bin"; cp "$0" "$4/bin/python";; *) echo "no matching distribution" >&2; exit 1;; esac`,
      "Python installs no packages here: no matching distribution",
    ],
  ] as const)("is absent where %s, which is no failure and is said", ([, python, why], { expect }) => {
    const { printed, status, said } = buildWith(python);
    expect({ printed, status }).toEqual({ printed: `pyvider-provider  absent  ${why}\n`, status: 0 });
    expect(said).toBe(`pyvider-provider could not be built: ${why}`);
  });
});

describePeer(["pyvider-provider"], "the peer of Python, built", ({ "pyvider-provider": peer }) => {
  test("goes by the version of its library, and refuses to run by hand", ({ expect }) => {
    expect(peer.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(spawnSync(peer.path, { encoding: "utf8", env: { PATH: "/nowhere" } }).stdout).toContain("not started by");
  });
});

describePeer(["framework-provider"], "a peer with sources of its own", () => {
  test("shows the compiler's words, names the peer, and leaves nothing half built", { timeout: 120_000 }, ({ expect }) => {
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
  test("knows its version as a release does, which providers' constraints are checked against", ({ expect }) => {
    const answer = execFileSync(tofu.path, ["version", "-json"], { encoding: "utf8", env: {} });
    expect(JSON.parse(answer)).toMatchObject({ terraform_version: tofu.version });
    expect(tofu.version).toBe(/opentofu\/opentofu v(\S+)/.exec(readFileSync(join(here, "tofu", "go.mod"), "utf8"))?.[1]);
  });
});

describePeer(["provider-time", "framework-provider"], "a built provider", (peers) => {
  test.for(Object.values(peers))("$name refuses to run by hand", ({ path }, { expect }) => {
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
  ] as const)("sees %s speak protocol %i over mutual TLS and go when told", ([name, protocolVersion], { expect }) => {
    const { seen, status } = observe("-shutdown", "-calls=3", peers[name].path);
    expect(seen).toMatchObject({ protocolVersion, network: "unix", tls: true, diagnostics: 0, shutdown: { exitCode: 0, killed: false } });
    expect(seen.schemaBytes).toBeGreaterThan(1000);
    expect(seen.callMs).toBeGreaterThan(0);
    expect(status).toBe(0);
  });

  test("offers no certificate when told not to", ({ expect }) => {
    expect(observe("-auto-mtls=false", peers["framework-provider"].path).seen).toMatchObject({ protocolVersion: 6, tls: false });
  });

  // Any certificate will do: the host dies because it asked for none.
  const certificate = rootCertificates[0]?.replaceAll(/-----[^-]+-----|\s|=/g, "");

  test.runIf(process.platform !== "win32").for([
    ["no handshake line", "hello", [], "Unrecognized remote plugin message: hello"],
    ["a protocol of tomorrow", "1|7|unix|/nowhere|grpc|", [], "incompatible API version with plugin. Plugin version: 7"],
    ["nobody at the address", "1|6|unix|/nowhere|grpc|", [], "connection error"],
    ["a certificate unasked for", `1|6|unix|/nowhere|grpc|${certificate}`, ["-auto-mtls=false"], "the host crashed"],
  ] as const)("says what is wrong with %s", ([, line, flags, error], { expect }) => {
    const command = join(fakeCommand(mkdtempSync(join(workshop, "plugin-")), "plugin", `echo '${line}'; exec sleep 10`), "plugin");
    const { seen, status } = observe(...flags, "-start-timeout=5s", command);
    expect({ error: seen.error, status }).toEqual({ error: expect.stringContaining(error), status: 1 });
  });
});

describe("describePeer", () => {
  /** Runs a suite that needs a peer, in a copy where nothing is built; answers what vitest reports of its only test. */
  function outcome(env: Record<string, string>): { status: string; fullName: string; failureMessages: string[] } | undefined {
    mkdirSync(join(here, ".build"), { recursive: true });
    // Inside this folder, because the suite imports vitest.
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

  test("skips one test in place of the suite's, which names the peers", ({ expect }) => {
    expect(outcome({})).toMatchObject({ status: "skipped", fullName: "a plan needs tofu and terraform" });
  });

  test("fails it when peers are required", ({ expect }) => {
    const failed = outcome({ TENON_PEERS: "required" });
    expect(failed).toMatchObject({ status: "failed", fullName: "a plan needs tofu and terraform" });
    expect(failed?.failureMessages.join()).toContain("tofu is not built: run `npm run peers`");
  });
});
