// SPDX-License-Identifier: Apache-2.0
import { CtyError, dynamic, formatPath, isValue, of, type Value } from "@tenon/cty";
import type { GivenVariable } from "../configuration/variable-values.ts";
import { EngineError } from "../error.ts";

/**
 * Values of the root module's variables, by name. A record has values or JavaScript data: strings, booleans, numbers, bigints, null, arrays,
 * Sets, records and Maps, which may contain values. They are converted to the types of the variables. An entry that is `undefined` counts as
 * absent. A Map has values, or the variables that `collectVariables` found in files and the environment.
 */
export type RunVariables = Readonly<Record<string, unknown>> | ReadonlyMap<string, Value | GivenVariable>;

/**
 * Converts JavaScript data to values.
 *
 * @throws EngineError `INVALID_OPTIONS` for data that cannot be a value.
 */
export function givenVariables(variables: RunVariables): ReadonlyMap<string, Value | GivenVariable> {
  if (isMap(variables)) return variables;
  const given = Object.entries(variables).filter(([, data]) => data !== undefined);
  return new Map(given.map(([name, data]) => [name, variableValue(name, data)]));
}

function variableValue(name: string, data: unknown): Value {
  if (isValue(data)) return data;
  try {
    return of(dynamic, data);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new EngineError("INVALID_OPTIONS", `variable ${name}${formatPath(error.path ?? [])}: ${error.message}`, { cause: error });
  }
}

function isMap(variables: RunVariables): variables is ReadonlyMap<string, Value | GivenVariable> {
  return variables instanceof Map;
}
