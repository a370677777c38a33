// SPDX-License-Identifier: Apache-2.0
import { dynamic, nullOf, objectOf, tupleOf, unknown, type Value } from "@tenon/cty";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import type { InstanceKey } from "../address/instance-key.ts";
import { formatInModule, type ModuleInstance } from "../address/module.ts";
import { isRemoteModule, type Configuration } from "../configuration/configuration.ts";
import { markDeprecated } from "../configuration/deprecation.ts";
import type { Output } from "../configuration/output.ts";
import type { Expansion } from "../expansion/repetition.ts";
import { toleratingRejection } from "./cell.ts";

/** An instance of the called module. */
interface CalledInstance {
  readonly instance: ModuleInstance;
  readonly configuration: Configuration;
  output(name: string): Promise<Value>;
}

/** The instances of a module call. */
interface Call {
  readonly expansion: Expansion;
  readonly instances: ReadonlyMap<InstanceKey, CalledInstance>;
}

/**
 * Returns the value of a module call: an object of the outputs of each instance.
 *
 * @param outputs The outputs that the module declares.
 * @param only Name of the single output to evaluate. Default: all.
 * @throws UpstreamError if an output has errors.
 */
export async function moduleCallValue(
  { expansion, instances }: Call,
  outputs: ReadonlyMap<string, Output>,
  only: string | undefined,
): Promise<Value> {
  const names = only === undefined ? [...outputs.keys()].sort(compareCodePoints) : outputs.has(only) ? [only] : [];
  const objects = new Map<InstanceKey, Value>();
  // All outputs start before the first one is awaited.
  for (const called of instances.values()) for (const name of names) void toleratingRejection(called.output(name));
  for (const [key, called] of instances) {
    const values = new Map<string, Value>();
    for (const name of names) values.set(name, withDeprecation(called, outputs.get(name)!, await called.output(name)));
    objects.set(key, objectOf(values));
  }
  switch (expansion.kind) {
    case "count":
      return tupleOf([...objects.values()]);
    case "forEach":
      return objectOf(new Map([...objects].map(([key, value]) => [String(key), value])));
    case "unknown":
      return unknown(dynamic);
    default:
      return objects.get(undefined) ?? nullOf(dynamic);
  }
}

/** The value of an output for references to it, with a mark if the output is deprecated. */
function withDeprecation({ instance, configuration }: CalledInstance, output: Output, value: Value): Value {
  const { name, deprecated: message } = output;
  if (message === undefined) return value;
  const by = formatInModule(instance.slice(-1), name);
  return markDeprecated(value, output, { by, message, isFromRemoteModule: isRemoteModule(configuration) });
}
