// SPDX-License-Identifier: Apache-2.0
// Builds the programs our tests talk to: `node build.mjs [--only name]`. Plain Node >= 20 and Go; Python for one that may be absent.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { findInstalled } from "./installed.mjs";
import { buildPythonPeer } from "./python-peer.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const output = join(here, ".build");
const oldestGo = [1, 26];

/**
 * Each peer is the Go module in the folder of its name, or in `folder`; `package` is the command in it to build. Software of others is
 * pinned by the folder's go.mod and takes its version from there; our own carries its version here. What a peer `shares` is
 * compiled as if it lay in its own folder: no copies, and no links, which not every checkout keeps.
 */
const peers = [
  {
    name: "tofu",
    binary: "tofu",
    package: "github.com/opentofu/opentofu/cmd/tofu",
    // What its release build sets: without it every version reads 1.x.y-dev, and provider version constraints differ.
    link: "-X github.com/opentofu/opentofu/version.dev=no",
  },
  { name: "provider-time", binary: "terraform-provider-time", package: "github.com/hashicorp/terraform-provider-time" },
  { name: "framework-provider", binary: "terraform-provider-framework", package: ".", version: "0.1.0" },
  { name: "bare-provider", binary: "terraform-provider-bare", package: ".", version: "0.1.0" },
  {
    name: "framework-from-json",
    binary: "terraform-provider-made",
    package: ".",
    version: "0.1.0",
    shares: { from: "framework-provider", files: ["caseless"] },
  },
  { name: "plugin-client", binary: "plugin-client", package: ".", version: "0.1.0" },
  { name: "rpc-client", binary: "rpc-client", package: ".", version: "0.1.0" },
  { name: "sdkv2-provider", binary: "terraform-provider-sdkv2", package: ".", version: "0.1.0" },
  { name: "cty-oracle", binary: "cty-oracle", package: ".", version: "0.1.0" },
  {
    name: "hcl-oracle",
    binary: "hcl-oracle",
    package: ".",
    version: "0.1.0",
    shares: {
      from: "cty-oracle",
      files: ["limit_other", "limit_unix", "notation", "notation_read", "notation_write", "op_function", "op_path", "operations", "serve"],
    },
  },
  { name: "hcldec", folder: "hcl-commands", binary: "hcldec", package: "github.com/hashicorp/hcl/v2/cmd/hcldec" },
  {
    name: "hclspecsuite",
    folder: "hcl-commands",
    binary: "hclspecsuite",
    package: "github.com/hashicorp/hcl/v2/cmd/hclspecsuite",
    // The published suite, which the command runs.
    data: { module: "github.com/hashicorp/hcl/v2", folder: "specsuite/tests" },
  },
  // Of Python, and goes by the version of the package it is written on.
  { name: "pyvider-provider", binary: "terraform-provider-pyvider", package: "pyvider", python: true },
];

/** A failure to tell the caller as it is, without a stack. */
class Refusal extends Error {}

async function main() {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  const wanted = peers.filter(({ name }) => values.only === undefined || name === values.only);
  if (wanted.length === 0) throw new Refusal(`no peer ${values.only}; there is ${peers.map(({ name }) => name).join(", ")}`);

  mkdirSync(join(output, "bin"), { recursive: true });
  const needsGo = wanted.some(({ python }) => !python);
  const environment = needsGo ? await goEnvironment() : undefined;
  if (environment) await checkGo(environment);

  // Two at a time: Go already fills the cores while compiling, the second lane fills the gaps of downloading and linking.
  // The first peer is much the slowest; the others share packages, so that running them one after another is no loss.
  const rows = new Map();
  const failures = [];
  const queue = [...wanted];
  const lane = async () => {
    for (let peer = queue.shift(); peer !== undefined; peer = queue.shift()) {
      try {
        const folder = join(here, peer.folder ?? peer.name);
        rows.set(peer, await (peer.python ? buildPythonPeer(peer, folder, output) : build(peer, folder, environment)));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        failures.push(`peer ${peer.name} was not built (${join(here, peer.name)}):\n${error.message}`);
      }
    }
  };
  await Promise.all([lane(), lane()]);

  const table = wanted.map((peer) => rows.get(peer)).filter((row) => row !== undefined);
  if (values.only === undefined) {
    const terraform = findInstalled("terraform");
    table.push(terraform ? ["terraform", terraform.version, terraform.path, "installed"] : ["terraform", "absent", "not on PATH", ""]);
  }
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  for (const row of table) console.log(line(row));
  if (failures.length > 0) throw new Refusal(failures.join("\n\n"));
}

/** Builds one peer unless it stands already; answers its row: name, version, path, what was done. */
async function build(peer, folder, environment) {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const path = join(output, "bin", peer.binary + suffix);
  const record = join(output, `${peer.name}.json`);
  const version = peer.version ?? pinnedVersion(folder, peer.package);
  // Nothing of the repository's state or of this machine's folders goes into the binary: equal sources, equal bytes.
  const link = ["-s -w", peer.link ?? "", peer.version ? `-X main.version=${peer.version}` : ""].join(" ").trim();
  const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", `-ldflags=${link}`, peer.package];
  const shared = (peer.shares?.files ?? []).map((file) => [`${file}.go`, join(here, peer.shares.from, `${file}.go`)]);
  const stamp = await stampOf(folder, shared, flags, environment);

  const isWhole = existsSync(path) && (peer.data === undefined || existsSync(join(output, peer.name)));
  if (isWhole && existsSync(record) && readFileSync(record, "utf8").includes(stamp)) {
    return [peer.name, version, path, "unchanged"];
  }
  console.error(`building ${peer.name} ${version}`);
  const start = performance.now();
  // Renamed into place: a test that is just starting the old binary keeps it, and nobody sees half a file.
  const fresh = join(output, "bin", `.${peer.binary}.${process.pid}${suffix}`);
  const overlay = join(output, `.${peer.name}.${process.pid}.overlay.json`);
  try {
    const replaced = Object.fromEntries(shared.map(([name, source]) => [join(folder, name), source]));
    if (shared.length > 0) writeFileSync(overlay, JSON.stringify({ Replace: replaced }));
    const overlaid = shared.length > 0 ? ["-overlay", overlay] : [];
    await go(["build", ...environment.extraFlags, ...overlaid, "-o", fresh, ...flags], folder, environment);
    renameSync(fresh, path);
    if (peer.data) await copyData(peer, folder, environment);
  } finally {
    rmSync(fresh, { force: true });
    rmSync(overlay, { force: true });
  }
  writeFileSync(record, `${JSON.stringify({ name: peer.name, version, binary: peer.binary + suffix, stamp }, undefined, 2)}\n`);
  return [peer.name, version, path, `built in ${((performance.now() - start) / 1000).toFixed(1)} s`];
}

/** Files of a module that its program works on, into a folder of the peer's name: the module cache may be gone when they are needed. */
async function copyData({ name, data }, folder, environment) {
  const module = (await go(["list", "-m", "-f", "{{.Dir}}", data.module], folder, environment)).trim();
  const [from, to] = [join(module, data.folder), join(output, name)];
  rmSync(to, { recursive: true, force: true });
  // File by file: what the module cache holds is read-only, and so would its copies be.
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const target = join(to, relative(from, entry.parentPath));
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, entry.name), readFileSync(join(entry.parentPath, entry.name)));
  }
}

/** The version go.mod requires of the module that holds a package. */
function pinnedVersion(folder, packagePath) {
  const requirements = readFileSync(join(folder, "go.mod"), "utf8").matchAll(/^\s*(?:require\s+)?(\S+) v(\S+)/gm);
  const holding = [...requirements].filter(([, module]) => packagePath === module || packagePath.startsWith(`${module}/`));
  const [, , version] = holding.sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  if (version === undefined) throw new Refusal(`${join(folder, "go.mod")} requires no module that holds ${packagePath}`);
  return version;
}

/** What decides whether a binary is current: its sources, the flags, and the toolchain that its go.mod selects. */
async function stampOf(folder, shared, flags, environment) {
  const hash = createHash("sha256");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /(^|[\\/])go\.(mod|sum)$|\.go$/.test(file));
  for (const [file, path] of [...sources.sort().map((name) => [name, join(folder, name)]), ...shared]) {
    const content = readFileSync(path);
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  hash.update(JSON.stringify(flags)).update(await go(["version"], folder, environment));
  return hash.digest("hex");
}

/**
 * The caller's environment with what would build something else taken out. Where modules come from (GOPROXY, GOFLAGS,
 * GOTOOLCHAIN, …) stays the caller's business; what is built, and for which machine, does not.
 */
async function goEnvironment() {
  const variables = { ...process.env, CGO_ENABLED: "0", GOWORK: "off" };
  for (const name of ["GOOS", "GOARCH", "GO111MODULE"]) delete variables[name];
  // Without a home that can be written to, Go has nowhere to keep its caches.
  const caches = await go(["env", "-json", "GOCACHE", "GOMODCACHE"], here, { variables }).then(JSON.parse);
  if (isWritable(caches.GOCACHE) && isWritable(caches.GOMODCACHE)) return { variables, extraFlags: [] };
  const own = join(output, "cache");
  Object.assign(variables, { GOCACHE: join(own, "build"), GOMODCACHE: join(own, "modules"), GOPATH: join(own, "path") });
  // The module cache is read-only by default, and `rm -r .build` would fail on it.
  return { variables, extraFlags: ["-modcacherw"] };
}

function isWritable(folder) {
  if (folder === "" || folder === "off") return false;
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function checkGo(environment) {
  const text = await go(["version"], here, environment);
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(text)?.map(Number) ?? [];
  const newEnough = major > oldestGo[0] || (major === oldestGo[0] && minor >= oldestGo[1]);
  // A development build of Go says no number at all; let the compiler judge.
  if (major !== undefined && !newEnough) throw new Refusal(`the peers need Go ${oldestGo.join(".")} or newer, but PATH has ${text.trim()}`);
}

const run = promisify(execFile);

async function go(args, cwd, { variables }) {
  try {
    const { stdout } = await run("go", args, { cwd, env: variables, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    if (error.code === "ENOENT")
      throw new Refusal(`the peers are built with Go ${oldestGo.join(".")} or newer, but there is no \`go\` on PATH (https://go.dev/dl)`);
    throw new Refusal((error.stderr || error.message).trimEnd(), { cause: error });
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
