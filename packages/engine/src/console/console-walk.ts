// SPDX-License-Identifier: Apache-2.0
import { CtyError, nullOf, objectOf, tupleOf, unknown, type Value } from "@tenon/cty";
import { impliedType, type Block } from "@tenon/schema";
import { formatResource, formatResourceInstance } from "../address/resource.ts";
import type { InstanceKey } from "../address/instance-key.ts";
import { isRemoteModule } from "../configuration/configuration.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { Cell, settleAll } from "../evaluation/cell.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import { markedValue } from "../plan/stored-resource.ts";
import type { ProviderSchemas } from "../provider/provider-schemas.ts";
import { resourceIn, type State, type StateInstance } from "../state/state.ts";
import { unknownResourceValue } from "../validate/resource-value.ts";
import { ResourceWalk, type WalkOptions } from "../walk/resource-walk.ts";

/**
 * A walk in which resources have the values of a state. It uses the schemas and functions of providers, but configures none.
 *
 * @see OpenTofu context_eval.go
 */
export class ConsoleWalk extends ResourceWalk {
  readonly #state: State;
  readonly #schemas: ProviderSchemas;
  readonly #resourceValues = new Map<string, Cell<Value>>();

  constructor(
    options: Omit<WalkOptions, "instance" | "includes" | "conditionsWarn" | "isApplying">,
    state: State,
    schemas: ProviderSchemas,
  ) {
    super({
      ...options,
      isApplying: false,
      conditionsWarn: false,
      configuresProviders: false,
      includes: () => true,
      instance: () => Promise.reject(new RangeError("a console does not walk through instances of resources")),
    });
    this.#state = state;
    this.#schemas = schemas;
  }

  schemaOf = ({ provider, address }: ResourceBlock): Block | undefined => provider && this.#schemas.resource(provider, address)?.block;

  override resourceValue = (scope: ModuleScope, block: ResourceBlock): Promise<Value> => {
    const address = scope.addressOf(formatResource(block.address));
    let cell = this.#resourceValues.get(address);
    if (cell === undefined) this.#resourceValues.set(address, (cell = new Cell(() => this.#storedValue(scope, block))));
    return cell.get();
  };

  async #storedValue(scope: ModuleScope, block: ResourceBlock): Promise<Value> {
    const schema = await this.providers.resourceSchema(block);
    const stored = resourceIn(this.#state, { module: scope.instance, resource: block.address });
    if (stored === undefined || block.address.mode === "ephemeral") {
      return unknownResourceValue(block, schema, isRemoteModule(scope.configuration));
    }
    return repeatedValue(scope, block, schema, { instances: stored.instances });
  }

  /** Evaluates all variables, local values and outputs. Adds their errors to the report. */
  async evaluateNamedValues(scope: ModuleScope = this.root): Promise<void> {
    const { module } = scope.configuration;
    await settleAll([
      ...[...module.variables.keys()].map((name) => scope.variable(name)),
      ...[...module.locals.keys()].map((name) => scope.local(name)),
      ...[...module.outputs.keys()].map((name) => scope.output(name)),
      ...[...module.calls.keys()].map(async (name) => {
        const { instances } = await scope.call(name);
        await Promise.all([...instances.values()].map((child) => this.evaluateNamedValues(child)));
      }),
    ]);
  }
}

/** The instances of a resource in a state, and values that take their place. */
interface StoredInstances {
  readonly instances: ReadonlyMap<InstanceKey | undefined, StateInstance>;
  /** Default: none. */
  readonly planned?: ReadonlyMap<InstanceKey | undefined, Value>;
}

/** The value of a resource that the state has. Instances that the state lacks are unknown. */
export function repeatedValue(
  scope: ModuleScope,
  block: ResourceBlock,
  schema: Block,
  { instances, planned = new Map() }: StoredInstances,
): Value {
  const values = new Map<unknown, Value>(planned);
  for (const [key, instance] of instances) if (!values.has(key)) values.set(key, instanceValue(scope, block, schema, instance));
  const missing = unknown(impliedType(schema));
  if (block.count !== undefined) {
    const length = Math.max(-1, ...[...values.keys()].filter((key) => typeof key === "number")) + 1;
    return tupleOf(Array.from({ length }, (_, index) => values.get(index) ?? missing));
  }
  if (block.forEach !== undefined) {
    const named = [...values].filter((entry): entry is [string, Value] => typeof entry[0] === "string");
    return objectOf(new Map(named));
  }
  const single = values.get(undefined);
  return single ?? (block.enabled === undefined ? missing : nullOf(impliedType(schema)));
}

function instanceValue(scope: ModuleScope, block: ResourceBlock, schema: Block, { key, current }: StateInstance): Value {
  if (current === undefined) return unknown(impliedType(schema));
  try {
    return markedValue(schema, current);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const address = formatResourceInstance({ module: scope.instance, resource: block.address, ...(key !== undefined && { key }) });
    const detail = `Instance ${address} data could not be decoded from the state: ${error.message}.`;
    const summary = "Invalid resource instance data in state";
    return scope.settle(unknown(impliedType(schema)), [{ severity: "error", summary, detail, subject: block.range }]);
  }
}
