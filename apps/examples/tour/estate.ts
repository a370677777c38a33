// SPDX-License-Identifier: Apache-2.0
import { get, of, type Value } from "@tenon/cty";
import { configType, emptyValue, hasErrors, impliedType, type Diagnostic, type Provider } from "@tenon/schema";
import {
  applyChange,
  createStep,
  destroyStep,
  importObject,
  planChange,
  planDestroy,
  readObject,
  resourceType,
  type PlannedChange,
  type ReadOutcome,
  type ResourceObject,
  type ResourceType,
} from "@tenon/schema/lifecycle";

/** What another resource's attribute is: known once that one exists, unknown while it is planned. */
export type Reference = (address: string, attribute: string) => unknown;

/** One resource as it is wanted. */
export interface WantedResource {
  readonly typeName: string;
  readonly name: string;
  readonly config: (reference: Reference) => Readonly<Record<string, unknown>>;
}

/** A planned change of one resource, and what it is wanted to be. */
export interface ResourcePlan {
  readonly address: string;
  readonly type: ResourceType;
  readonly planned: PlannedChange;
  readonly wanted?: WantedResource;
}

/** What was refused, and why. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly address: string;
  readonly diagnostics: readonly Diagnostic[];

  constructor(address: string, diagnostics: readonly Diagnostic[]) {
    super(`${address} was refused: ${diagnostics.map(({ summary }) => summary).join("; ")}`);
    this.address = address;
    this.diagnostics = diagnostics;
  }
}

/** Told when a resource is about to be created, updated or deleted; what it answers is awaited around the work. */
export type AroundStep = (address: string, action: "create" | "update" | "delete", work: () => Promise<void>) => Promise<void>;

/**
 * Some resources of one provider and what is known of them: what a state file would hold, in memory. Each step of their life
 * goes through `@tenon/schema/lifecycle`; this only keeps the order, so that who refers to another comes after it.
 */
export class Estate {
  readonly #provider: Provider;
  readonly #providerAddress: string;
  readonly #objects = new Map<string, { readonly type: ResourceType; readonly object: ResourceObject }>();

  constructor(provider: Provider, providerAddress: string) {
    this.#provider = provider;
    this.#providerAddress = providerAddress;
  }

  type(typeName: string): Promise<ResourceType> {
    return resourceType(this.#provider, typeName, { providerAddress: this.#providerAddress });
  }

  get addresses(): readonly string[] {
    return [...this.#objects.keys()];
  }

  object(address: string): ResourceObject | undefined {
    return this.#objects.get(address)?.object;
  }

  /**
   * Plans what is wanted, in the order given; what is there and not wanted is planned for destruction.
   *
   * @throws Refused with the diagnostics of the first resource that has errors.
   */
  async plan(wanted: readonly WantedResource[]): Promise<readonly ResourcePlan[]> {
    const plans: ResourcePlan[] = [];
    const after = new Map<string, Value>();
    for (const resource of wanted) {
      const address = addressOf(resource);
      const type = await this.type(resource.typeName);
      const config = this.#config(type, resource, (of) => after.get(of));
      const { planned, diagnostics } = await planChange(type, { address, config, prior: this.object(address) });
      if (planned === undefined || hasErrors(diagnostics)) throw new Refused(address, diagnostics);
      after.set(address, planned.after);
      plans.push({ address, type, planned, wanted: resource });
    }
    return [...plans, ...(await this.#planOrphans(new Set(wanted.map(addressOf))))];
  }

  /** Carries plans out: deletions first, last made first; then the rest in order. */
  async apply(plans: readonly ResourcePlan[], around: AroundStep): Promise<void> {
    for (const { address, type, planned } of plans.toReversed()) {
      if (planned.action !== "delete" && planned.action !== "replace") continue;
      const step = planned.action === "delete" ? planned : destroyStep(planned);
      await around(address, "delete", () => this.#carryOut(address, type, step));
    }
    for (const { address, type, planned, wanted } of plans) {
      if (planned.action === "delete" || planned.action === "noOp" || wanted === undefined) continue;
      const step = planned.action === "replace" ? createStep(planned) : planned;
      const config = this.#config(type, wanted, (of) => this.object(of)?.value);
      await around(address, planned.action === "update" ? "update" : "create", () => this.#carryOut(address, type, step, config));
    }
  }

  /** Asks the provider how everything is now, and remembers it. */
  async refresh(): Promise<ReadonlyMap<string, ReadOutcome>> {
    const outcomes = new Map<string, ReadOutcome>();
    for (const [address, { type, object }] of this.#objects) {
      const outcome = await readObject(type, object, { address });
      if (hasErrors(outcome.diagnostics)) throw new Refused(address, outcome.diagnostics);
      outcomes.set(address, outcome);
      this.#remember(address, type, outcome.object);
    }
    return outcomes;
  }

  async import(typeName: string, name: string, id: string): Promise<ResourceObject> {
    const address = `${typeName}.${name}`;
    const type = await this.type(typeName);
    const { object, diagnostics } = await importObject(type, { id }, { address });
    if (object === undefined || hasErrors(diagnostics)) throw new Refused(address, diagnostics);
    this.#remember(address, type, object);
    return object;
  }

  async #planOrphans(wanted: ReadonlySet<string>): Promise<readonly ResourcePlan[]> {
    const plans: ResourcePlan[] = [];
    for (const [address, { type, object }] of this.#objects) {
      if (wanted.has(address)) continue;
      const { planned, diagnostics } = await planDestroy(type, object, { address });
      if (planned === undefined || hasErrors(diagnostics)) throw new Refused(address, diagnostics);
      plans.push({ address, type, planned });
    }
    return plans;
  }

  async #carryOut(address: string, type: ResourceType, planned: PlannedChange, config?: Value): Promise<void> {
    const { diagnostics } = await applyChange(type, planned, {
      address,
      ...(config === undefined ? {} : { config, replan: true }),
      observer: { onObject: (object) => this.#remember(address, type, object) },
    });
    if (hasErrors(diagnostics)) throw new Refused(address, diagnostics);
  }

  #remember(address: string, type: ResourceType, object: ResourceObject | undefined): void {
    if (object === undefined) this.#objects.delete(address);
    else this.#objects.set(address, { type, object });
  }

  #config(type: ResourceType, resource: WantedResource, valueOf: (address: string) => Value | undefined): Value {
    const reference: Reference = (address, attribute) => {
      const value = valueOf(address);
      if (value === undefined) throw new Error(`${addressOf(resource)} refers to ${address}, which does not come before it`);
      return get(value, attribute);
    };
    const { block } = type.schema;
    // What is not written is null; blocks that are not written are empty.
    const absent = emptyValue(block);
    const unwritten = Object.fromEntries(impliedType(block).names.map((name) => [name, get(absent, name)]));
    return of(configType(block), { ...unwritten, ...resource.config(reference) });
  }
}

export function addressOf({ typeName, name }: WantedResource): string {
  return `${typeName}.${name}`;
}
