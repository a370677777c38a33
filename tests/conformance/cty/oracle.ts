// SPDX-License-Identifier: Apache-2.0
import { requirePeer } from "@tenon/peers";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import type { Answer, Case } from "./notation.ts";

/** go-cty, ready to be asked. */
export interface Oracle {
  /** The versions that decide its answers. */
  readonly header: Readonly<Record<string, string | number>>;
  /**
   * The answers, in the order of the cases. A case that kills the process is found and answered with `died`. One that may cost
   * gigabytes is `unasked`, unless it must be asked.
   */
  ask(cases: readonly Case[], must?: boolean): Promise<readonly Answer[]>;
  close(): void;
}

export interface OracleOptions {
  /** How often each case is asked, to find answers that vary; default 20. */
  readonly repeats?: number;
  /** Which one; default `cty-oracle`. */
  readonly peer?: "cty-oracle" | "hcl-oracle";
}

/** Milliseconds without any answer after which the process is taken to hang. */
const patience = 60_000;

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: Interface;
}

/** Heads of msgpack's arrays and maps with a length of four bytes, and a length of a million or more. */
const longHead: RegExp = /^(?:..)*?(?:dd|df)(?!000)/;

/**
 * go-cty allocates for as many elements as a head announces, before it reads any; asked twenty times at once, that takes the
 * machine down. Few bytes cannot hold them, so it is an error; whoever finds that those bytes are no head asks again.
 */
function announcesTooMuch({ op, args }: Case): boolean {
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
    // Its last words are those of the Go runtime, and long; that it died is all that counts.
    child.stderr.resume();
    child.stdin.on("error", () => {});
    const lines = createInterface({ input: child.stdout, crlfDelay: Infinity });
    const [first] = (await once(lines, "line")) as [string];
    header = JSON.parse(first) as typeof header;
    return { child, lines };
  };

  let running = await start();

  /** Answers until the process ends or hangs; what is left of the cases then has no answer. */
  const askOnce = async (cases: readonly Case[]): Promise<(Answer | undefined)[]> => {
    const answers: (Answer | undefined)[] = cases.map(() => undefined);
    let left = cases.length;
    const { child, lines } = running;
    await new Promise<void>((resolve) => {
      let timer = setTimeout(() => child.kill("SIGKILL"), patience);
      const done = (): void => {
        clearTimeout(timer);
        lines.off("line", onLine);
        child.off("close", done);
        resolve();
      };
      const onLine = (line: string): void => {
        const { id, ...answer } = JSON.parse(line) as { id: number } & Answer;
        answers[id] = answer as Answer;
        clearTimeout(timer);
        timer = setTimeout(() => child.kill("SIGKILL"), patience);
        if (--left === 0) done();
      };
      lines.on("line", onLine);
      child.once("close", done);
      child.stdin.write(cases.map(({ op, args }, id) => `${JSON.stringify({ id, op, args })}\n`).join(""));
    });
    if (left > 0) running = await start();
    return answers;
  };

  const ask = async (cases: readonly Case[], must = false): Promise<readonly Answer[]> => {
    const isLeft = (one: Case): boolean => !must && announcesTooMuch(one);
    const asked = cases.filter((one) => !isLeft(one));
    const answers = asked.length === 0 ? [] : await askUntilAnswered(asked);
    const rest = answers.values();
    return cases.map((one) => (isLeft(one) ? { unasked: "its bytes announce millions of elements" } : rest.next().value!));
  };

  const askUntilAnswered = async (cases: readonly Case[]): Promise<readonly Answer[]> => {
    const answers = await askOnce(cases);
    const missing = cases.flatMap((_, index) => (answers[index] === undefined ? [index] : []));
    if (missing.length > 0 && cases.length === 1) return [{ died: "the oracle's process ended or hung" }];
    const half = Math.ceil(missing.length / 2);
    for (const part of [missing.slice(0, half), missing.slice(half)]) {
      const again = part.length === 0 ? [] : await askUntilAnswered(part.map((index) => cases[index]!));
      for (const [position, index] of part.entries()) answers[index] = again[position]!;
    }
    return answers as readonly Answer[];
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
