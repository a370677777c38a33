// SPDX-License-Identifier: Apache-2.0
import { dynamic, nullOf, objectOf, tupleOf, unknown, type Value } from "@tenon/cty";
import { impliedType, type Block } from "@tenon/schema";
import { formatAbsoluteResource, formatResource } from "../address/resource.ts";
import type { InstanceKey } from "../address/instance-key.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { ConsoleWalk, repeatedValue } from "../console/console-walk.ts";
import { Cell } from "../evaluation/cell.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import { combineMarks, schemaMarks, withPathMarks } from "../marks/object-marks.ts";
import type { ProviderSchemas } from "../provider/provider-schemas.ts";
import { resourceIn, type State } from "../state/state.ts";

/** The state that assertions refer to, and the changes that are planned for it. */
export interface AssertedState {
  readonly state: State;
  /** The planned changes; empty after an apply. */
  readonly changes: readonly ResourceChange[];
}

/**
 * A walk in which resources have the values of a state after planned changes.
 *
 * @see OpenTofu test_context.go
 */
export class AssertionWalk extends ConsoleWalk {
  readonly #state: State;
  readonly #changes: ReadonlyMap<string, readonly ResourceChange[]>;
  readonly #values = new Map<string, Cell<Value>>();

  constructor(options: ConstructorParameters<typeof ConsoleWalk>[0], { state, changes }: AssertedState, schemas: ProviderSchemas) {
    super(options, state, schemas);
    this.#state = state;
    const current = changes.filter(({ address }) => address.deposed === undefined);
    this.#changes = Map.groupBy(current, ({ address: { instance } }) => formatAbsoluteResource(instance));
  }

  override resourceValue = (scope: ModuleScope, block: ResourceBlock): Promise<Value> => {
    const address = scope.addressOf(formatResource(block.address));
    let cell = this.#values.get(address);
    if (cell === undefined) this.#values.set(address, (cell = new Cell(() => this.#valueOf(scope, block, address))));
    return cell.get();
  };

  async #valueOf(scope: ModuleScope, block: ResourceBlock, address: string): Promise<Value> {
    const schema = await this.providers.resourceSchema(block);
    const stored = resourceIn(this.#state, { module: scope.instance, resource: block.address });
    const changes = this.#changes.get(address) ?? [];
    if (block.address.mode === "ephemeral" || (stored === undefined && changes.length === 0)) return absentValue(block, schema);
    const instances = new Map(stored?.instances);
    const planned = new Map<InstanceKey | undefined, Value>();
    for (const {
      address: {
        instance: { key },
      },
      action,
      after,
      afterMarks,
    } of changes) {
      if (action === "delete" || action === "forget") instances.delete(key);
      else planned.set(key, withPathMarks(after, combineMarks(afterMarks, schemaMarks(schema, after))));
    }
    return repeatedValue(scope, block, schema, { instances, planned });
  }
}

/** The value of a resource without instances. @see OpenTofu evaluate.go, evaluationStateData.GetResource */
function absentValue({ count, forEach, enabled }: ResourceBlock, schema: Block): Value {
  if (count !== undefined) return tupleOf([]);
  if (forEach !== undefined) return objectOf(new Map());
  return enabled === undefined ? unknown(dynamic) : nullOf(impliedType(schema));
}
