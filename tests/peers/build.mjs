// SPDX-License-Identifier: Apache-2.0
// Builds the peers: `node build.mjs [--only name]`. Needs Node 20 and Go; Python for an optional peer.
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

/** The files of cty-oracle that read and run cases. */
const servingCases = {
  from: "cty-oracle",
  files: [
    "limit_other",
    "limit_unix",
    "notation",
    "notation_read",
    "notation_write",
    "op_function",
    "op_path",
    "operations",
    "oracle",
    "serve",
  ],
};

/**
 * The peers. Each is the Go module in the folder of its name, or in `folder`; `package` is the command to build. The version of
 * other projects' software comes from go.mod; `version` is that of our own programs. Files that a peer `shares` are compiled as
 * if they were in its folder, through an overlay instead of copies or links, and so are the files of a package that it `includes`. Peers
 * `onRequest` are built only by their name: no test needs them.
 */
const peers = [
  {
    name: "tofu",
    binary: "tofu",
    package: "github.com/opentofu/opentofu/cmd/tofu",
    // As in release builds: otherwise the version is 1.x.y-dev, which providers' version constraints treat differently.
    link: "-X github.com/opentofu/opentofu/version.dev=no",
  },
  { name: "provider-time", binary: "terraform-provider-time", package: "github.com/hashicorp/terraform-provider-time" },
  { name: "framework-provider", binary: "terraform-provider-framework", package: ".", version: "0.1.0" },
  { name: "bare-provider", binary: "terraform-provider-bare", package: ".", version: "0.1.0" },
  { name: "panicking-provider", binary: "terraform-provider-panicking", package: ".", version: "0.1.0" },
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
    shares: servingCases,
  },
  {
    // OpenTofu's core without its command line, for functions that the binary does not expose.
    name: "engine-oracle",
    binary: "engine-oracle",
    package: ".",
    version: "0.1.0",
    link: "-X github.com/opentofu/opentofu/version.dev=no",
    shares: servingCases,
  },
  {
    // OpenTofu's command with a loop in front of its main function.
    name: "tofu-server",
    binary: "tofu-server",
    package: ".",
    version: "0.1.0",
    link: "-X github.com/opentofu/opentofu/version.dev=no",
    includes: "github.com/opentofu/opentofu/cmd/tofu",
  },
  { name: "testing-oracle", binary: "testing-oracle", package: ".", version: "0.1.0" },
  { name: "pulumi-engine", binary: "pulumi-engine", package: ".", version: "0.1.0" },
  { name: "inflector", binary: "inflector", package: ".", version: "0.1.0" },
  { name: "hcldec", folder: "hcl-commands", binary: "hcldec", package: "github.com/hashicorp/hcl/v2/cmd/hcldec" },
  {
    name: "hclspecsuite",
    folder: "hcl-commands",
    binary: "hclspecsuite",
    package: "github.com/hashicorp/hcl/v2/cmd/hclspecsuite",
    // The published suite that the command runs.
    data: { module: "github.com/hashicorp/hcl/v2", folder: "specsuite/tests" },
  },
  { name: "h2spec", binary: "h2spec", package: "github.com/summerwind/h2spec/cmd/h2spec" },
  { name: "http2-server", folder: "h2spec", binary: "http2-server", package: ".", version: "0.1.0" },
  {
    name: "kube-apiserver",
    binary: "kube-apiserver",
    package: "k8s.io/kubernetes/cmd/kube-apiserver",
    // Without its version, the server announces v0.0.0, and clients take it for an incompatible one.
    link: (version) => `-X k8s.io/component-base/version.gitVersion=v${version}`,
  },
  { name: "etcd", binary: "etcd", package: "go.etcd.io/etcd/server/v3" },
  {
    name: "kubernetes-controller",
    binary: "kubernetes-controller",
    package: ".",
    version: "0.1.0",
    onRequest: true,
    // The client of a provider.
    shares: { from: "rpc-client", files: ["call", "launch", "schema", "value"] },
  },
  { name: "versitygw", binary: "versitygw", package: "github.com/versity/versitygw/cmd/versitygw" },
  // A Python peer; it has the version of its library.
  { name: "pyvider-provider", binary: "terraform-provider-pyvider", package: "pyvider", python: true },
];

/** An error whose message is printed without a stack. */
class BuildError extends Error {}

async function main() {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  const selected = peers.filter(({ name, onRequest }) => (values.only === undefined ? !onRequest : name === values.only));
  if (selected.length === 0) throw new BuildError(`unknown peer ${values.only}; the peers are ${peers.map(({ name }) => name).join(", ")}`);

  mkdirSync(join(output, "bin"), { recursive: true });
  const needsGo = selected.some(({ python }) => !python);
  const environment = needsGo ? await goEnvironment() : undefined;
  if (environment) await checkGo(environment);

  // Two builds at a time: one compilation uses all cores, and the second build uses them while the first downloads or links. The first
  // peer takes by far the longest; the others share packages.
  const rows = new Map();
  const failures = [];
  const queue = [...selected];
  const worker = async () => {
    for (let peer = queue.shift(); peer !== undefined; peer = queue.shift()) {
      try {
        const folder = join(here, peer.folder ?? peer.name);
        rows.set(peer, await (peer.python ? buildPythonPeer(peer, folder, output) : build(peer, folder, environment)));
      } catch (error) {
        if (!(error instanceof BuildError)) throw error;
        failures.push(`peer ${peer.name} was not built (${join(here, peer.name)}):\n${error.message}`);
      }
    }
  };
  await Promise.all([worker(), worker()]);

  const table = selected.map((peer) => rows.get(peer)).filter((row) => row !== undefined);
  if (values.only === undefined) {
    for (const name of ["terraform", "kubectl", "pulumi"]) {
      const found = findInstalled(name);
      table.push(found ? [name, found.version, found.path, "installed"] : [name, "absent", "not on PATH", ""]);
    }
  }
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  for (const row of table) console.log(line(row));
  if (failures.length > 0) throw new BuildError(failures.join("\n\n"));
}

/** Builds one peer unless it is current; returns its row: name, version, path, and what was done. */
async function build(peer, folder, environment) {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const path = join(output, "bin", peer.binary + suffix);
  const record = join(output, `${peer.name}.json`);
  const version = peer.version ?? pinnedVersion(folder, peer.package);
  // The binary depends neither on the repository's state nor on this machine's folders: equal sources give equal bytes.
  const link = ["-s -w", linkFlags(peer, version), peer.version ? `-X main.version=${peer.version}` : ""].join(" ").trim();
  const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", `-ldflags=${link}`, peer.package];
  const shared = (peer.shares?.files ?? []).map((file) => [`${file}.go`, join(here, peer.shares.from, `${file}.go`)]);
  // The version in go.mod determines the files of an included package.
  const stamp = await stampOf(folder, shared, flags, environment);

  const isWhole = existsSync(path) && (peer.data === undefined || existsSync(join(output, peer.name)));
  if (isWhole && existsSync(record) && readFileSync(record, "utf8").includes(stamp)) {
    return [peer.name, version, path, "unchanged"];
  }
  console.error(`building ${peer.name} ${version}`);
  const start = performance.now();
  // The binary is renamed into place, so that a test never starts a partial file.
  const temporary = join(output, "bin", `.${peer.binary}.${process.pid}${suffix}`);
  const overlay = join(output, `.${peer.name}.${process.pid}.overlay.json`);
  try {
    const added = [...shared, ...(await includedFiles(peer, folder, environment))];
    const replaced = Object.fromEntries(added.map(([name, source]) => [join(folder, name), source]));
    if (added.length > 0) writeFileSync(overlay, JSON.stringify({ Replace: replaced }));
    const overlaid = added.length > 0 ? ["-overlay", overlay] : [];
    await go(["build", ...environment.extraFlags, ...overlaid, "-o", temporary, ...flags], folder, environment);
    renameSync(temporary, path);
    if (peer.data) await copyData(peer, folder, environment);
  } finally {
    rmSync(temporary, { force: true });
    rmSync(overlay, { force: true });
  }
  writeFileSync(record, `${JSON.stringify({ name: peer.name, version, binary: peer.binary + suffix, stamp }, undefined, 2)}\n`);
  return [peer.name, version, path, `built in ${((performance.now() - start) / 1000).toFixed(1)} s`];
}

/** Names and paths of the files of the package that a peer includes. */
async function includedFiles({ includes }, folder, environment) {
  if (includes === undefined) return [];
  const { Dir, GoFiles } = JSON.parse(await go(["list", "-json=Dir,GoFiles", includes], folder, environment));
  return GoFiles.map((name) => [name, join(Dir, name)]);
}

/** The peer's own flags of the linker; those that contain a version are a function of it. */
function linkFlags({ link = "" }, version) {
  return typeof link === "function" ? link(version) : link;
}

/** Copies the data files of a module into a folder with the peer's name, because the module cache may be cleared later. */
async function copyData({ name, data }, folder, environment) {
  const module = (await go(["list", "-m", "-f", "{{.Dir}}", data.module], folder, environment)).trim();
  const [from, to] = [join(module, data.folder), join(output, name)];
  rmSync(to, { recursive: true, force: true });
  // Copied file by file, because a recursive copy would keep the read-only modes of the module cache.
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const target = join(to, relative(from, entry.parentPath));
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, entry.name), readFileSync(join(entry.parentPath, entry.name)));
  }
}

/** Reads the version that go.mod requires of the module that contains a package. */
function pinnedVersion(folder, packagePath) {
  const requirements = readFileSync(join(folder, "go.mod"), "utf8").matchAll(/^\s*(?:require\s+)?(\S+) v(\S+)/gm);
  const matching = [...requirements].filter(([, module]) => packagePath === module || packagePath.startsWith(`${module}/`));
  const [, , version] = matching.sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  if (version === undefined) throw new BuildError(`${join(folder, "go.mod")} requires no module that contains ${packagePath}`);
  return version;
}

/** Computes the stamp of a binary from its sources, flags and toolchain. A binary with another stamp is not current. */
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
 * Creates the environment of a build from the caller's. Settings about the source of modules (GOPROXY, GOFLAGS, GOTOOLCHAIN, …)
 * stay; settings about the target are removed.
 */
async function goEnvironment() {
  const variables = { ...process.env, CGO_ENABLED: "0", GOWORK: "off" };
  for (const name of ["GOOS", "GOARCH", "GO111MODULE"]) delete variables[name];
  // Without a writable home folder, Go has no writable caches.
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
  // A development build of Go has no version number; the build fails later if it is too old.
  if (major !== undefined && !newEnough)
    throw new BuildError(`the peers need Go ${oldestGo.join(".")} or newer, but PATH has ${text.trim()}`);
}

const run = promisify(execFile);

async function go(args, cwd, { variables }) {
  try {
    const { stdout } = await run("go", args, { cwd, env: variables, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    if (error.code === "ENOENT")
      throw new BuildError(
        `the peers are built with Go ${oldestGo.join(".")} or newer, but there is no \`go\` on PATH (https://go.dev/dl)`,
      );
    throw new BuildError((error.stderr || error.message).trimEnd(), { cause: error });
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
