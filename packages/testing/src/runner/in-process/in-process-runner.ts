// SPDX-License-Identifier: Apache-2.0
import type { Runner } from "../runner.ts";

/** Runs cases in this process, on `@tenon/engine`, which is loaded here. It needs no command line, and has all features. */
export async function inProcessRunner(): Promise<Runner> {
  const { opentofuVersion } = await import("@tenon/engine/configuration");
  const { InProcessSession } = await import("./in-process-session.ts");
  return {
    name: "in process",
    core: { product: "opentofu", version: opentofuVersion },
    lacks: () => undefined,
    open: async (setup) => new InProcessSession(setup),
  };
}
