// SPDX-License-Identifier: Apache-2.0

/** An event of Node's inspector, for example `Debugger.paused`. */
export interface InspectorEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A client of Node's inspector, the protocol that debuggers use. */
export interface InspectorClient extends AsyncDisposable {
  /** Calls a method. Throws if the inspector reports an error. */
  send<Result>(method: string, params?: object): Promise<Result>;
  /** Returns the events with this name so far. */
  events<Params>(method: string): readonly Params[];
  /** Waits for the next event with this name after the call. */
  next<Params>(method: string): Promise<Params>;
}

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Connects to the inspector of a process. @param url address that Node prints: `Debugger listening on ws://…` */
export async function openInspector(url: string): Promise<InspectorClient> {
  const socket = new WebSocket(url);
  const calls = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  const events: InspectorEvent[] = [];
  const waiting: { readonly method: string; readonly resolve: (params: unknown) => void }[] = [];
  let lastId = 0;
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Reply | InspectorEvent;
    if ("id" in message) {
      const call = calls.get(message.id);
      calls.delete(message.id);
      if (message.error === undefined) call?.resolve(message.result);
      else call?.reject(new Error(message.error.message));
      return;
    }
    events.push(message);
    for (const [index, { method, resolve }] of [...waiting.entries()].toReversed()) {
      if (method !== message.method) continue;
      waiting.splice(index, 1);
      resolve(message.params);
    }
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error(`cannot connect to ${url}`)));
  });
  return {
    send<Result>(method: string, params: object = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const id = ++lastId;
      calls.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
      return promise as Promise<Result>;
    },
    events: <Params>(method: string) => events.filter((event) => event.method === method).map(({ params }) => params as unknown as Params),
    next<Params>(method: string) {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      waiting.push({ method, resolve });
      return promise as Promise<Params>;
    },
    async [Symbol.asyncDispose]() {
      socket.close();
    },
  };
}
