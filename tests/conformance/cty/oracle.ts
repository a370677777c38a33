// SPDX-License-Identifier: Apache-2.0
import { requirePeer } from "@tenon/peers";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import type { OracleResult, Case } from "./notation.ts";

/** A running process that answers cases with go-cty or another Go library. */
export interface Oracle {
  /** Versions of the library, Go and Unicode. */
  readonly header: Readonly<Record<string, string | number>>;
  /**
   * Returns the answers in the order of the cases. A case that crashes the process is answered with `died`, and the process is
   * restarted. A case that may allocate gigabytes is answered with `unasked`, unless `force` is set.
   */
  ask(cases: readonly Case[], force?: boolean): Promise<readonly OracleResult[]>;
  close(): void;
}

export interface OracleOptions {
  /** Number of times each case is run, to find answers that vary; default 20. */
  readonly repeats?: number;
  /** Name of the oracle; default `cty-oracle`. */
  readonly peer?: "cty-oracle" | "hcl-oracle" | "engine-oracle";
}

/** Timeout for the next answer, in milliseconds. */
const answerTimeout = 60_000;

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: Interface;
}

/** Heads of msgpack arrays and maps with a four-byte length of a million or more. */
const longHead: RegExp = /^(?:..)*?(?:dd|df)(?!000)/;

/**
 * Whether a case may allocate gigabytes: go-cty allocates the number of elements that a head declares before it reads any. The
 * pattern may also match bytes that are not a head; the caller can run such a case with `force`.
 */
function mayAllocateGigabytes({ op, args }: Case): boolean {
  return op.startsWith("msgpack.") && typeof args[0] === "string" && longHead.test(args[0]);
}

/**
 * Starts the oracle.
 *
 * @throws PeerError `PEER_ABSENT` if it is not built.
 */
export async function openOracle({ repeats = 20, peer = "cty-oracle" }: OracleOptions = {}): Promise<Oracle> {
  const { path } = requirePeer(peer);
  let header: Readonly<Record<string, string | number>> = {};

  const start = async (): Promise<Running> => {
    const child = spawn(path, ["-repeats", String(repeats)], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, GOMEMLIMIT: "1GiB" },
    });
    // Ignore the long stack trace of the Go runtime; only the exit matters.
    child.stderr.resume();
    child.stdin.on("error", () => {});
    const lines = createInterface({ input: child.stdout, crlfDelay: Infinity });
    const [first] = (await once(lines, "line")) as [string];
    header = JSON.parse(first) as typeof header;
    return { child, lines };
  };

  let running = await start();

  /** Collects answers until the process ends or times out; the remaining cases then have no answer. */
  const askOnce = async (cases: readonly Case[]): Promise<(OracleResult | undefined)[]> => {
    const answers: (OracleResult | undefined)[] = cases.map(() => undefined);
    let left = cases.length;
    const { child, lines } = running;
    await new Promise<void>((resolve) => {
      let timer = setTimeout(() => child.kill("SIGKILL"), answerTimeout);
      const done = (): void => {
        clearTimeout(timer);
        lines.off("line", onLine);
        child.off("close", done);
        resolve();
      };
      const onLine = (line: string): void => {
        const { id, ...answer } = JSON.parse(line) as { id: number } & OracleResult;
        answers[id] = answer as OracleResult;
        clearTimeout(timer);
        timer = setTimeout(() => child.kill("SIGKILL"), answerTimeout);
        if (--left === 0) done();
      };
      lines.on("line", onLine);
      child.once("close", done);
      child.stdin.write(cases.map(({ op, args }, id) => `${JSON.stringify({ id, op, args })}\n`).join(""));
    });
    if (left > 0) running = await start();
    return answers;
  };

  const ask = async (cases: readonly Case[], force = false): Promise<readonly OracleResult[]> => {
    const isSkipped = (one: Case): boolean => !force && mayAllocateGigabytes(one);
    const remaining = cases.filter((one) => !isSkipped(one));
    const answers = remaining.length === 0 ? [] : await askUntilAnswered(remaining);
    const rest = answers.values();
    return cases.map((one) => (isSkipped(one) ? { unasked: "its bytes declare millions of elements" } : rest.next().value!));
  };

  const askUntilAnswered = async (cases: readonly Case[]): Promise<readonly OracleResult[]> => {
    const answers = await askOnce(cases);
    const missing = cases.flatMap((_, index) => (answers[index] === undefined ? [index] : []));
    if (missing.length > 0 && cases.length === 1) return [{ died: "the oracle's process ended or hung" }];
    const half = Math.ceil(missing.length / 2);
    for (const part of [missing.slice(0, half), missing.slice(half)]) {
      const again = part.length === 0 ? [] : await askUntilAnswered(part.map((index) => cases[index]!));
      for (const [position, index] of part.entries()) answers[index] = again[position]!;
    }
    return answers as readonly OracleResult[];
  };

  return {
    get header() {
      return header;
    },
    ask,
    close: () => {
      running.child.stdin.end();
    },
  };
}
