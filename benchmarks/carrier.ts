// SPDX-License-Identifier: Apache-2.0
// Compares Tenon's carrier with connect-node and with Go: plans of 549 bytes, responses of 264, over mutual TLS on a unix socket, one and
// ten in flight.
//
//   npm run bench -- carrier [--runs 3] [--seconds 2]
import { execFile } from "node:child_process";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { createClient } from "@connectrpc/connect";
import { requirePeer } from "@tenon/peers";
import type { OpenCarrierClient } from "@tenon/protocol/carrier";
import * as own from "@tenon/protocol/carrier/client";
import * as reference from "@tenon/protocol/carrier/connect-node-client";
import { Provider } from "@tenon/protocol/tfplugin6";
import { planAnswer, planRequest, sizes } from "./carrier-messages.ts";
import { connectPlugin } from "./connected-plugin.ts";
import { type Measurement, medians, report } from "./measurement.ts";

const { values: options } = parseArgs({ options: { runs: { type: "string", default: "3" }, seconds: { type: "string", default: "2" } } });
const milliseconds = Number(options.seconds) * 1000;

const { path: goPeer } = requirePeer("plugin-client");
const ownServer: readonly string[] = [process.execPath, join(import.meta.dirname, "carrier-plugin.ts"), "own"];
const referenceServer: readonly string[] = [process.execPath, join(import.meta.dirname, "carrier-plugin.ts"), "connect-node"];
const goServer: readonly string[] = [goPeer, "-serve"];

if (sizes.request !== 549 || sizes.answer !== 264)
  throw new Error(`the messages have ${sizes.request} and ${sizes.answer} bytes, expected 549 and 264`);

/** Calls per second of a client in TypeScript. */
async function rateOfClient(open: OpenCarrierClient, server: readonly string[], inFlight: number): Promise<number> {
  const { client, end } = await connectPlugin(open, server);
  const { planResourceChange } = createClient(Provider, client.transport);
  const plan = async (): Promise<void> => {
    const { plannedState } = await planResourceChange(planRequest);
    if (plannedState?.msgpack.length !== planAnswer.plannedState?.msgpack.length) throw new Error("unexpected response");
  };
  const callFor = async (ms: number): Promise<number> => {
    const start = performance.now();
    let calls = 0;
    const worker = async (): Promise<void> => {
      for (; performance.now() - start < ms; calls++) await plan();
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
    return (calls * 1000) / (performance.now() - start);
  };
  try {
    await callFor(milliseconds / 2);
    return await callFor(milliseconds);
  } finally {
    await end();
  }
}

/** Calls per second of go-plugin's client. */
async function rateOfGo(server: readonly string[], inFlight: number): Promise<number> {
  const run = promisify(execFile);
  // The first of the two runs warms up.
  const args = ["-load", `${milliseconds}ms`, "-in-flight", `${inFlight},${inFlight}`, ...server];
  const { stdout } = await run(goPeer, args);
  const { load } = JSON.parse(stdout) as { load: { calls: number; seconds: number; requestBytes: number; responseBytes: number }[] };
  const { calls, seconds, requestBytes, responseBytes } = load.at(-1)!;
  if (requestBytes !== sizes.request || responseBytes !== sizes.answer)
    throw new Error(`Go's messages have ${requestBytes} and ${responseBytes} bytes`);
  return calls / seconds;
}

const measurements: Measurement[] = [];
for (const inFlight of [1, 10]) {
  const suffix = inFlight === 1 ? "sequential" : `${inFlight}inflight`;
  const rates = await medians(Number(options.runs), {
    bothOwn: () => rateOfClient(own.openCarrierClient, ownServer, inFlight),
    bothReference: () => rateOfClient(reference.openCarrierClient, referenceServer, inFlight),
    ownToGo: () => rateOfClient(own.openCarrierClient, goServer, inFlight),
    referenceToGo: () => rateOfClient(reference.openCarrierClient, goServer, inFlight),
    goToOwn: () => rateOfGo(ownServer, inFlight),
    goToReference: () => rateOfGo(referenceServer, inFlight),
    goToGo: () => rateOfGo(goServer, inFlight),
  });
  measurements.push(
    { name: `both-ends-${suffix}`, ours: rates.bothOwn, peer: rates.bothReference, unit: "/s" },
    { name: `client-on-go-${suffix}`, ours: rates.ownToGo, peer: rates.referenceToGo, unit: "/s" },
    { name: `server-under-go-${suffix}`, ours: rates.goToOwn, peer: rates.goToReference, unit: "/s" },
    { name: `server-as-go-${suffix}`, ours: rates.goToOwn, peer: rates.goToGo, unit: "/s" },
    { name: `client-as-go-${suffix}`, ours: rates.ownToGo, peer: rates.goToGo, unit: "/s" },
  );
}
report("carrier", measurements);
