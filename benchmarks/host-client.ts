// SPDX-License-Identifier: Apache-2.0
// Our host in a process of its own, `node host-client.ts <file> <provider>`: what tests/peers/rpc-client does with `-measure <file>`.
import { readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import type { Type } from "@tenon/cty";
import * as msgpack from "@tenon/cty/msgpack";
import { launchProvider } from "@tenon/plugin-host";
import { openCarrierClient } from "@tenon/protocol/carrier/client";
import { Provider as ProviderService } from "@tenon/protocol/tfplugin6";
import { impliedType, type Provider } from "@tenon/schema";
import { connectPlugin } from "./connected-plugin.ts";
import type { HostMeasured, HostMeasurement } from "./host-measurement.ts";

/** Makes one call; answers the planned state's bytes only when it is asked to write them anew. */
interface Planner {
  plan(): Promise<void>;
  planned(): Promise<Uint8Array>;
  end(): Promise<unknown>;
}

const [file, command] = process.argv.slice(2) as [string, string];
const what = JSON.parse(readFileSync(file, "utf8")) as HostMeasurement;
const launched = performance.now();
const { planner, firstSchemaMs } = what.plain === true ? await connectedPlanner() : await launchedPlanner();
const measured: HostMeasured = { firstSchemaMs, ...(planner === undefined ? resting() : await measure(planner)) };
await planner?.end();
process.stdout.write(`${JSON.stringify(measured)}\n`);

/** Through our host: with values, as a core does. */
async function launchedPlanner(): Promise<{ planner: Planner | undefined; firstSchemaMs: number }> {
  const provider = await launchProvider({ command });
  const { resources } = await provider.getProviderSchema({});
  const schema = what.typeName === undefined ? undefined : resources.get(what.typeName);
  const type = schema && impliedType(schema.block);
  const firstSchemaMs = performance.now() - launched;
  return { planner: type && plannerOf(provider, type), firstSchemaMs };
}

function plannerOf(provider: Provider, type: Type): Planner {
  const value = (bytes: string | undefined) => msgpack.decode(Buffer.from(bytes!, "base64"), type);
  const request = {
    typeName: what.typeName!,
    priorState: value(what.priorState),
    proposedNewState: value(what.proposedNewState),
    config: value(what.config),
    priorPrivate: new Uint8Array(0),
  };
  return {
    async plan() {
      const { plannedState } = await provider.planResourceChange(request);
      if (plannedState.payload === null) throw new Error("nothing was planned");
    },
    planned: async () => msgpack.encode((await provider.planResourceChange(request)).plannedState, type),
    end: () => provider.close(),
  };
}

/** Through the carrier alone: with messages. */
async function connectedPlanner(): Promise<{ planner: Planner; firstSchemaMs: number }> {
  const { client, end } = await connectPlugin(openCarrierClient, [command]);
  const service = createClient(ProviderService, client.transport);
  await service.getProviderSchema({});
  const firstSchemaMs = performance.now() - launched;
  const value = (bytes: string | undefined) => ({ msgpack: Buffer.from(bytes!, "base64") });
  const request = create(ProviderService.method.planResourceChange.input, {
    typeName: what.typeName!,
    priorState: value(what.priorState),
    proposedNewState: value(what.proposedNewState),
    config: value(what.config),
  });
  const planned = async (): Promise<Uint8Array> => (await service.planResourceChange(request)).plannedState!.msgpack;
  const { length } = value(what.proposedNewState).msgpack;
  return {
    planner: {
      async plan() {
        const answer = await planned();
        if (answer.length !== length) throw new Error(`an answer of ${answer.length} bytes, where ${length} were proposed`);
      },
      planned,
      end,
    },
    firstSchemaMs,
  };
}

async function measure(planner: Planner): Promise<Omit<HostMeasured, "firstSchemaMs">> {
  const { inFlight, seconds = 0, warmup = 0, calls: most } = what;
  const plannedState = Buffer.from(await planner.planned()).toString("base64");
  const stretch = async (goesOn: () => boolean): Promise<number> => {
    let calls = 0;
    const worker = async (): Promise<void> => {
      for (; goesOn(); calls++) await planner.plan();
    };
    await Promise.all(Array.from({ length: inFlight ?? 1 }, worker));
    return calls;
  };
  if (warmup > 0) await stretch(until(warmup));
  let taken = 0;
  const before = process.cpuUsage();
  const began = performance.now();
  const calls = await stretch(most === undefined ? until(seconds) : () => ++taken <= most);
  const took = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { calls, seconds: took, cpuSeconds: (user + system) / 1e6, residentKiB: residentKiB(), plannedState };
}

function resting(): Omit<HostMeasured, "firstSchemaMs"> {
  return { calls: 0, seconds: 0, cpuSeconds: 0, residentKiB: residentKiB(), plannedState: null };
}

function until(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() < end;
}

function residentKiB(): number {
  return process.memoryUsage.rss() / 1024;
}
