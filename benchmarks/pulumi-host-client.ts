// SPDX-License-Identifier: Apache-2.0
// The peer of `npm run bench -- pulumi`: a program on plugin-host's client that makes the same changes as the plugin, ten in flight.
//
//   node pulumi-host-client.ts <provider> <create|diff> <JSON of the task>
import { openProvider } from "@tenon/plugin-host";
import { inTurn, numberedObjects, timedCalls, type TimedTask } from "./pulumi-task.ts";

const [command = "", task = "{}"] = process.argv.slice(2);
const { kind, typeName, config, changed, ...timing } = JSON.parse(task) as TimedTask & { readonly kind: "create" | "diff" };
const provider = await openProvider([command]);
const type = provider.resource(typeName);
const configs = numberedObjects(config);
type Stored = Parameters<typeof type.fromJson>[0];

async function changesOf(): Promise<() => Promise<void>> {
  const changedConfigs = numberedObjects(changed);
  const created = await Promise.all(configs.map(async (each) => JSON.parse(JSON.stringify(await type.create(each))) as Stored));
  const next = inTurn(created.map((stored, number) => ({ stored, config: changedConfigs[number]! })));
  return async () => {
    const { stored, config } = next();
    // A program keeps objects as JSON between its runs, as the engine does.
    await type.plan(config, { prior: await type.fromJson(stored) });
  };
}

const nextConfig = inTurn(configs);
const call = kind === "create" ? async (): Promise<void> => void (await type.create(nextConfig())) : await changesOf();
const cpu = async (): Promise<number> => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
process.stdout.write(`${JSON.stringify(await timedCalls(call, timing, cpu))}\n`);
await provider.close();
