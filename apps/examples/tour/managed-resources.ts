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

/** Returns the value of another resource's attribute: known when that resource exists, unknown while it is only planned. */
export type Reference = (address: string, attribute: string) => unknown;

/** One configured resource. */
export interface ConfiguredResource {
  readonly typeName: string;
  readonly name: string;
  readonly config: (reference: Reference) => Readonly<Record<string, unknown>>;
}

/** A planned change of one resource, with its configuration. */
export interface ResourcePlan {
  readonly address: string;
  readonly type: ResourceType;
  readonly planned: PlannedChange;
  readonly configured?: ConfiguredResource;
}

/** A resource or provider that the provider rejected, with its diagnostics. */
export class ResourceError extends Error {
  override readonly name = "ResourceError";
  readonly address: string;
  readonly diagnostics: readonly Diagnostic[];

  constructor(address: string, diagnostics: readonly Diagnostic[]) {
    super(`${address} was rejected: ${diagnostics.map(({ summary }) => summary).join("; ")}`);
    this.address = address;
    this.diagnostics = diagnostics;
  }
}

/** Runs around the work of creating, updating or deleting a resource, for example to print its progress. */
export type AroundStep = (address: string, action: "create" | "update" | "delete", work: () => Promise<void>) => Promise<void>;

/**
 * The resources of one provider and their states in memory, as a state file holds them. Each step uses `@tenon/schema/lifecycle`;
 * this class only keeps the order, so that a resource comes after the resources that it refers to.
 */
export class ManagedResources {
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
   * Plans the configured resources in their order, and the destruction of existing resources that are not configured.
   *
   * @throws ResourceError with the diagnostics of the first resource that has errors.
   */
  async plan(configured: readonly ConfiguredResource[]): Promise<readonly ResourcePlan[]> {
    const plans: ResourcePlan[] = [];
    const after = new Map<string, Value>();
    for (const resource of configured) {
      const address = addressOf(resource);
      const type = await this.type(resource.typeName);
      const config = this.#config(type, resource, (of) => after.get(of));
      const { planned, diagnostics } = await planChange(type, { address, config, prior: this.object(address) });
      if (planned === undefined || hasErrors(diagnostics)) throw new ResourceError(address, diagnostics);
      after.set(address, planned.after);
      plans.push({ address, type, planned, configured: resource });
    }
    return [...plans, ...(await this.#planOrphans(new Set(configured.map(addressOf))))];
  }

  /** Applies plans: deletions first, in reverse order of creation; then the rest in order. */
  async apply(plans: readonly ResourcePlan[], around: AroundStep): Promise<void> {
    for (const { address, type, planned } of plans.toReversed()) {
      if (planned.action !== "delete" && planned.action !== "replace") continue;
      const step = planned.action === "delete" ? planned : destroyStep(planned);
      await around(address, "delete", () => this.#carryOut(address, type, step));
    }
    for (const { address, type, planned, configured } of plans) {
      if (planned.action === "delete" || planned.action === "noOp" || configured === undefined) continue;
      const step = planned.action === "replace" ? createStep(planned) : planned;
      const config = this.#config(type, configured, (of) => this.object(of)?.value);
      await around(address, planned.action === "update" ? "update" : "create", () => this.#carryOut(address, type, step, config));
    }
  }

  /** Reads every resource from the provider and keeps the result. */
  async refresh(): Promise<ReadonlyMap<string, ReadOutcome>> {
    const outcomes = new Map<string, ReadOutcome>();
    for (const [address, { type, object }] of this.#objects) {
      const outcome = await readObject(type, object, { address });
      if (hasErrors(outcome.diagnostics)) throw new ResourceError(address, outcome.diagnostics);
      outcomes.set(address, outcome);
      this.#remember(address, type, outcome.object);
    }
    return outcomes;
  }

  async import(typeName: string, name: string, id: string): Promise<ResourceObject> {
    const address = `${typeName}.${name}`;
    const type = await this.type(typeName);
    const { object, diagnostics } = await importObject(type, { id }, { address });
    if (object === undefined || hasErrors(diagnostics)) throw new ResourceError(address, diagnostics);
    this.#remember(address, type, object);
    return object;
  }

  async #planOrphans(configured: ReadonlySet<string>): Promise<readonly ResourcePlan[]> {
    const plans: ResourcePlan[] = [];
    for (const [address, { type, object }] of this.#objects) {
      if (configured.has(address)) continue;
      const { planned, diagnostics } = await planDestroy(type, object, { address });
      if (planned === undefined || hasErrors(diagnostics)) throw new ResourceError(address, diagnostics);
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
    if (hasErrors(diagnostics)) throw new ResourceError(address, diagnostics);
  }

  #remember(address: string, type: ResourceType, object: ResourceObject | undefined): void {
    if (object === undefined) this.#objects.delete(address);
    else this.#objects.set(address, { type, object });
  }

  #config(type: ResourceType, resource: ConfiguredResource, valueOf: (address: string) => Value | undefined): Value {
    const reference: Reference = (address, attribute) => {
      const value = valueOf(address);
      if (value === undefined) throw new Error(`${addressOf(resource)} refers to ${address}, which is not configured before it`);
      return get(value, attribute);
    };
    const { block } = type.schema;
    // Attributes that are not configured are null; blocks that are not configured are empty.
    const absent = emptyValue(block);
    const unwritten = Object.fromEntries(impliedType(block).names.map((name) => [name, get(absent, name)]));
    return of(configType(block), { ...unwritten, ...resource.config(reference) });
  }
}

export function addressOf({ typeName, name }: ConfiguredResource): string {
  return `${typeName}.${name}`;
}
