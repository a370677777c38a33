// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";
import { formatPath, isKnown, isWhollyKnown, type Path, type Value } from "@tenon/cty";
import { deepValues } from "@tenon/cty/paths";
import type { Diagnostic } from "@tenon/schema";
import { describeChange, difference, renderDifference } from "@tenon/schema/difference";
import type { PlannedChange, ResourceType } from "@tenon/schema/lifecycle";
import { PluginHostError } from "../error.ts";
import type { AnyResource, ConfigInput, Planned, ResourceTypes } from "./provider-types.ts";
import type { HandleOf } from "./resource-handle.ts";
import { stateData } from "./state-data.ts";

/** Settings for applying a plan. */
export interface ApplySettings<Types extends ResourceTypes = AnyResource> {
  readonly signal?: AbortSignal;
  /**
   * Called after each step with the object that then exists, or undefined, so that it can be saved. A replacement has two steps; if the
   * second call fails, only this listener has received the result of the first.
   */
  readonly onObject?: (handle: HandleOf<Types> | undefined) => void | Promise<void>;
}

/** The plan of a change. Its string is the text that a CLI prints, with sensitive values hidden. */
export interface ResourcePlan<Types extends ResourceTypes = AnyResource> {
  readonly typeName: string;
  readonly action: "noOp" | "create" | "update" | "replace" | "delete";
  /** The current object; null if none exists. */
  readonly before: Types["state"] | null;
  /** The object after apply, with `unknownValue` for values that are known only then; null if it will be deleted. */
  readonly after: Planned<Types["state"]> | null;
  /** Paths of values that are known only after apply, such as `id` and `rule[0].serial`. */
  readonly unknown: readonly string[];
  /** Paths of the changes that require a replacement. */
  readonly requiresReplace: readonly string[];
  /** The reason for a replacement. */
  readonly reason: "cannotUpdate" | "tainted" | "requested" | undefined;
  readonly warnings: readonly Diagnostic[];
  /** The plan as an argument for `@tenon/schema/lifecycle`. */
  readonly planned: PlannedChange;
  /**
   * Applies the plan.
   *
   * @param config - the configuration, if it had unknown values when it was planned. The second plan of the provider must agree with this
   * plan.
   * @returns the object after the change; undefined after a delete
   * @throws PluginHostError `DIAGNOSTICS`, with the object that exists in `remaining`; `INVALID_CONFIG` for values that are still unknown
   */
  apply(config?: ConfigInput<Types["config"]>, settings?: ApplySettings<Types>): Promise<HandleOf<Types> | undefined>;
  toString(): string;
}

/** Applies a plan. */
export type Applier<Types extends ResourceTypes> = (
  config: Value | undefined,
  replan: boolean,
  settings: ApplySettings<Types>,
) => Promise<HandleOf<Types> | undefined>;

/** The parts of a plan. */
interface PlanParts<Types extends ResourceTypes> {
  readonly type: ResourceType;
  readonly planned: PlannedChange;
  /** Undefined for a delete, which has no configuration. */
  readonly config: Value | undefined;
  readonly warnings: readonly Diagnostic[];
  readonly address: string;
  readonly toConfig: (data: unknown) => Value;
  readonly apply: Applier<Types>;
}

/** Creates a plan from its parts. */
export function createPlan<Types extends ResourceTypes>(parts: PlanParts<Types>): ResourcePlan<Types> {
  return new Plan<Types>(parts);
}

class Plan<Types extends ResourceTypes> implements ResourcePlan<Types> {
  readonly warnings: readonly Diagnostic[];
  readonly planned: PlannedChange;
  readonly #parts: PlanParts<Types>;

  constructor(parts: PlanParts<Types>) {
    this.#parts = parts;
    this.warnings = parts.warnings;
    this.planned = parts.planned;
  }

  get typeName(): string {
    return this.#parts.type.typeName;
  }

  get action(): PlannedChange["action"] {
    return this.planned.action;
  }

  get before(): Types["state"] | null {
    return stateData(this.planned.before, this.#parts.type.schema.block) as Types["state"] | null;
  }

  get after(): Planned<Types["state"]> | null {
    return stateData(this.planned.after, this.#parts.type.schema.block) as Planned<Types["state"]> | null;
  }

  get unknown(): readonly string[] {
    return Array.from(deepValues(this.planned.after))
      .filter(([, value]) => !isKnown(value))
      .map(([path]) => pathText(path));
  }

  get requiresReplace(): readonly string[] {
    return this.planned.requiresReplace.map(pathText);
  }

  get reason(): PlannedChange["reason"] {
    return this.planned.reason;
  }

  async apply(config?: ConfigInput<Types["config"]>, settings: ApplySettings<Types> = {}): Promise<HandleOf<Types> | undefined> {
    const { apply, toConfig, address } = this.#parts;
    const now = config === undefined ? this.#parts.config : toConfig(config);
    if (now !== undefined && !isWhollyKnown(now)) {
      const message = `the configuration of ${address} has values that are not known yet: pass it to apply(config) once they are`;
      throw new PluginHostError("INVALID_CONFIG", message);
    }
    return await apply(now, config !== undefined, settings);
  }

  toString(): string {
    const { type, address } = this.#parts;
    const { action, before, after, requiresReplace, reason } = this.planned;
    if (action === "noOp") return `  # ${address} does not change`;
    const title = describeChange(address, { action, ...(reason ? { reason } : {}) });
    const shown = difference(type.schema.block, before, after, { requiresReplace });
    const sign = action === "replace" ? ({ action: "deleteThenCreate" } as const) : {};
    return `${title}\n${renderDifference(shown, { header: `resource ${JSON.stringify(type.typeName)}`, ...sign })}`;
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

function pathText(path: Path): string {
  return formatPath(path).replace(/^\./, "");
}
