// SPDX-License-Identifier: Apache-2.0
// The front door of every `npm run …` command. Needs only Node 20 and npm: installs the pinned package manager's
// dependency tree when it is not current, then runs the command under the pinned Node (`node_modules/.bin/node`).
// It must stay free of dependencies and of syntax newer than Node 20, because it runs before either is there.
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

/** pnpm copies the lock file beside what it installed, byte for byte: equal means there is nothing to do. */
function installed() {
  const current = join(root, "node_modules", ".pnpm", "lock.yaml");
  return existsSync(current) && readFileSync(current, "utf8") === readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
}

function install() {
  if (installed()) return;
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  console.error(`installing dependencies with ${packageManager} (once)`);
  // Standard output belongs to the command that was asked for.
  const result = spawnSync("npx", ["--yes", packageManager, "install", "--frozen-lockfile", "--prefer-offline", "--reporter=append-only"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** The pinned Node where its optional package could be installed; otherwise the one this runs on, if it is new enough. */
function node(...nodeArgs) {
  const pinned = join(bin, process.platform === "win32" ? "node.cmd" : "node");
  // Sources run as they are; what compiling them gave is kept for the next time.
  const env = { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node") };
  run(existsSync(pinned) ? pinned : process.execPath, nodeArgs, { env });
}

/** `--name value` pairs stay with the script; the area of `npm run fuzz -- cty` is a file. */
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
  bench: () => area("benchmarks"),
  fuzz: () => area("tests/conformance/fuzz"),
  vectors: () => node("tests/conformance/cty/make-vectors.ts", ...args),
  soak: () => area("tests/interop/soak"),
  mutate: () => area("scripts/mutate"),
};

if (!Object.hasOwn(tasks, task)) {
  console.error(`unknown command ${task}; there is ${Object.keys(tasks).join(", ")}`);
  process.exit(1);
}
install();
tasks[task]();
