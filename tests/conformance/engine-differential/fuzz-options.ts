// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { peerProviderPaths } from "./peer-providers.ts";

/**
 * The options of a fuzz area that compares with commands of tofu: `--cases 100`, `--seed`, `--only` (a case, repeatable) and `--parallel 3`. Prints the
 * seed, without which it is random.
 */
export function commandFuzzOptions(): {
  readonly indices: readonly number[];
  readonly run: { readonly seed: number; readonly parallel: number };
  readonly peers: { readonly tofu: string; readonly providers: ReturnType<typeof peerProviderPaths> };
} {
  const { values } = parseArgs({
    options: {
      cases: { type: "string", default: "100" },
      seed: { type: "string" },
      only: { type: "string", multiple: true, default: [] },
      parallel: { type: "string", default: "3" },
    },
  });
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed);
  console.log(`seed ${seed}`);
  return {
    indices: values.only.length > 0 ? values.only.map(Number) : [...Array(Number(values.cases)).keys()],
    run: { seed, parallel: Number(values.parallel) },
    peers: { tofu: requirePeer("tofu").path, providers: peerProviderPaths((name) => requirePeer(name).path) },
  };
}
