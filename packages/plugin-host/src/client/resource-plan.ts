// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";
import { formatPath, isKnown, isWhollyKnown, type Path, type Value } from "@tenon/cty";
import { deepValues } from "@tenon/cty/paths";
import type { Diagnostic } from "@tenon/schema";
import { describeChange, difference, renderDifference } from "@tenon/schema/change";
import type { PlannedChange, ResourceType } from "@tenon/schema/lifecycle";
import { PluginHostError } from "../error.ts";
import type { AnyResource, ConfigInput, Planned, ResourceTypes } from "./provider-types.ts";
import type { HandleOf } from "./resource-handle.ts";
import { stateData } from "./state-data.ts";

/** How a plan is carried out. */
export interface ApplySettings<Types extends ResourceTypes = AnyResource> {
  readonly signal?: AbortSignal;
  /**
   * Told what exists after each step, nothing where nothing does: the moment to save it. A replacement has two steps; where the
   * second cannot even be asked for, this is how the first is known.
   */
  readonly onObject?: (handle: HandleOf<Types> | undefined) => void | Promise<void>;
}

/** What a provider would do. Printed or made a string, it reads as a CLI's plan, without sensitive values. */
export interface ResourcePlan<Types extends ResourceTypes = AnyResource> {
  readonly typeName: string;
  readonly action: "noOp" | "create" | "update" | "replace" | "delete";
  /** The object as it is; null where none exists. */
  readonly before: Types["state"] | null;
  /** The object as it will be, with `unknownValue` where that is known only after apply; null where it will be gone. */
  readonly after: Planned<Types["state"]> | null;
  /** Paths of what will be known only after apply, such as `id` and `rule[0].serial`. */
  readonly unknown: readonly string[];
  /** Paths of what cannot be changed in place, and so makes it a replacement. */
  readonly requiresReplace: readonly string[];
  /** Why it is a replacement. */
  readonly reason: "cannotUpdate" | "tainted" | "requested" | undefined;
  readonly warnings: readonly Diagnostic[];
  /** What `@tenon/schema/lifecycle` takes. */
  readonly planned: PlannedChange;
  /**
   * Carries the plan out.
   *
   * @param config - The configuration, where it held unknown values when this was planned. The provider must stand by its plan.
   * @returns What exists afterwards: undefined after a delete.
   * @throws PluginHostError `DIAGNOSTICS`, with what exists nevertheless in `remaining`; `INVALID_CONFIG` where something is still
   *   unknown.
   */
  apply(config?: ConfigInput<Types["config"]>, settings?: ApplySettings<Types>): Promise<HandleOf<Types> | undefined>;
  toString(): string;
}

/** Does what a plan says. */
export type Applier<Types extends ResourceTypes> = (
  config: Value | undefined,
  replan: boolean,
  settings: ApplySettings<Types>,
) => Promise<HandleOf<Types> | undefined>;

/** What a plan is made of. */
interface PlanParts<Types extends ResourceTypes> {
  readonly type: ResourceType;
  readonly planned: PlannedChange;
  /** Absent where nothing is configured, as for a delete. */
  readonly config: Value | undefined;
  readonly warnings: readonly Diagnostic[];
  readonly address: string;
  readonly toConfig: (data: unknown) => Value;
  readonly apply: Applier<Types>;
}

/** A plan, and the way to carry it out. */
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
      const message = `the configuration of ${address} holds values that are not known yet: pass it to apply(config) once they are`;
      throw new PluginHostError("INVALID_CONFIG", message);
    }
    return await apply(now, config !== undefined, settings);
  }

  toString(): string {
    const { type, address } = this.#parts;
    const { action, before, after, requiresReplace, reason } = this.planned;
    if (action === "noOp") return `  # ${address} stays as it is`;
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
