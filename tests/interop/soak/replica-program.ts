// SPDX-License-Identifier: Apache-2.0
// One replica of an operator for the notes of a notebook: `replica-program.ts <settings as JSON>`.
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { runOperator } from "@tenon/bridge/kubernetes";
import { findClusterAccess } from "@tenon/bridge/kubernetes/machinery";
import { get, toJs, type Value } from "@tenon/cty";
import { provider as notebook } from "@tenon/example-notebook";
import { createProvider } from "@tenon/provider-sdk";
import type { Provider } from "@tenon/schema";
import { configuration } from "../go-provider.ts";
import type { ProviderCall, ReplicaSettings } from "./replica.ts";

const settings = JSON.parse(process.argv[2]!) as ReplicaSettings;
const { member, kubeconfig, database, calls, gate, group, latencyMs = 0, skewMs = 0, shards = 16, memoryFile: _, ...options } = settings;
if (skewMs !== 0) shiftClock(skewMs);
// The replica ends with the process that has started it.
process.stdin.on("end", () => process.exit()).resume();
process.once("SIGTERM", () => process.stdin.unref());

await runOperator(
  {
    name: "notes",
    group,
    resources: ["notebook_note"],
    providerAddress: "example.com/tenon/notebook",
    open: async ({ configure }) => {
      const provider = createProvider(notebook);
      const { provider: schema } = await provider.getProviderSchema({});
      const config = configuration(schema!, { path: database, latency_ms: latencyMs });
      if (configure) await provider.configureProvider({ terraformVersion: "1.12.6", config });
      return logged(provider);
    },
  },
  {
    ...options,
    // Failures are expected here; the tests read what the objects say.
    writeLog: () => {},
    access: await findClusterAccess({ kubeconfig }),
    environment: { POD_NAME: member, POD_NAMESPACE: "default", HEALTH_PORT: "0", SHARDS: String(shards), LOG_LEVEL: "error" },
    onReady: ({ healthPort }) => console.log(JSON.stringify({ healthPort })),
    queue: { initialDelayMs: 50, maxDelayMs: 500, repeatsPerSecond: 1_000 },
  },
);

/** Logs the reads and changes of a provider by note. A change waits while the gate of this replica exists. */
function logged(provider: Provider): Provider {
  type Call = (request: never, options: never) => Promise<unknown>;
  const wrapped = (call: Call, name: ProviderCall["call"], note: (request: never) => Value, isChange: boolean): Call => {
    return async (request, callOptions) => {
      const number = noteNumber(note(request));
      record({ note: number, call: name, step: "begin" });
      try {
        if (isChange) await untilGateOpens();
        return await call(request, callOptions);
      } finally {
        record({ note: number, call: name, step: "end" });
      }
    };
  };
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      const call = member.bind(target) as Call;
      type Read = Parameters<Provider["readResource"]>[0];
      type Apply = Parameters<Provider["applyResourceChange"]>[0];
      if (name === "readResource") return wrapped(call, "read", (request: Read) => request.currentState, false);
      if (name !== "applyResourceChange") return call;
      const planned = ({ plannedState, priorState }: Apply): Value => (plannedState.payload === null ? priorState : plannedState);
      return wrapped(call, "change", planned, true);
    },
  });
}

async function untilGateOpens(): Promise<void> {
  const isClosed = (): boolean => gate !== undefined && existsSync(gate);
  while (isClosed()) await sleep(10);
}

/** The number at the end of a note's name, with which its title begins: `note-12 …`. */
function noteNumber(note: Value): string {
  return /\d+/.exec(String(toJs(get(note, "title"))))?.[0] ?? "";
}

/** Appends to the log of the provider, with the time of a clock that all processes of the machine share. */
function record(call: Pick<ProviderCall, "note" | "call" | "step">): void {
  if (calls !== undefined) appendFileSync(calls, `${JSON.stringify({ ...call, member, at: process.hrtime.bigint().toString() })}\n`);
}

/** Makes this process believe that it is another time. */
function shiftClock(byMs: number): void {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given: readonly [] | readonly [number | string]) {
      super(given.length === 0 ? RealDate.now() + byMs : given[0]);
    }
    static override now(): number {
      return RealDate.now() + byMs;
    }
  } as DateConstructor;
}
