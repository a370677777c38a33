// SPDX-License-Identifier: Apache-2.0
// Builds the peer that is not Go: a virtual environment with what its requirements.txt pins by hash, and a launcher. Nobody has to
// have Python: where this cannot be done, the peer is absent, and its record says why.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const oldestPython = [3, 11];
const run = promisify(execFile);

/**
 * Builds the peer in `folder` unless it stands already; answers its row: name, version, path, what was done.
 *
 * @param peer Name, binary, and the package whose version it goes by.
 * @param output Where everything that is built lies.
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

/** Why the peer cannot be had here, in one line. */
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
  // A Python that has been removed leaves a link to nowhere.
  if (built?.stamp === stamp && existsSync(path) && existsSync(join(home, "bin", "python"))) {
    return { row: [peer.name, version, path, "unchanged"] };
  }
  console.error(`building ${peer.name} ${version}`);
  await step("makes no virtual environment", python.executable, ["-m", "venv", "--clear", home]);
  // Wheels only: a compiler, and the minutes that grpcio takes, are not asked of anybody.
  const install = ["--require-hashes", "--only-binary=:all:", "--requirement", join(folder, "requirements.txt")];
  const quietly = ["--quiet", "--no-input", "--disable-pip-version-check", "--retries=1"];
  await step("installs no packages", join(home, "bin", "python"), ["-I", "-m", "pip", "install", ...quietly, ...install]);
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, launcher);
  chmodSync(fresh, 0o755);
  renameSync(fresh, path);
  return { row: [peer.name, version, path], stamp };
}

/** The first Python on PATH that is new enough, with its version and its own path. */
async function findPython() {
  const question = "import sys; print(*sys.version_info[:3], sys.executable)";
  for (const command of ["python3", "python"]) {
    const answer = await run(command, ["-I", "-c", question]).then(
      ({ stdout }) => /^(\d+) (\d+) (\d+) (.+)$/m.exec(stdout),
      () => undefined,
    );
    const [, major, minor, patch, executable] = answer ?? [];
    const isNewEnough = Number(major) > oldestPython[0] || (Number(major) === oldestPython[0] && Number(minor) >= oldestPython[1]);
    if (isNewEnough) return { version: `${major}.${minor}.${patch}`, executable };
  }
  throw new Absence(`no Python ${oldestPython.join(".")} or newer on PATH`);
}

async function step(what, command, args) {
  try {
    // Out of reach of a network, pip would try for long.
    await run(command, args, { maxBuffer: 64 * 1024 * 1024, timeout: 240_000 });
  } catch (error) {
    const said = String(error.stderr || error.stdout || error.message).trim();
    throw new Absence(`Python ${what} here: ${said.split("\n").at(-1)}`, { cause: error });
  }
}

/** As one word for a shell. */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function readRecord(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function writeRecord(file, content) {
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
}
