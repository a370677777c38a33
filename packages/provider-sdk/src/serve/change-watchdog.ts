// SPDX-License-Identifier: Apache-2.0
import type { ChildProcess } from "node:child_process";
import type { PluginAddress } from "@tenon/protocol/handshake";

/**
 * Script of the watchdog process. Arguments: process ID of the provider; process ID of the host, or nothing; number of interrupts that
 * end the provider; number of interrupts so far; path of the socket, or nothing.
 *
 * The watchdog is in the provider's process group, so it gets the signals that a terminal or a service manager sends to all processes of
 * a run. The provider answers every interrupt with SIGUSR1, unless a handler blocks its event loop.
 *
 * It prints a line when it handles signals: until then, an interrupt ends it. It waits for a background process, because a shell handles
 * signals only after a foreground process has ended, and two interrupts until then would count as one.
 */
const script = `
provider=$1 host=$2 limit=$3 interrupts=$4 socket=$5 answered=1 waited=0
trap 'interrupts=$((interrupts + 1)) answered= waited=0' INT
trap 'interrupts=$limit answered= waited=0' TERM HUP QUIT
trap 'answered=1' USR1
echo ready
exec >/dev/null
host_is_gone() {
  [ -n "$host" ] || return 1
  if [ -r "/proc/$provider/status" ]; then
    while read -r key parent; do [ "$key" = PPid: ] && break; done <"/proc/$provider/status"
  else
    parent=$(ps -o ppid= -p "$provider")
  fi
  [ -n "$parent" ] && [ "$parent" -ne "$host" ]
}
while sleep 1 & wait "$!"; kill -s 0 "$provider"; do
  if host_is_gone || { [ "$interrupts" -ge "$limit" ] && [ -z "$answered" ]; }; then waited=$((waited + 1)); else waited=0; fi
  [ "$waited" -lt 3 ] && continue
  kill -s KILL "$provider"
  [ -z "$socket" ] || rm -f -- "$socket"
  exit
done
`;

/** Delay between an interrupt and the signal to the watchdog that the event loop is not blocked, in milliseconds. */
const reportAfterMs = 100;

/** Options of {@link createChangeWatchdog}. */
export interface ChangeWatchdogOptions {
  /** Process ID of the host; absent: the provider does not end with its parent process. */
  readonly parent?: number;
  /** Number of interrupts (Ctrl-C) that end the provider. */
  readonly interruptLimit: number;
}

/** Ends this process when a handler blocks the event loop and the host has ended or the practitioner has interrupted the run. */
export interface ChangeWatchdog {
  /**
   * Starts the watchdog process, once, before the first change. Resolves when the process handles signals, after a few milliseconds;
   * returns undefined if it does already.
   */
  readonly start: (address: PluginAddress) => Promise<void> | undefined;
  /** Handles an interrupt: reports to the watchdog process that the event loop is not blocked. */
  readonly onInterrupt: () => void;
}

/**
 * Creates the watchdog of a process. It is a process of its own, because no JavaScript runs while a handler loops without yielding: signals
 * and calls stay unread, and go-plugin waits for the response to its Shutdown call without a timeout.
 *
 * It detects signals and the end of the host. It cannot read calls, which only this process can decrypt: if only the host is interrupted,
 * without its process group, the host waits for the handler.
 *
 * The provider is killed two to three seconds after the last signal, or after its host has ended. Windows has no watchdog.
 */
export function createChangeWatchdog({ parent, interruptLimit }: ChangeWatchdogOptions): ChangeWatchdog {
  let interrupts = 0;
  let isReady = process.platform === "win32";
  let starting: Promise<void> | undefined;
  let reportRunning: (() => void) | undefined;

  const start = async (address: PluginAddress): Promise<void> => {
    const socket = address.network === "unix" ? address.path : "";
    let started: StartedWatchdog | "interrupted" | undefined = "interrupted";
    while (started === "interrupted") {
      started = await startWatchdog([process.pid, parent ?? "", interruptLimit, interrupts, socket].map(String));
    }
    isReady = true;
    reportRunning = started?.reportRunning;
  };
  return {
    start: (address) => (isReady ? undefined : (starting ??= start(address))),
    onInterrupt() {
      interrupts += 1;
      setTimeout(() => reportRunning?.(), reportAfterMs).unref();
    },
  };
}

/** A watchdog process that handles signals. */
interface StartedWatchdog {
  readonly reportRunning: () => void;
}

/** Starts a watchdog process. Returns "interrupted" if an interrupt ended it before it handled signals; undefined if it cannot run here. */
async function startWatchdog(settings: readonly string[]): Promise<StartedWatchdog | "interrupted" | undefined> {
  // An import would load the module also in providers that never apply a change.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child: ChildProcess = spawn("/bin/sh", ["-c", script, "tenon-watchdog", ...settings], {
    cwd: "/",
    // The readers of any other open output would wait until the watchdog ends.
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
  });
  child.unref();
  process.on("exit", () => child.kill("SIGKILL"));
  const { promise, resolve } = Promise.withResolvers<StartedWatchdog | "interrupted" | undefined>();
  // `stdout` is absent if the process has too many open files.
  child.stdout?.once("data", () => resolve({ reportRunning: () => child.kill("SIGUSR1") }));
  // This process has received the interrupt too, and counts it before the next turn of its event loop.
  child.once("exit", (_, signal) => void setImmediate(() => resolve(signal === "SIGINT" ? "interrupted" : undefined)));
  // The provider also works without a watchdog, for example on systems without a shell.
  child.once("error", () => resolve(undefined));
  const started = await promise;
  child.stdout?.destroy();
  return started;
}
