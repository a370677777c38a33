// SPDX-License-Identifier: Apache-2.0
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** A message in Protobuf's JSON, with the field names of the proto files; `of` and `typed` create the values in it. */
export type Message = Readonly<Record<string, unknown>>;

interface AnswerLine {
  readonly id: number;
  readonly responses: readonly Message[] | null;
  readonly code?: string;
  readonly error?: string;
}

/** Creates a value of a component's type: `of("resource_schemas", "note", { title: "x" })`. Omitted attributes are null, omitted blocks empty. */
export function of(field: string, name: string, value: unknown): Message {
  return { of: [field, name], value };
}

/** Creates a value of a type in cty's JSON. */
export function typed(type: unknown, value: unknown): Message {
  return { type, value };
}

/** An unknown value, in requests and responses. */
export const unknown = { $unknown: true } as const;

/** The peer `rpc-client`, and the provider that it has launched. */
export class RpcClient implements AsyncDisposable {
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #waiting = new Map<number, (line: AnswerLine) => void>();
  /** Names of RPCs that have been called. */
  readonly called: Set<string> = new Set();
  #count = 0;
  #stderr = "";

  constructor(peer: string, protocol: 5 | 6, command: readonly string[]) {
    this.#process = spawn(peer, [`-protocol=${protocol}`, ...command], { stdio: ["pipe", "pipe", "pipe"] });
    this.#process.stderr.setEncoding("utf8").on("data", (text: string) => (this.#stderr += text));
    createInterface(this.#process.stdout).on("line", (text) => {
      const line = JSON.parse(text) as AnswerLine;
      this.#waiting.get(line.id)?.(line);
      this.#waiting.delete(line.id);
    });
    this.#process.once("close", () => {
      for (const [id, answer] of this.#waiting) answer({ id, responses: [], error: `rpc-client has exited: ${this.#stderr}` });
    });
  }

  /** Makes a call; returns all its responses. */
  async stream(rpc: string, ...requests: readonly Message[]): Promise<readonly Message[]> {
    this.called.add(rpc);
    const id = ++this.#count;
    const { promise, resolve } = Promise.withResolvers<AnswerLine>();
    this.#waiting.set(id, resolve);
    this.#process.stdin.write(`${JSON.stringify({ id, rpc, requests })}\n`);
    const { responses, error } = await promise;
    if (error !== undefined) throw new Error(`${rpc}: ${error}`);
    return responses ?? [];
  }

  /** Makes a call; returns its only response. */
  async call(rpc: string, request: Message = {}): Promise<Message> {
    const [response, ...more] = await this.stream(rpc, request);
    if (response === undefined || more.length > 0)
      throw new Error(`${rpc} returned ${response === undefined ? 0 : more.length + 1} responses instead of one`);
    return response;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.stdin.end();
    await new Promise((resolve) => this.#process.once("close", resolve));
  }
}
