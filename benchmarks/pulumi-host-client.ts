// SPDX-License-Identifier: Apache-2.0
// The peer of `npm run bench -- pulumi`: a program on plugin-host's client that makes the same changes as the plugin, ten in flight.
//
//   node pulumi-host-client.ts <provider> <create|diff> <JSON of the task>
import { openProvider } from "@tenon/plugin-host";
import { timedCalls, type TimedTask } from "./pulumi-task.ts";

const [command = "", task = "{}"] = process.argv.slice(2);
const { kind, typeName, config, changed, ...timing } = JSON.parse(task) as TimedTask & { readonly kind: "create" | "diff" };
const provider = await openProvider([command]);
const type = provider.resource(typeName);
const stored = JSON.parse(JSON.stringify(await type.create(config))) as Parameters<typeof type.fromJson>[0];
const call =
  kind === "create"
    ? async () => void (await type.create(config))
    : // A program keeps objects as JSON between its runs, as the engine does.
      async () => void (await type.plan(changed, { prior: await type.fromJson(stored) }));
const cpu = async (): Promise<number> => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
process.stdout.write(`${JSON.stringify(await timedCalls(call, timing, cpu))}\n`);
await provider.close();
