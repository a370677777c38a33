// SPDX-License-Identifier: Apache-2.0
import type { ComponentName } from "../mapping/mapping.ts";
import type { Flags } from "./flags.ts";

/** Components beside resource types that become kinds, by name. */
export interface ComponentArguments {
  readonly component: ComponentName;
  readonly names: readonly string[] | "all";
}

const components: readonly ComponentName[] = ["data", "function", "list", "ephemeral"];

/** Flags about components, each with a value. */
export const componentFlags: readonly string[] = components.map((component) => `--${component}`);

/** Text about these flags. */
export const componentUsage: string = `  --data <names>       data sources that become kinds, separated by commas; all: every one. Default: none
  --function <names>   functions, likewise
  --list <names>       list resources, likewise
  --ephemeral <names>  ephemeral resources, likewise`;

/** Reads the flags about components. */
export function readComponentArguments({ all }: Flags): readonly ComponentArguments[] {
  return components.map((component) => {
    const names = all(`--${component}`)
      .flatMap((value) => value.split(","))
      .filter((name) => name !== "");
    return { component, names: names.includes("all") ? "all" : names };
  });
}
