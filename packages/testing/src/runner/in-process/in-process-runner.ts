// SPDX-License-Identifier: Apache-2.0
import { opentofuVersion } from "@tenon/engine/configuration";
import type { Runner } from "../runner.ts";
import { InProcessSession } from "./in-process-session.ts";

/** Runs cases in this process, on `@tenon/engine`. It needs no command line, and has all features. */
export function inProcessRunner(): Runner {
  return {
    name: "in process",
    core: { product: "opentofu", version: opentofuVersion },
    lacks: () => undefined,
    open: async (setup) => new InProcessSession(setup),
  };
}
