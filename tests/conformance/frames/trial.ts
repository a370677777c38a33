// SPDX-License-Identifier: Apache-2.0
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type CarrierServer, registration } from "@tenon/protocol/carrier";
import { openCarrierClient } from "@tenon/protocol/carrier/client";
import { createCarrierServer } from "@tenon/protocol/carrier/server";
import { Provider } from "@tenon/protocol/tfplugin6";
import { randomFor } from "@tenon/testing/generate";
import { clientFrames, preface, serverFrames } from "./conversation.ts";
import { mutate, mutationNames } from "./mutation.ts";

/** Side of the connection that receives the damaged bytes. */
export type Side = "server" | "client";

export const sides: readonly Side[] = ["server", "client"];

/** Maximum time that a side may take for a case, in milliseconds. */
const caseTimeoutMs = 30_000;

/** Results of the cases so far. */
export interface Report {
  passed: number;
  readonly failures: string[];
  /** Number of cases by side, mutation and outcome. */
  readonly distribution: Map<string, number>;
}

/** Creates an empty report. */
export function createReport(): Report {
  return { passed: 0, failures: [], distribution: new Map() };
}

/** Formats the distribution of a report: a line for each mutation, and one for the outcomes. */
export function distributionRows(report: Report): string[] {
  const count = (key: string): string => String(report.distribution.get(key) ?? 0).padStart(7);
  const outcomes = ["server ended", "server violated", "client answered", "client failed"].map((name) => `${name} ${count(name).trim()}`);
  return [
    ...mutationNames.map((name) => `${name.padEnd(10)}${sides.map((side) => ` ${side}${count(`${side} ${name}`)}`).join("")}`),
    outcomes.join(", "),
  ];
}

/** Runs the cases from `first` to before `end` against both sides. */
export async function tryCases(report: Report, seed: number, first: number, end: number, only?: Side): Promise<void> {
  const crashes: unknown[] = [];
  const crashed = (error: unknown): void => void crashes.push(error);
  process.on("uncaughtException", crashed).on("unhandledRejection", crashed);
  await using served = await serve();
  try {
    for (let index = first; index < end; index++) {
      for (const side of only === undefined ? sides : [only]) {
        const random = randomFor(seed, side, index);
        const frames = side === "server" ? clientFrames(random) : serverFrames(random, 3);
        const { done, pieces } = mutate(random, frames, side === "server" ? preface : Buffer.alloc(0));
        for (const name of done) add(report, `${side} ${name}`);
        const problem = side === "server" ? await tryServer(served, pieces, report) : await tryClient(pieces, report);
        await sleep(0);
        const crash = crashes.length > 0 ? `crashed: ${String((crashes.pop() as Error).stack)}` : problem;
        if (crash === undefined) report.passed++;
        else report.failures.push(`${side}:${index} (${done.join(", ")}): ${crash}`);
      }
    }
  } finally {
    process.off("uncaughtException", crashed).off("unhandledRejection", crashed);
  }
}

interface Served extends AsyncDisposable {
  readonly path: string;
  readonly carrier: CarrierServer;
  readonly errors: Error[];
}

async function serve(): Promise<Served> {
  const errors: Error[] = [];
  const carrier = createCarrierServer({
    services: [
      registration(Provider, {
        getMetadata: () => ({ resources: [{ typeName: "thing" }] }),
        async *listResource() {
          for (let index = 0; index < 3; index++) {
            yield { displayName: `thing ${index}` };
            await sleep(0);
          }
        },
        async writeStateBytes(requests) {
          await Array.fromAsync(requests);
          return {};
        },
      }),
    ],
    onConnectionError: (error) => void errors.push(error),
  });
  const { listener, path, folder } = await listen((socket) => carrier.accept(socket));
  return {
    path,
    carrier,
    errors,
    async [Symbol.asyncDispose]() {
      await carrier.close();
      listener.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function listen(onSocket: (socket: Socket) => void): Promise<{ listener: Server; path: string; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "frames-"));
  const path = join(folder, "s");
  const listener = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {});
    onSocket(socket);
  });
  listener.listen(path);
  await once(listener, "listening");
  return { listener, path, folder };
}

/** Runs a case against a server: it must end the connection of a client that has disconnected, report only protocol errors, and keep serving. */
async function tryServer({ path, carrier, errors }: Served, pieces: readonly Buffer[], report: Report): Promise<string | undefined> {
  errors.length = 0;
  const socket = connect(path);
  socket.on("error", () => {}).resume();
  const closed = new Promise<boolean>((resolve) => socket.once("close", () => resolve(true)));
  for (const piece of pieces) socket.write(piece);
  socket.end();
  if (!(await inTime(closed))) return "hangs: the connection was not closed";
  const end = performance.now() + caseTimeoutMs;
  while (carrier.sessionCount > 0) {
    if (performance.now() > end) return "hangs: the session was not ended";
    await sleep(1);
  }
  const unexpected = errors.find(({ name }) => name !== "ProtocolError");
  add(report, errors.length > 0 ? "server violated" : "server ended");
  // A reset of the socket is not an error of the server.
  if (unexpected !== undefined && !("syscall" in unexpected)) return `onConnectionError received ${unexpected.stack}`;
  if (Math.random() > 0.02) return undefined;
  const client = openCarrierClient({ address: { network: "unix", path } });
  const { message } = await client.transport.unary(Provider.method.getMetadata, undefined, undefined, undefined, {});
  await client.close();
  return message.resources.length === 1 ? undefined : "the server does not serve calls any more";
}

/** Runs a case against a client: its calls must end, with a response or an error, when the server has closed the connection. */
async function tryClient(pieces: readonly Buffer[], report: Report): Promise<string | undefined> {
  const { listener, path, folder } = await listen((socket) => {
    socket.resume();
    for (const piece of pieces) socket.write(piece);
    socket.end();
  });
  const client = openCarrierClient({ address: { network: "unix", path }, connectTimeoutMs: 2000 });
  const { transport } = client;
  const stream = async (): Promise<void> => {
    const { message } = await transport.stream(Provider.method.listResource, undefined, undefined, undefined, one({}));
    await Array.fromAsync(message);
  };
  const calls = Promise.allSettled([
    transport.unary(Provider.method.getMetadata, undefined, undefined, undefined, {}),
    stream(),
    transport.unary(Provider.method.getMetadata, undefined, 1000, undefined, {}),
  ]);
  const outcomes = await inTime(calls);
  const ended = await inTime(client.closed);
  await client.close();
  listener.close();
  rmSync(folder, { recursive: true });
  if (outcomes === undefined) return "hangs: a call did not end";
  if (ended === undefined) return "hangs: the connection did not end";
  for (const outcome of outcomes) {
    add(report, outcome.status === "fulfilled" ? "client answered" : "client failed");
    if (outcome.status === "rejected" && (outcome.reason as Error).name !== "ConnectError")
      return `failed with ${(outcome.reason as Error).stack}`;
  }
  return undefined;
}

async function* one<T>(value: T): AsyncGenerator<T> {
  yield value;
}

async function inTime<T>(promise: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, caseTimeoutMs, undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function add(report: Report, key: string): void {
  report.distribution.set(key, (report.distribution.get(key) ?? 0) + 1);
}
