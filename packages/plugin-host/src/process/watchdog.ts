// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";

/**
 * The script of the watchdog: a process that ends the providers when their host has ended, for whatever reason. Its only connection to the
 * host is a pipe. When the pipe closes, it ends every registered provider with all its descendants: first by SIGTERM, two seconds later by
 * SIGKILL. It is needed because Go providers do not detect the end of their host, and a killed host runs no more code. Linux could signal
 * the providers (PR_SET_PDEATHSIG), but Node has no access to that.
 *
 * It costs one `/bin/sh` for each host (1 ms to start, under 2 MB), started after the first provider and ended two seconds after the last
 * one: a host that launches one provider after another would start it each time. Windows needs no watchdog: child processes are in a job that
 * ends with their parent.
 *
 * It reads lines `+ PID FOLDER` and `- PID`; FOLDER is the folder of the provider's socket.
 */
const shellScript = `
trap '' INT TERM HUP QUIT TSTP
pids=
while read -r sign pid folder; do
  case $sign in
    +) pids="$pids $pid"; eval "folder_$pid=\\$folder" ;;
    -) kept=; for each in $pids; do [ "$each" = "$pid" ] || kept="$kept $each"; done; pids=$kept ;;
  esac
done
[ -n "$pids" ] || exit 0
for pid in $pids; do kill -s TERM -- "-$pid"; done
tries=0
while [ $tries -lt 20 ]; do
  left=
  for pid in $pids; do kill -s 0 -- "-$pid" && left=1; done
  [ -n "$left" ] || break
  sleep 0.1 || { sleep 1; tries=$((tries + 9)); }
  tries=$((tries + 1))
done
for pid in $pids; do
  kill -s KILL -- "-$pid"
  eval "folder=\\$folder_$pid"
  [ -n "$folder" ] && rm -f -- "$folder"/* && rmdir -- "$folder"
done
`;

/** The same script for Node, for systems without a shell, such as minimal container images. */
const nodeScript = `
const { rmSync } = require("node:fs");
const folders = new Map();
const kill = (pid, signal) => { try { return process.kill(-pid, signal); } catch { return false; } };
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGTSTP"]) process.on(signal, () => {});
let rest = "";
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const [, sign, pid, folder] = /^([+-]) (\\d+) ?(.*)$/.exec(line) ?? [];
    if (sign === "+") folders.set(Number(pid), folder);
    if (sign === "-") folders.delete(Number(pid));
  }
}).on("close", async () => {
  const pids = [...folders.keys()];
  for (const pid of pids) kill(pid, "SIGTERM");
  for (let tries = 0; tries < 20 && pids.some((pid) => kill(pid, 0)); tries++) await new Promise((done) => setTimeout(done, 100));
  for (const pid of pids) kill(pid, "SIGKILL");
  for (const folder of folders.values()) if (folder) rmSync(folder, { recursive: true, force: true });
  process.exit();
});
`;

/**
 * The path of Node, if this executable can run a script. A single-executable application, or Electron, would start itself again; without a
 * shell such a host has only its exit hook.
 */
function ownNode(): string | undefined {
  const { electron, bun, deno } = process.versions;
  const isSea: boolean = process.getBuiltinModule("node:sea")?.isSea() ?? false;
  return electron === undefined && bun === undefined && deno === undefined && !isSea ? process.execPath : undefined;
}

/** How long a watchdog waits for another provider before it is ended, in milliseconds. */
const idleMs = 2_000;

/** Starts the watchdog and registers providers with it. There is at most one for each thread. */
export class Watchdog {
  #process: ChildProcess | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  readonly #watched = new Map<number, string>();
  readonly #shell: string;

  constructor(shell = "/bin/sh") {
    this.#shell = shell;
  }

  /** Makes the process group led by `pid` end with this process. Never throws, because a host works without a watchdog, too. */
  watch(pid: number, folder: string | undefined): void {
    if (process.platform === "win32") return;
    clearTimeout(this.#idleTimer);
    // A folder whose name would break the line format is not removed.
    this.#watched.set(pid, folder === undefined || /[\n\r]|^\s|\s$/.test(folder) ? "" : folder);
    if (this.#process === undefined) this.#start();
    else this.#send(`+ ${pid} ${this.#watched.get(pid)}\n`);
  }

  /** Unregisters a process group that has ended. */
  release(pid: number): void {
    if (!this.#watched.delete(pid)) return;
    this.#send(`- ${pid}\n`);
    if (this.#watched.size > 0) return;
    this.#idleTimer = setTimeout(() => this.#end(), idleMs);
    // If this process ends before, the pipe closes and the watchdog has nothing to end.
    this.#idleTimer.unref();
  }

  #start(): void {
    const hasShell = existsSync(this.#shell);
    const file = hasShell ? this.#shell : ownNode();
    if (file === undefined) return;
    const args = hasShell ? ["-c", shellScript, "tenon-watchdog"] : ["--input-type=commonjs", "-e", nodeScript, "tenon-watchdog"];
    try {
      const child = spawn(file, args, {
        // Its own session: a signal to this process's group, by a terminal or a test runner, does not end it.
        detached: true,
        cwd: "/",
        // Only the pipe: the readers of an inherited output would wait for its end.
        stdio: ["pipe", "ignore", "ignore"],
        env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
      });
      child.unref();
      // The pipe is a socket, which would keep this process running.
      (child.stdin as Socket).unref();
      child.once("error", () => this.#onEnd(child));
      child.once("exit", () => this.#onEnd(child));
      child.stdin.on("error", () => this.#onEnd(child));
      this.#process = child;
      for (const [pid, folder] of this.#watched) this.#send(`+ ${pid} ${folder}\n`);
    } catch {
      // The process cannot be started; the exit hook still works.
    }
  }

  #end(): void {
    this.#process?.stdin?.end();
    this.#process = undefined;
  }

  /** The watchdog has ended. The next provider starts another one, which registers all running providers. */
  #onEnd(child: ChildProcess): void {
    if (this.#process === child) this.#process = undefined;
  }

  #send(line: string): void {
    this.#process?.stdin?.write(line);
  }
}
