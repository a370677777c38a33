// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";

/** TypeScript's own language server, which editors use. */
export interface LanguageServer {
  /** Returns the completions offered at each ‸ of a source, in order. The file need not exist. */
  completions(path: string, source: string): Promise<readonly (readonly string[])[]>;
  close(): void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
}

/** Starts `tsc --lsp` for a folder. */
export async function openLanguageServer(compiler: string, folder: string): Promise<LanguageServer> {
  const server = spawn(compiler, ["--lsp", "--stdio"], { stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, (result: unknown) => void>();
  let received = Buffer.alloc(0);
  let last = 0;

  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const request = (method: string, params: object): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const id = ++last;
    waiting.set(id, resolve);
    send({ id, method, params });
    return promise;
  };
  const handle = (message: Message): void => {
    if (message.id === undefined) return;
    // The server requests settings; the response is that there are none.
    if (message.method !== undefined) send({ id: message.id, result: null });
    else waiting.get(message.id)?.(message.result);
  };
  server.stdout.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (let end = received.indexOf("\r\n\r\n"); end >= 0; end = received.indexOf("\r\n\r\n")) {
      const length = Number(/Content-Length: (\d+)/i.exec(received.subarray(0, end).toString())?.[1]);
      const next = end + 4 + length;
      if (received.length < next) return;
      const message = JSON.parse(received.subarray(end + 4, next).toString()) as Message;
      received = received.subarray(next);
      handle(message);
    }
  });

  const rootUri = pathToFileURL(folder).href;
  await request("initialize", { processId: process.pid, rootUri, capabilities: {}, workspaceFolders: [{ uri: rootUri, name: "test" }] });
  send({ method: "initialized", params: {} });
  return {
    async completions(path, source) {
      const uri = pathToFileURL(path).href;
      const parts = source.split("‸");
      send({
        method: "textDocument/didOpen",
        params: { textDocument: { uri, languageId: "typescript", version: 1, text: parts.join("") } },
      });
      const offers: (readonly string[])[] = [];
      let before = "";
      for (const part of parts.slice(0, -1)) {
        before += part;
        const lines = before.split("\n");
        const position = { line: lines.length - 1, character: lines.at(-1)!.length };
        const result = await request("textDocument/completion", { textDocument: { uri }, position });
        offers.push(labelsOf(result));
      }
      return offers;
    },
    close: () => void server.kill(),
  };
}

function labelsOf(result: unknown): readonly string[] {
  const items = Array.isArray(result) ? result : ((result as { readonly items?: readonly unknown[] } | null)?.items ?? []);
  return (items as readonly { readonly label: string }[]).map(({ label }) => label);
}
