// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";

/**
 * Ends providers whose host is gone, however it went: a process that holds nothing but a pipe to the host, and learns from its
 * end that the host is no more. It then ends every provider it was told of, with all their descendants: first asking, two
 * seconds later by force. It is needed because Go providers do not notice that their host is gone, and nothing that runs in
 * a killed host can tell them; Linux could (PR_SET_PDEATHSIG), but Node cannot ask it to.
 *
 * It costs one `/bin/sh` a host (1 ms to start, under 2 MB), started right after the first provider, beside that one's own start,
 * and gone with the last. Windows needs none: children there are in a job that ends with their parent.
 *
 * It reads `+ PID FOLDER` and `- PID` lines; FOLDER is the folder of the provider's socket.
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

/** The same where there is no shell, as in images that hold nothing but Node. */
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
 * This Node, where it can be told to run something else. A program in one file, or Electron's, would start itself again: without a
 * shell, such a host has its exit hook only.
 */
function ownNode(): string | undefined {
  const { electron, bun, deno } = process.versions;
  const isSea: boolean = process.getBuiltinModule("node:sea")?.isSea() ?? false;
  return electron === undefined && bun === undefined && deno === undefined && !isSea ? process.execPath : undefined;
}

/** The way to tell the watchdog of providers. There is at most one a thread. */
export class Watchdog {
  #process: ChildProcess | undefined;
  readonly #watched = new Map<number, string>();
  readonly #shell: string;

  constructor(shell = "/bin/sh") {
    this.#shell = shell;
  }

  /** From now on the process group led by `pid` ends with this process. Never throws: a host without watchdog is still a host. */
  watch(pid: number, folder: string | undefined): void {
    if (process.platform === "win32") return;
    // A folder whose name would end the line is left to whoever cleans temporary files.
    this.#watched.set(pid, folder === undefined || /[\n\r]|^\s|\s$/.test(folder) ? "" : folder);
    if (this.#process === undefined) this.#start();
    else this.#tell(`+ ${pid} ${this.#watched.get(pid)}\n`);
  }

  /** The process group has ended. */
  release(pid: number): void {
    if (!this.#watched.delete(pid)) return;
    this.#tell(`- ${pid}\n`);
    if (this.#watched.size > 0) return;
    this.#process?.stdin?.end();
    this.#process = undefined;
  }

  #start(): void {
    const hasShell = existsSync(this.#shell);
    const file = hasShell ? this.#shell : ownNode();
    if (file === undefined) return;
    const args = hasShell ? ["-c", shellScript, "tenon-watchdog"] : ["--input-type=commonjs", "-e", nodeScript, "tenon-watchdog"];
    try {
      const child = spawn(file, args, {
        // Its own session: what ends this process's group, such as a terminal or a test runner, must not end it.
        detached: true,
        cwd: "/",
        // Only the pipe: an output it held open would keep others waiting for its end.
        stdio: ["pipe", "ignore", "ignore"],
        env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
      });
      child.unref();
      // A pipe to a process is a socket, and must not keep this process running either.
      (child.stdin as Socket).unref();
      child.once("error", () => this.#lost(child));
      child.once("exit", () => this.#lost(child));
      child.stdin.on("error", () => this.#lost(child));
      this.#process = child;
      for (const [pid, folder] of this.#watched) this.#tell(`+ ${pid} ${folder}\n`);
    } catch {
      // No process to spare: the hooks of a normal exit are left.
    }
  }

  /** Somebody killed it: the next provider starts another, which is told of those there are. */
  #lost(child: ChildProcess): void {
    if (this.#process === child) this.#process = undefined;
  }

  #tell(line: string): void {
    this.#process?.stdin?.write(line);
  }
}
