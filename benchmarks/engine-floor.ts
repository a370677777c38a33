// SPDX-License-Identifier: Apache-2.0
import type { EngineSample } from "./engine-measurement.ts";
import { follow, note, type Step } from "./provider-script.ts";

/** An RPC with fewer calls is left out, because the engine calls it once for a provider instead of for each instance. */
const minCalls = 10;
const inFlight = 10;

/** The step of the Go client for each RPC. The note has the values of the shape `flat`, except for the length of its title. */
const steps: Readonly<Record<string, Step>> = {
  validateResourceConfig: note.validate,
  planResourceChange: note.plan,
  applyResourceChange: note.apply,
};

/**
 * Lets the Go client launch the provider and make only the calls that the engine made, ten in flight. Returns milliseconds.
 *
 * @param provider Path of the provider.
 * @param calls Numbers of the engine's calls.
 */
export async function measureFloor(provider: string, calls: NonNullable<EngineSample["calls"]>): Promise<number> {
  const script = Object.entries(calls).flatMap(([rpc, count]) => {
    if (count < minCalls) return [];
    const step = steps[rpc];
    if (step === undefined) throw new Error(`the floor has no request for ${rpc}, which the engine called ${count} times`);
    return [{ ...step, calls: count, inFlight }];
  });
  const { firstCallMs, steps: reports = [] } = await follow({ path: provider, environment: { TF_LOG_SDK: "off" } }, script);
  return reports.reduce((sum, { seconds }) => sum + seconds * 1000, firstCallMs);
}
