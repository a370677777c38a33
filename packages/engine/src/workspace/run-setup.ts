// SPDX-License-Identifier: Apache-2.0
import { unmarkDeep, type Value } from "@tenon/cty";
import type { TargetSubject } from "../address/target.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { givenValue, type GivenVariable } from "../configuration/variable-values.ts";
import type { FunctionEnvironment } from "../functions/environment.ts";

/** The configuration, variables and settings that a plan is made with. Its apply uses them, too. */
export interface RunSetup {
  readonly configuration: Configuration;
  readonly sources: ReadonlyMap<string, string | Uint8Array>;
  readonly variables: ReadonlyMap<string, Value | GivenVariable>;
  readonly workspace: string;
  readonly workingFolder: string;
  readonly environment: FunctionEnvironment;
  /** Whether `local-exec` provisioners may run. */
  readonly allowsLocalExec: boolean;
  /** The options that limited the plan to a part of the configuration. */
  readonly targets: readonly TargetSubject[];
  readonly excludes: readonly TargetSubject[];
}

/** The given values of the root module's variables, without marks. */
export function givenValues({ variables, configuration }: Pick<RunSetup, "variables" | "configuration">): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, given] of variables) {
    const variable = configuration.module.variables.get(name);
    if (variable !== undefined) values.set(name, unmarkDeep(givenValue(given, variable).value)[0]);
  }
  return values;
}
