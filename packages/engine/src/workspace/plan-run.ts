// SPDX-License-Identifier: Apache-2.0
import { unmarkDeep, type Value } from "@tenon/cty";
import type { Configuration } from "../configuration/configuration.ts";
import { givenValue, type GivenVariable } from "../configuration/variable-values.ts";
import type { FunctionEnvironment } from "../functions/environment.ts";

/** What an apply needs of the run that planned. */
export interface PlanRun {
  readonly configuration: Configuration;
  readonly sources: ReadonlyMap<string, string | Uint8Array>;
  readonly variables: ReadonlyMap<string, Value | GivenVariable>;
  readonly workspace: string;
  readonly workingFolder: string;
  readonly environment: FunctionEnvironment;
  /** Whether `local-exec` provisioners may run. */
  readonly allowsLocalExec: boolean;
  readonly isPartial: boolean;
}

/** The values that were given for the variables of the root module, without marks. */
export function givenValues({ variables, configuration }: Pick<PlanRun, "variables" | "configuration">): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, given] of variables) {
    const variable = configuration.module.variables.get(name);
    if (variable !== undefined) values.set(name, unmarkDeep(givenValue(given, variable).value)[0]);
  }
  return values;
}
