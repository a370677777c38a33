// SPDX-License-Identifier: Apache-2.0
// Measures our carrier's client alone: `node host-wire-client.ts <file> <provider>` makes calls with prepared messages.
import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { openCarrierClient } from "@tenon/protocol/carrier/client";
import { Provider } from "@tenon/protocol/tfplugin6";
import { connectPlugin } from "./connected-plugin.ts";
import { printMeasured, readMeasurement } from "./host-measurement.ts";

const { what, provider } = readMeasurement();
const launched = performance.now();
const { client, end } = await connectPlugin(openCarrierClient, [provider]);
const service = createClient(Provider, client.transport);
await service.getProviderSchema({});
const firstSchemaMs = performance.now() - launched;

const value = (text: string): { msgpack: Uint8Array } => ({ msgpack: Buffer.from(text, "base64") });
const proposedNewState = value(what.proposedNewState);
const request = create(Provider.method.planResourceChange.input, {
  typeName: what.typeName,
  priorState: value(what.priorState),
  proposedNewState,
  config: value(what.config),
});
const planned = async (): Promise<Uint8Array> => (await service.planResourceChange(request)).plannedState!.msgpack;
await printMeasured(what, {
  firstSchemaMs,
  async plan() {
    const { length } = await planned();
    if (length !== proposedNewState.msgpack.length)
      throw new Error(`a response of ${length} bytes, expected ${proposedNewState.msgpack.length}`);
  },
  planned,
  end,
});
