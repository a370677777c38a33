// SPDX-License-Identifier: Apache-2.0
// Counts the calls that an operator makes: those to the provider by the trace of its SDK, those to the API server by its metrics.
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { requirePeer } from "@tenon/peers";
import type { KubernetesServer } from "@tenon/peers/kubernetes";
import { type NoteCluster } from "./kubernetes-cluster.ts";
import { RunningOperator, type Side } from "./kubernetes-sides.ts";

/** Numbers of calls, by name. */
export type CallCounts = Readonly<Record<string, number>>;

/** The calls of an operator. */
export interface OperatorCalls {
  /** Writes to the API server and applies of the provider, for each object that is created. */
  readonly create: CallCounts;
  /** All calls for each reconcile of an object that needs no change. */
  readonly noop: CallCounts;
  /** What the operator has written to an object. */
  readonly written: string;
}

const objects = 100;
/** Calls for one resource. Others are made once for each process. */
const resourceCalls =
  /^(ValidateResourceConfig|UpgradeResourceState|ReadResource|PlanResourceChange|ApplyResourceChange|ImportResourceState)$/;

/** Lets an operator create objects and then observe them, and counts its calls. */
export async function countCalls(
  cluster: NoteCluster,
  side: Side,
  operator: { readonly bundle: string; readonly folder: string },
): Promise<OperatorCalls> {
  const trace = join(operator.folder, `${side}.trace`);
  const provider = join(operator.folder, `${side}-traced-provider`);
  writeFileSync(
    provider,
    `#!/bin/sh\nTF_LOG_SDK=trace TF_LOG_SDK_PROTO=trace exec '${requirePeer("bare-provider").path}' "$@" 2>>'${trace}'\n`,
  );
  chmodSync(provider, 0o755);
  const counted = async (pollMs: number, work: () => Promise<void>): Promise<CallCounts> => {
    rmSync(trace, { force: true });
    const before = await apiCalls(cluster.server);
    const running = await RunningOperator.start(side, { ...operator, kubeconfig: cluster.kubeconfig, provider, pollMs });
    await running.ready();
    await work();
    await running.end();
    const after = await apiCalls(cluster.server);
    const made = Object.entries(after).map(([name, number]) => [name, number - (before[name] ?? 0)] as const);
    return { ...Object.fromEntries(made.filter(([, number]) => number > 0)), ...providerCalls(trace) };
  };
  using notes = await cluster.createNotes(objects);
  const create = await counted(3_600_000, async () => {
    await notes.allReady();
    await sleep(2_000);
  });
  const written = notes.written("note-7");
  const noop = await counted(1, () => sleep(3_000));
  await cluster.removeNotes();
  const isChange = ([name]: readonly [string, number]): boolean => !resourceCalls.test(name) || name === "ApplyResourceChange";
  const changes = Object.fromEntries(Object.entries(create).filter(isChange));
  return { create: forEach(changes, objects), noop: forEach(noop, noop["ReadResource"] ?? 0), written };
}

/** Throws unless two operators make the same calls and write the same. */
export function requireSameCalls(ours: OperatorCalls, peer: OperatorCalls): void {
  const sameCounts = (name: "create" | "noop"): boolean => JSON.stringify(ours[name]) === JSON.stringify(peer[name]);
  if (sameCounts("create") && sameCounts("noop") && ours.written === peer.written) return;
  throw new Error(`the two sides do not do the same:\n${JSON.stringify(ours, undefined, 2)}\n${JSON.stringify(peer, undefined, 2)}`);
}

/** Divides counts, and rounds them, because some calls are in flight when the counting ends. */
function forEach(counts: CallCounts, number: number): CallCounts {
  const divided = Object.entries(counts).map(([name, count]) => [name, Math.round((count / number) * 10) / 10] as const);
  return Object.fromEntries(divided.filter(([, count]) => count > 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Requests for single objects that the API server has had so far, without Leases. */
async function apiCalls(server: KubernetesServer): Promise<CallCounts> {
  const { text } = await server.request("GET", "/metrics");
  const counts: Record<string, number> = {};
  for (const [, labels, number] of text.matchAll(/^apiserver_request_total\{([^}]*)\} (\S+)$/gm)) {
    const label = (name: string): string => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels!)?.[1] ?? "";
    const [verb, resource, subresource] = [label("verb"), label("resource"), label("subresource")];
    if (!["note", "secrets", "events"].includes(resource) || verb === "WATCH" || verb === "LIST") continue;
    const name = `${verb} ${resource}${subresource && `/${subresource}`}`;
    counts[name] = (counts[name] ?? 0) + Number(number);
  }
  return counts;
}

/** Calls in a trace of the provider's SDK. */
function providerCalls(trace: string): CallCounts {
  const counts: Record<string, number> = {};
  for (const line of readFileSync(trace, "utf8").split("\n")) {
    if (!line.includes("Received request")) continue;
    const name = /"tf_rpc":"(\w+)"/.exec(line)?.[1] ?? "";
    if (resourceCalls.test(name)) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
