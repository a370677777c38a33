// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, mark, type Value } from "@tenon/cty";
import { unmarkDeepWithPaths } from "@tenon/cty/paths";
import type { Body } from "@tenon/hcl";
import { hasErrors, type Block } from "@tenon/schema";
import { plannedUnknownObject } from "@tenon/schema/change";
import { ephemeralResourceType, openEphemeralResource, type EphemeralResource, type LifecycleObserver } from "@tenon/schema/lifecycle";
import { formatProviderConfig } from "../address/provider-config.ts";
import type { ResourceInstanceObject } from "../address/resource.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import type { EphemeralAction, EventListener } from "../events/events.ts";
import { EPHEMERAL } from "../marks/value-marks.ts";
import { combineMarks, schemaMarks, withPathMarks } from "../marks/object-marks.ts";
import { locateDiagnostics } from "../provider/provider-diagnostic.ts";
import { waitForExplicitDependencies } from "./dependency-waits.ts";
import { settleInstance, type InstanceNode } from "./instance-node.ts";
import { deferringCapabilities } from "./provider-configuration.ts";
import type { ResourceWalk } from "./resource-walk.ts";

interface OpenInstance {
  readonly address: ResourceInstanceObject;
  readonly text: string;
  readonly config: Body;
  readonly resource: EphemeralResource;
}

/** How a plan opens an ephemeral resource. */
export interface OpenOptions {
  /**
   * Whether an object that the resource depends on is still to be changed. Called once everything that the resource depends on is evaluated.
   * Default: none is.
   */
  readonly isPending?: (schema: Block) => Promise<boolean>;
  /** Called if the provider defers the resource, which it may only in a walk that allows deferral. */
  readonly onDeferred?: () => void;
  readonly signal?: AbortSignal | undefined;
}

/** The ephemeral resources that a walk has opened. They are renewed until they are closed, in reverse order. */
export class OpenEphemeralResources {
  readonly #open: OpenInstance[] = [];
  readonly #walk: () => ResourceWalk;
  readonly #emit: EventListener;

  constructor(walk: () => ResourceWalk, emit: EventListener) {
    this.#walk = walk;
    this.#emit = emit;
  }

  /**
   * Opens an ephemeral resource and returns its value. The value is unknown, and nothing is open, if the configuration is not known yet, if an
   * object that the resource depends on is still to be changed, or if the provider defers the resource.
   */
  async open(node: InstanceNode, { isPending, onDeferred, signal }: OpenOptions): Promise<Value> {
    const walk = this.#walk();
    const { scope, block, text } = node;
    const { provider, address: providerAddress } = await walk.providers.providerOf(node);
    const schema = await walk.providers.resourceSchema(block);
    await waitForExplicitDependencies(walk, scope, block);
    await walk.checkRules(node, "Resource precondition");
    const decoded = await scope.decode(block.config, schema, node.data, { allowsEphemeral: true });
    settleInstance(node, decoded.diagnostics);
    const [config, marks] = unmarkDeepWithPaths(decoded.value);
    const marked = (value: Value): Value => {
      const own = combineMarks(marks, schemaMarks(schema, value)).map((one) => ({ ...one, marks: without(one.marks, EPHEMERAL) }));
      return mark(
        withPathMarks(
          value,
          own.filter((one) => one.marks.size > 0),
        ),
        EPHEMERAL,
      );
    };
    // As in OpenTofu, nothing of a value that is not known yet is sensitive.
    const deferredValue = (): Value => mark(plannedUnknownObject(schema, config), EPHEMERAL);
    if ((await isPending?.(schema)) === true || !isWhollyKnown(config)) return deferredValue();
    const type = await ephemeralResourceType(provider, block.address.type, {
      providerAddress: formatProviderConfig(providerAddress.config),
    });
    const address: ResourceInstanceObject = { instance: node.address };
    let opened: (() => void) | undefined;
    let renewed: (() => void) | undefined;
    const observer: LifecycleObserver = {
      onPhase: (phase) => {
        if (phase === "open") opened = this.#started(address, "open");
        if (phase === "renew") renewed = this.#started(address, "renew");
      },
      onRenewed: () => renewed?.(),
    };
    const { resource, deferred, diagnostics } = await openEphemeralResource(type, config, {
      address: text,
      observer,
      ...(walk.providers.allowsDeferral && { clientCapabilities: deferringCapabilities }),
      ...(signal && { signal }),
    });
    opened?.();
    settleInstance(node, locateDiagnostics(diagnostics, block.config, text));
    if (deferred !== undefined) {
      onDeferred?.();
      return deferredValue();
    }
    if (resource === undefined || hasErrors(diagnostics)) throw new UpstreamError();
    this.#open.push({ address, text, config: block.config, resource });
    const value = marked(resource.result);
    await walk.checkRules(node, "Resource postcondition", value);
    return value;
  }

  /** Closes all, and reports the diagnostics. */
  async close(): Promise<void> {
    for (const { address, text, config, resource } of this.#open.splice(0).toReversed()) {
      const closed = this.#started(address, "close");
      const diagnostics = await resource.close();
      this.#walk().report.push(...locateDiagnostics(diagnostics, config, text));
      closed();
    }
  }

  /** Emits the event that a call starts. Returns a function that emits the event that it ended. */
  #started(address: ResourceInstanceObject, action: EphemeralAction): () => void {
    this.#emit({ type: "ephemeralStarted", address, action });
    const start = performance.now();
    return () => this.#emit({ type: "ephemeralEnded", address, action, milliseconds: performance.now() - start });
  }
}

function without<T>(set: ReadonlySet<T>, element: T): ReadonlySet<T> {
  return set.has(element) ? new Set([...set].filter((one) => one !== element)) : set;
}
