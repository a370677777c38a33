// SPDX-License-Identifier: Apache-2.0
// Builds the Python peer: a virtual environment with the packages that requirements.txt pins by hash, and a launcher. Python is
// optional: if the build is not possible, the peer is absent, and its record has the reason.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const oldestPython = [3, 11];
const run = promisify(execFile);

/**
 * Builds the peer in `folder` unless it is current; returns its row: name, version, path, and what was done.
 *
 * @param peer Name, binary, and the package that determines the version.
 * @param output Folder of all built peers.
 */
export async function buildPythonPeer(peer, folder, output) {
  const record = join(output, `${peer.name}.json`);
  const start = performance.now();
  try {
    const { row, stamp } = await build(peer, folder, output, readRecord(record));
    if (stamp === undefined) return row;
    writeRecord(record, { name: peer.name, version: row[1], binary: peer.binary, stamp });
    return [...row.slice(0, 3), `built in ${((performance.now() - start) / 1000).toFixed(1)} s`];
  } catch (error) {
    if (!(error instanceof Absence)) throw error;
    rmSync(join(output, "bin", peer.binary), { force: true });
    writeRecord(record, { name: peer.name, absent: error.message });
    return [peer.name, "absent", error.message, ""];
  }
}

/** Error with the reason, in one line, why the peer cannot be built on this machine. */
class Absence extends Error {}

async function build(peer, folder, output, built) {
  if (process.platform === "win32") throw new Absence("its launcher is a shell script");
  const python = await findPython();
  const requirements = readFileSync(join(folder, "requirements.txt"), "utf8");
  const version = new RegExp(`^${peer.package}==(\\S+)`, "m").exec(requirements)?.[1];
  const home = join(output, peer.name);
  const path = join(output, "bin", peer.binary);
  const launcher = `#!/bin/sh\nexec ${quoted(join(home, "bin", "python"))} -I -B ${quoted(join(folder, "provider.py"))} "$@"\n`;
  const stamp = createHash("sha256")
    .update(JSON.stringify([requirements, launcher, python]))
    .digest("hex");
  // After an uninstallation of Python, the link in the environment is dangling.
  if (built?.stamp === stamp && existsSync(path) && existsSync(join(home, "bin", "python"))) {
    return { row: [peer.name, version, path, "unchanged"] };
  }
  console.error(`building ${peer.name} ${version}`);
  await step("create a virtual environment", python.executable, ["-m", "venv", "--clear", home]);
  // Wheels only: compiling grpcio would need a compiler and minutes.
  const install = ["--require-hashes", "--only-binary=:all:", "--requirement", join(folder, "requirements.txt")];
  const quietly = ["--quiet", "--no-input", "--disable-pip-version-check", "--retries=1"];
  await step("install the packages", join(home, "bin", "python"), ["-I", "-m", "pip", "install", ...quietly, ...install]);
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, launcher);
  chmodSync(temporary, 0o755);
  renameSync(temporary, path);
  return { row: [peer.name, version, path], stamp };
}

/** Finds the first Python on PATH that is new enough. */
async function findPython() {
  const program = "import sys; print(*sys.version_info[:3], sys.executable)";
  for (const command of ["python3", "python"]) {
    const match = await run(command, ["-I", "-c", program]).then(
      ({ stdout }) => /^(\d+) (\d+) (\d+) (.+)$/m.exec(stdout),
      () => undefined,
    );
    const [, major, minor, patch, executable] = match ?? [];
    const isNewEnough = Number(major) > oldestPython[0] || (Number(major) === oldestPython[0] && Number(minor) >= oldestPython[1]);
    if (isNewEnough) return { version: `${major}.${minor}.${patch}`, executable };
  }
  throw new Absence(`no Python ${oldestPython.join(".")} or newer on PATH`);
}

async function step(action, command, args) {
  try {
    // The time limit also ends pip's retries without a network.
    await run(command, args, { maxBuffer: 64 * 1024 * 1024, timeout: 240_000 });
  } catch (error) {
    const message = String(error.stderr || error.stdout || error.message).trim();
    throw new Absence(`Python cannot ${action}: ${message.split("\n").at(-1)}`, { cause: error });
  }
}

/** Quotes a text as one word for a shell. */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function readRecord(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function writeRecord(file, content) {
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
}
