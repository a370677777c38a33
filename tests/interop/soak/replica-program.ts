// SPDX-License-Identifier: Apache-2.0
// One replica of an operator for the notes of a notebook: `replica-program.ts <settings as JSON>`.
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { runOperator } from "@tenon/bridge/kubernetes";
import { findClusterAccess } from "@tenon/bridge/kubernetes/machinery";
import { get, toJs, type Value } from "@tenon/cty";
import { provider as exampleNotebook } from "@tenon/example-notebook";
import { launchProvider } from "@tenon/plugin-host";
import { createProvider } from "@tenon/provider-sdk";
import type { Provider } from "@tenon/schema";
import { configuration } from "../go-provider.ts";
import { noteRules, provider as killedNotebook } from "./killed-notes.ts";
import type { ProviderCall, ReplicaSettings } from "./replica.ts";

const settings = JSON.parse(process.argv[2]!) as ReplicaSettings;
const {
  member,
  kubeconfig,
  database,
  calls,
  gate,
  group,
  latencyMs = 0,
  skewMs = 0,
  shards = 16,
  provider: command,
  hasAllNotes = false,
  memoryFile: _,
  ...options
} = settings;
if (skewMs !== 0) shiftClock(skewMs);
// The replica ends with the process that has started it.
process.stdin.on("end", () => process.exit()).resume();
process.once("SIGTERM", () => process.stdin.unref());

await runOperator(
  {
    name: "notes",
    group,
    ...(hasAllNotes ? { resources: Object.keys(noteRules), rules: noteRules } : { resources: ["notebook_note"] }),
    providerAddress: "example.com/tenon/notebook",
    open: async ({ configure }) => {
      const provider = command ? await launchProvider({ command }) : createProvider(hasAllNotes ? killedNotebook : exampleNotebook);
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
    pool: { maxBackoffMs: 100 },
  },
);

/** Logs the reads and changes of a provider by note. A change waits while the gate of this replica exists. */
function logged(provider: Provider): Provider {
  const calls: Pick<Provider, "readResource" | "applyResourceChange"> = {
    async readResource(request, callOptions) {
      return await recorded("read", request.currentState, () => provider.readResource(request, callOptions));
    },
    async applyResourceChange(request, callOptions) {
      const { priorState, plannedState } = request;
      const change = priorState.payload === null ? "create" : plannedState.payload === null ? "delete" : "update";
      return await recorded(change, change === "delete" ? priorState : plannedState, async () => {
        await untilGateOpens();
        return await provider.applyResourceChange(request, callOptions);
      });
    },
  };
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(calls, name) ?? Reflect.get(target, name);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

/** Logs a call before and after it is made. */
async function recorded<Result>(call: ProviderCall["call"], value: Value, make: () => Promise<Result>): Promise<Result> {
  const note = noteNumber(value);
  record({ note, call, step: "begin" });
  let isBroken = true;
  try {
    const result = await make();
    isBroken = false;
    return result;
  } finally {
    record({ note, call, step: "end", ...(isBroken ? { isBroken } : {}) });
  }
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
function record(call: Omit<ProviderCall, "member" | "at">): void {
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
