// SPDX-License-Identifier: Apache-2.0
// Plans, applies, plans again and destroys a number of resources with the engine, and prints the times in milliseconds as JSON. A small
// configuration is planned first, so that the engine and the provider are loaded.
//
//   node engine-run.ts <count>
import { formatResourceInstanceObject } from "@tenon/engine/address";
import { objectFiles } from "@tenon/engine/configuration";
import { openWorkspace, type Plan, type Workspace } from "@tenon/engine";
import { createProvider } from "@tenon/provider-sdk";
import { engineConfiguration, type EngineTimes } from "./engine-configuration.ts";
import { provider } from "./measured-provider/provider.ts";

const count = Number(process.argv[2]);

function workspaceOf(resources: number): Workspace {
  return openWorkspace({
    configuration: objectFiles({ "main.tf": engineConfiguration(resources) }),
    providers: { "tenon/bench": async () => createProvider(provider) },
  });
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}

/** Fails unless every change of the plan has the action. */
function expectActions(plan: Plan, action: string): Plan {
  const other = plan.changes.resources.find((change) => change.action !== action);
  if (plan.errored || other !== undefined || plan.changes.resources.length === 0) {
    throw new Error(`the plan is not all ${action}: ${other === undefined ? "" : formatResourceInstanceObject(other.address)}`);
  }
  return plan;
}

await (await workspaceOf(2).plan()).close();
const workspace = workspaceOf(count);
const [planned, plan] = await timed(() => workspace.plan());
const [, applyAlone] = await timed(() => expectActions(planned, "create").apply());
const [again, replan] = await timed(() => workspace.plan());
await expectActions(again, "noOp").close();
const [, destroy] = await timed(async () => expectActions(await workspace.plan({ mode: "destroy" }), "delete").apply());
// `tofu apply` plans first.
const times: EngineTimes = { plan, apply: plan + applyAlone, replan, destroy };
console.log(JSON.stringify(times));
