// SPDX-License-Identifier: Apache-2.0
// Measures our host: `node host-client.ts <file> <provider>` makes calls with values, through the `Provider` interface.
import * as msgpack from "@tenon/cty/msgpack";
import { launchProvider } from "@tenon/plugin-host";
import { impliedType } from "@tenon/schema";
import { printMeasured, readMeasurement } from "./host-measurement.ts";

const { what, provider: command } = readMeasurement();
const { typeName } = what;
const launched = performance.now();
const provider = await launchProvider({ command });
const { resources } = await provider.getProviderSchema({});
const type = impliedType(resources.get(typeName)!.block);
const firstSchemaMs = performance.now() - launched;

const [priorState, proposedNewState, config] = [what.priorState, what.proposedNewState, what.config].map((text) =>
  msgpack.decode(Buffer.from(text, "base64"), type),
);
const request = {
  typeName,
  priorState: priorState!,
  proposedNewState: proposedNewState!,
  config: config!,
  priorPrivate: new Uint8Array(0),
};
await printMeasured(what, {
  firstSchemaMs,
  async plan() {
    const { plannedState } = await provider.planResourceChange(request);
    if (plannedState.payload === null) throw new Error("nothing was planned");
  },
  planned: async () => msgpack.encode((await provider.planResourceChange(request)).plannedState, type),
  end: () => provider.close(),
});
