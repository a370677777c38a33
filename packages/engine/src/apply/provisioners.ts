// SPDX-License-Identifier: Apache-2.0
import { number, of, string, unmarkDeep, type Value } from "@tenon/cty";
import { formatRange } from "@tenon/hcl";
import { hasErrors, type Diagnostic } from "@tenon/schema";
import { removeEndpointContains } from "../address/endpoint.ts";
import { formatResourceInstance, type ResourceInstance, type ResourceInstanceObject } from "../address/resource.ts";
import { allModules, declaredBlock } from "../configuration/configuration.ts";
import type { Provisioner } from "../configuration/provisioner.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import type { EventListener } from "../events/events.ts";
import { EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";
import type { Semaphore } from "../provider/semaphore.ts";
import { locateDiagnostics } from "../provider/provider-diagnostic.ts";
import type { InstanceNode } from "../walk/instance-node.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import { RemovedModuleScope } from "../walk/removed-module-scope.ts";
import { localExecSchema } from "../configuration/local-exec-schema.ts";
import { runLocalExec, type LocalExecSettings } from "./local-exec.ts";

/** Options of {@link Provisioners}. */
export interface ProvisionerOptions {
  readonly emit: EventListener;
  /** Limits how many commands and changes are under way at once. Used by commands after a creation; a destruction has passed it already. */
  readonly concurrency: Semaphore;
  readonly allowsLocalExec: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Runs the provisioners of an apply. */
export class Provisioners {
  readonly #walk: ResourceWalk;
  readonly #options: ProvisionerOptions;

  constructor(walk: ResourceWalk, options: ProvisionerOptions) {
    this.#walk = walk;
    this.#options = options;
  }

  /** Whether the resource has provisioners that run after a creation. */
  hasCreationProvisioners({ block }: InstanceNode): boolean {
    return block.managed?.provisioners.some(({ when }) => when === "create") === true;
  }

  /** Runs the provisioners of an object that was created. Returns whether all succeeded or have `on_failure = continue`. */
  runAfterCreation(node: InstanceNode, self: Value): Promise<boolean> {
    return this.#run({ ...node, provisioners: node.block.managed?.provisioners ?? [] }, "create", self);
  }

  /** Runs those of the given provisioners that have the given `when`. Returns whether all succeeded or have `on_failure = continue`. */
  async #run(
    node: Pick<InstanceNode, "scope" | "address" | "text" | "data"> & { readonly provisioners: readonly Provisioner[] },
    when: "create" | "destroy",
    self: Value,
  ): Promise<boolean> {
    const { workingFolder, report } = this.#walk;
    const { emit, concurrency, allowsLocalExec, signal } = this.#options;
    const address: ResourceInstanceObject = { instance: node.address };
    for (const { type, config: body, onFailure, when: ownWhen, typeRange } of node.provisioners) {
      if (ownWhen !== when) continue;
      if (type !== "local-exec" || !allowsLocalExec)
        throw new TypeError(`the plan must refuse the provisioner ${type} at ${formatRange(typeRange)}`);
      const decoded = await node.scope.decode(body, localExecSchema, { ...node.data, self }, { allowsEphemeral: true });
      report.push(...decoded.diagnostics);
      if (hasErrors(decoded.diagnostics)) return false;
      const [config, marks] = unmarkDeep(decoded.value);
      const secrecy = marks.has(EPHEMERAL) ? "ephemeral" : marks.has(SENSITIVE) ? "sensitive" : undefined;
      const settings: LocalExecSettings = {
        workingFolder,
        onOutput: (line) =>
          emit({
            type: "provisionOutput",
            address,
            provisioner: type,
            output: secrecy === undefined ? line : `(output suppressed due to ${secrecy} value in config)`,
          }),
        signal,
      };
      const execute = async (): Promise<readonly Diagnostic[]> => {
        emit({ type: "provisionStarted", address, provisioner: type });
        return await runLocalExec(config, settings);
      };
      const diagnostics = when === "create" ? await concurrency.run(execute) : await execute();
      const failed = hasErrors(diagnostics);
      emit({ type: "provisionEnded", address, provisioner: type, failed });
      if (!failed || onFailure === "continue") continue;
      const shown =
        secrecy === undefined
          ? diagnostics
          : diagnostics.map((one) => ({
              ...one,
              detail: `The command failed. Its output is not shown, because its configuration has ${secrecy} values.`,
            }));
      report.push(...locateDiagnostics(shown, body, node.text));
      return false;
    }
    return true;
  }

  /**
   * Runs the provisioners of an object that is about to be destroyed: those of its `resource` block or, without one, of `removed` blocks.
   *
   * @throws UpstreamError after a failure, which is reported.
   */
  async runBeforeDestruction(instance: ResourceInstance, self: Value): Promise<void> {
    const { key } = instance;
    const data = typeof key === "number" ? { countIndex: of(number, key) } : typeof key === "string" ? { eachKey: of(string, key) } : {};
    const at = { address: instance, text: formatResourceInstance(instance), data };
    const { root } = this.#walk;
    const block = declaredBlock(root.configuration, instance);
    if (block !== undefined) {
      const provisioners = (block.managed?.provisioners ?? []).filter(({ when }) => when === "destroy");
      // These provisioners refer to nothing of their module instance. They must not wait for its call, because what the call refers to may
      // change only after the object is destroyed.
      const scope = provisioners.length === 0 ? undefined : RemovedModuleScope.of(root, instance.module);
      if (scope !== undefined && !(await this.#run({ ...at, scope, provisioners }, "destroy", self))) throw new UpstreamError();
      return;
    }
    for (const { module, path } of allModules(root.configuration)) {
      for (const { from, provisioners } of module.removed) {
        if (from === undefined || provisioners.length === 0 || !removeEndpointContains(path, from, instance)) continue;
        const declaring = RemovedModuleScope.of(root, instance.module.slice(0, path.length))!;
        if (!(await this.#run({ ...at, scope: declaring, provisioners }, "destroy", self))) throw new UpstreamError();
      }
    }
  }
}
