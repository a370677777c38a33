// SPDX-License-Identifier: Apache-2.0
// Runs every `npm run …` command. It needs only Node 20 and npm: it installs the dependencies when they are not current, then runs
// the command under the pinned Node (`node_modules/.bin/node`). It runs before any dependency is installed, so it uses none, and no syntax
// newer than Node 20.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const bin = join(root, "node_modules", ".bin");
const [task = "help", ...args] = process.argv.slice(2);

/** Runs a command in the repository with the workspace's binaries first on PATH; ends this process when it fails. */
function run(command, commandArgs, options = {}) {
  const result = spawnSync(command, commandArgs, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`, ...options.env },
    shell: process.platform === "win32",
  });
  if (result.error) {
    console.error(`cannot run ${command}: ${result.error.message}`);
    process.exit(1);
  }
  if (result.signal) process.kill(process.pid, result.signal);
  if (result.status !== 0 && options.optional !== true) process.exit(result.status ?? 1);
  return result.status ?? 1;
}

/** Whether the dependencies are current. pnpm keeps a copy of the lock file that it installed from. */
function isInstalled() {
  const current = join(root, "node_modules", ".pnpm", "lock.yaml");
  return existsSync(current) && readFileSync(current, "utf8") === readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
}

function install() {
  if (isInstalled()) return;
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  console.error(`installing dependencies with ${packageManager} (once)`);
  // Standard output is reserved for the command.
  const result = spawnSync("npx", ["--yes", packageManager, "install", "--frozen-lockfile", "--prefer-offline", "--reporter=append-only"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Runs the pinned Node, or the current one where the optional package of the pinned Node could not be installed. */
function node(...nodeArgs) {
  const pinned = join(bin, process.platform === "win32" ? "node.cmd" : "node");
  // Sources run without a build; Node caches the compiled code.
  const env = { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node") };
  run(existsSync(pinned) ? pinned : process.execPath, nodeArgs, { env });
}

/** Runs the file of an area: `npm run fuzz -- cty` runs `cty.ts` of the folder. Further arguments belong to that program. */
function area(folder) {
  const [name, ...rest] = args;
  const file = join(root, folder, `${name ?? ""}.ts`);
  if (name === undefined || !existsSync(file)) {
    console.error(`usage: npm run ${task} -- <area>: no file ${folder}/${name ?? "<area>"}.ts`);
    process.exit(1);
  }
  node(file, ...rest);
}

const tasks = {
  install: () => {},
  start: () => node("apps/examples/tour/main.ts", ...args),
  test: () => run("vitest", ["run", ...args]),
  build: () => run("turbo", ["run", "build", "--output-logs=errors-only", ...args]),
  peers: () => node("tests/peers/build.mjs", ...args),
  format: () => run("oxfmt", args),
  generate: () => run("pnpm", ["-r", "--if-present", "run", "generate"]),
  check: () => node("scripts/check.ts", ...args),
  release: () => node("scripts/release/release.ts", ...args),
  bench: () => area("benchmarks"),
  fuzz: () => area("tests/conformance/fuzz"),
  vectors: () =>
    args[0] === "validation"
      ? node("tests/conformance/engine/record-validation.ts")
      : node("tests/conformance/cty/make-vectors.ts", ...args),
  engine: () => node("tests/conformance/engine-steps/main.ts", ...args),
  "pulumi-diffs": () => node("tests/conformance/pulumi/diff-main.ts", ...args),
  soak: () => area("tests/interop/soak"),
  mutate: () => area("scripts/mutate"),
};

if (!Object.hasOwn(tasks, task)) {
  console.error(`unknown command ${task}; the commands are ${Object.keys(tasks).join(", ")}`);
  process.exit(1);
}
install();
tasks[task]();
