// SPDX-License-Identifier: Apache-2.0
import { isNull, isWhollyKnown, unknown, unmarkDeep, type Value } from "@tenon/cty";
import { unknownAsNull, unmarkDeepWithPaths, type PathMarks } from "@tenon/cty/paths";
import { hasErrors, impliedType, ProviderError, type Diagnostic as ProviderDiagnostic } from "@tenon/schema";
import {
  applyChange,
  createStep,
  dataSourceType,
  destroyStep,
  readDataSource,
  resourceType,
  type ApplyOutcome,
  type PlannedChange,
  type ResourceType,
} from "@tenon/schema/lifecycle";
import { formatProviderConfig } from "../address/provider-config.ts";
import { formatInModulePath } from "../address/module.ts";
import { formatResourceInstance, formatResourceInstanceObject, type ResourceInstanceObject } from "../address/resource.ts";
import { type Configuration } from "../configuration/configuration.ts";
import type { Output } from "../configuration/output.ts";
import { reportError, reportWarning, type Report } from "../configuration/report.ts";
import type { GivenVariable } from "../configuration/variable-values.ts";
import { Cell, settleAll, UpstreamError } from "../evaluation/cell.ts";
import type { ApplyAction, EventListener } from "../events/events.ts";
import { createFunctionTable } from "../functions/table.ts";
import type { FunctionEnvironment } from "../functions/environment.ts";
import { withIgnoredChanges } from "../plan/ignore-changes.ts";
import { combineMarks, schemaMarks, sensitivePathsOf, withPathMarks } from "../marks/object-marks.ts";
import { settleProvider } from "../walk/settle-provider.ts";
import type { PlannedChanges, ResourceChange } from "../change/planned-changes.ts";
import { markedValue, stateObjectOf } from "../plan/stored-resource.ts";
import { locateDiagnostics, type AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { Gate } from "../provider/gate.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import type { ApplyJournal } from "../state/journal/apply-journal.ts";
import { createStateObject, withAttributes } from "../state/state-object.ts";
import type { CheckResult } from "../state/check-result.ts";
import type { State, StateOutput } from "../state/state.ts";
import { StepProgress } from "./step-progress.ts";
import { Provisioners } from "./provisioners.ts";
import { OpenEphemeralResources } from "../walk/ephemeral-instance.ts";
import { ResourceWalk, type InstanceNode } from "../walk/resource-walk.ts";
import { AppliedState } from "./applied-state.ts";
import { applySteps, resolveCycles, type ApplySteps, type Step, type StepGroup } from "./apply-order.ts";

/** A plan to apply, and the options of the apply. */
export interface ApplyInput {
  readonly planned: PlannedChanges;
  readonly configuration: Configuration;
  readonly pool: ProviderPool;
  readonly variables: ReadonlyMap<string, GivenVariable | Value>;
  readonly workspace: string;
  readonly workingFolder: string;
  readonly environment: FunctionEnvironment;
  readonly emit: EventListener;
  /** Whether `local-exec` provisioners may run. */
  readonly allowsLocalExec: boolean;
  /** Whether targets or exclusions limited the plan to a part of the configuration. */
  readonly isPartial: boolean;
  /** Whether the apply was asked to stop, so that it must start no further change. */
  readonly isStopped: () => boolean;
  readonly signal?: AbortSignal | undefined;
  /** Makes the key of an object that becomes deposed: eight hexadecimal digits. */
  readonly newDeposedKey: () => string;
  /** Undefined if the state's location cannot have a journal. */
  readonly journal: ApplyJournal | undefined;
}

/** The state and the diagnostics of an apply that is complete or ended with errors. */
export interface AppliedChanges {
  readonly state: State;
  readonly diagnostics: readonly AddressedDiagnostic[];
  readonly errored: boolean;
}

/**
 * Makes the changes of a plan. After a change fails, the changes that depend on it are left out, and all others are made. The returned state
 * records what exists, also after errors.
 *
 * @see OpenTofu context_apply.go
 */
export async function applyPlan(input: ApplyInput): Promise<AppliedChanges> {
  return new ApplyRun(input).run();
}

class ApplyRun {
  readonly #input: ApplyInput;
  readonly #report: Report = [];
  readonly #state: AppliedState;
  readonly #steps: ApplySteps;
  readonly #changes: ReadonlyMap<string, ResourceChange>;
  /** Objects whose changes are deferred to a later plan. */
  readonly #deferred: ReadonlySet<string>;
  readonly #destroyCells = new Map<Step, Cell<void>>();
  readonly #groupCells = new Map<StepGroup, Cell<void>>();
  readonly #walk: ResourceWalk;
  readonly #ephemeral: OpenEphemeralResources;
  readonly #provisioners: Provisioners;
  /** Limits how many changes are made at once. A change that still waits here when the apply is stopped is not started. */
  readonly #turns: Gate;

  constructor(input: ApplyInput) {
    const { planned, emit } = input;
    const isPlanned = (check: string): boolean =>
      planned.checks.some(({ address, objects }) => address === check && objects !== undefined && objects.length > 0);
    this.#input = input;
    this.#turns = new Gate(input.pool.parallelism);
    this.#state = new AppliedState(planned.priorState, input);
    this.#steps = applySteps(planned.resources, planned.priorState);
    this.#changes = new Map(planned.resources.map((change) => [formatResourceInstanceObject(change.address), change]));
    this.#deferred = new Set(planned.deferred?.map(({ change }) => formatResourceInstanceObject(change.address)));
    this.#ephemeral = new OpenEphemeralResources(() => this.#walk, emit);
    for (const step of this.#steps.destroys.values())
      this.#destroyCells.set(step, new Cell(() => this.#walk.guarded(step.id, () => this.#destroy(step))));
    this.#walk = new ResourceWalk({
      configuration: input.configuration,
      functions: createFunctionTable(input.environment, { planTime: planned.timestamp }),
      variables: input.variables,
      workspace: input.workspace,
      workingFolder: input.workingFolder,
      isApplying: true,
      conditionsWarn: false,
      pool: input.pool,
      gate: this.#turns,
      report: this.#report,
      // Targets can exclude a check. Which other objects are included follows from the planned changes.
      includes: (path, local) => !input.isPartial || !local.startsWith("check.") || isPlanned(formatInModulePath(path, local)),
      instance: (node) => this.#instance(node),
    });
    this.#provisioners = new Provisioners(this.#walk, {
      emit,
      turns: this.#turns,
      allowsLocalExec: input.allowsLocalExec,
      signal: input.signal,
    });
  }

  async run(): Promise<AppliedChanges> {
    const { planned, isPartial } = this.#input;
    const cycle = resolveCycles(this.#steps);
    if (cycle !== undefined) {
      reportError(this.#report, `Cycle: ${cycle.map(({ id }) => id).join(", ")}`, "");
      return this.#result();
    }
    try {
      if (planned.mode === "refreshOnly") await this.#refreshed();
      else if (planned.mode === "destroy") await this.#destroyAll();
      else await this.#applyAll();
    } finally {
      await this.#ephemeral.close();
    }
    if (isPartial) reportWarning(this.#report, "Applied changes may be incomplete", incomplete);
    return this.#result();
  }

  #result(): AppliedChanges {
    return { state: this.#state.finish(), diagnostics: this.#report, errored: hasErrors(this.#report) };
  }

  async #destroyAll(): Promise<void> {
    this.#forget();
    await settleAll([...this.#destroyCells.values()].map((cell) => cell.get()));
    for (const { name, action } of this.#input.planned.outputs) {
      if (action === "delete") this.#state.setOutput(name, undefined);
    }
    const { checks } = this.#input.planned;
    this.#state.setCheckResults(checks.length === 0 ? undefined : checks);
  }

  async #applyAll(): Promise<void> {
    const { planned } = this.#input;
    this.#forget();
    const walked = this.#input.isPartial ? this.#selected() : this.#walk.evaluateAll();
    // Wait for both even if one of them fails, because no step may continue after the apply has ended.
    const [succeeded, destroyed] = await Promise.all([walked, settleAll([...this.#destroyCells.values()].map((cell) => cell.get()))]);
    await this.#walk.checkBlocks({ readsData: succeeded && destroyed });
    await this.#outputs();
    this.#state.setCheckResults(planned.checks.length === 0 ? undefined : this.#checkResults());
  }

  /** The results of all checks. Blocks whose objects errors left unknown have those of the plan. */
  #checkResults(): readonly CheckResult[] {
    const planned = new Map(this.#input.planned.checks.map((one) => [one.address, one.objects]));
    return this.#walk.checks.results().map((result) => {
      const objects = result.objects ?? planned.get(result.address);
      if (objects === undefined || result.objects !== undefined) return result;
      return { ...result, objects: objects.map(({ address }) => ({ address, status: "unknown", failureMessages: [] })) };
    });
  }

  /** Makes only the planned changes, without the walk through the whole configuration. */
  async #selected(): Promise<boolean> {
    return settleAll([...this.#steps.puts.values()].map(({ change }) => this.#walk.instance(change.address.instance)));
  }

  /** Removes the objects that the plan forgets from the state. */
  #forget(): void {
    for (const { action, address } of this.#input.planned.resources) {
      if (action === "forget") this.#state.remove(address);
    }
  }

  /** Records what a refresh-only plan found. Nothing is asked of the providers again, but conditions of outputs and checks are. */
  async #refreshed(): Promise<void> {
    const { outputs, checks } = this.#input.planned;
    const declared = this.#walk.root.configuration.module.outputs;
    for (const { name, action, after } of outputs) {
      const output = declared.get(name);
      if (action === "delete" || output === undefined || isNull(after)) this.#state.setOutput(name, undefined);
      else if (!output.ephemeral) this.#state.setOutput(name, stateOutputOf(output, after));
    }
    await settleAll(
      outputs.filter(({ name, action }) => action !== "delete" && declared.has(name)).map(({ name }) => this.#walk.root.output(name)),
    );
    await this.#walk.checkBlocks();
    this.#state.setCheckResults(checks.length === 0 ? undefined : checks);
  }

  async #outputs(): Promise<void> {
    const { outputs } = this.#walk.root.configuration.module;
    for (const { name, action, after } of this.#input.planned.outputs) {
      const output = outputs.get(name);
      if (action === "delete" || output === undefined) {
        this.#state.setOutput(name, undefined);
        continue;
      }
      try {
        const [evaluated] = unmarkDeep(await this.#walk.root.output(name));
        // A value that was known in the plan stays as it is, although its type could be another one now that all values are known.
        const value = isWhollyKnown(after) ? after : evaluated;
        // An output that refers to a deferred object has no value yet and keeps its earlier one.
        if (output.ephemeral || (this.#deferred.size > 0 && !isWhollyKnown(value))) continue;
        this.#state.setOutput(name, isNull(value) ? undefined : stateOutputOf(output, value));
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
      }
    }
    this.#state.announce();
  }

  #isHalted = false;

  /** Throws if the apply was asked to stop, so that the caller starts no change. Reports once, with OpenTofu's error, that it is incomplete. */
  #checkStopped(): void {
    this.#input.signal?.throwIfAborted();
    if (this.#input.isStopped()) this.#halt();
  }

  #halt(): never {
    if (!this.#isHalted) reportError(this.#report, "execution halted", "");
    this.#isHalted = true;
    throw new UpstreamError();
  }

  async #instance(node: InstanceNode): Promise<Value | undefined> {
    const { mode } = node.block.address;
    if (mode === "ephemeral") return this.#ephemeral.open(node, () => false, this.#input.signal);
    if (this.#input.planned.mode === "refreshOnly") return this.#recordedData(node);
    const change = this.#changes.get(node.text);
    if (mode === "data") return change === undefined ? this.#recordedData(node) : this.#readData(node, change);
    // A provider configuration may refer to an object that is destroyed, which then exists until all objects of that provider are destroyed.
    if (change?.action === "delete" || change?.action === "forget") return this.#recordedData(node);
    if (change === undefined || change.action === "noOp") return this.#unchanged(node);
    return this.#changeInstance(node, change);
  }

  /** The value of an object that does not change. Its conditions are checked again. */
  async #unchanged(node: InstanceNode): Promise<Value | undefined> {
    if (this.#deferred.has(node.text)) return this.#recordedData(node);
    const schema = await this.#walk.resourceSchema(node.block);
    const stored = this.#state.object({ instance: node.address });
    if (stored === undefined) return undefined;
    await this.#walk.checkRules(node, "Resource precondition");
    const value = markedValue(schema, stored);
    await this.#walk.checkRules(node, "Resource postcondition", value);
    return value;
  }

  /** The value that the state has. Where all is destroyed, one that it does not have is not known. */
  async #recordedData(node: InstanceNode): Promise<Value | undefined> {
    const schema = await this.#walk.resourceSchema(node.block);
    const stored = this.#state.object({ instance: node.address });
    if (stored !== undefined) return markedValue(schema, stored);
    return this.#input.planned.mode === "destroy" ? unknown(impliedType(schema)) : undefined;
  }

  async #readData(node: InstanceNode, change: ResourceChange): Promise<Value> {
    const { scope, block } = node;
    const { provider, address } = await this.#walk.providerOf(node);
    const schema = await this.#walk.resourceSchema(block);
    await this.#walk.dependenciesDone(scope, block);
    const decoded = await scope.decode(block.config, schema, node.data);
    await this.#dependenciesPut(change);
    await this.#walk.checkRules(node, "Resource precondition");
    scope.settle(undefined, decoded.diagnostics);
    const [config, marks] = unmarkDeepWithPaths(decoded.value);
    const type = await dataSourceType(provider, block.address.type, { providerAddress: formatProviderConfig(address.config) });
    const object: ResourceInstanceObject = { instance: node.address };
    const outcome = await this.#turns.run(async () => {
      this.#checkStopped();
      const progress = this.#progress(object, "read", change);
      progress.start();
      try {
        const meta = await this.#walk.providerMeta(node.address, address.config.provider);
        const read = await readDataSource(type, config, { address: node.text, ...meta, ...this.#signal() });
        const readMarks = read.value && combineMarks(marks, schemaMarks(schema, read.value));
        progress.end(read.value === undefined ? "failed" : "applied", read.value, readMarks);
        return read;
      } finally {
        progress.end("failed", undefined);
      }
    });
    const located = locateDiagnostics(outcome.diagnostics, block.config, node.text);
    if (block.check !== undefined) {
      this.#report.push(...located.map((one) => ({ ...one, severity: "warning" as const })));
      if (outcome.value === undefined) throw new UpstreamError();
    } else scope.settle(undefined, located);
    const value = outcome.value!;
    const combined = combineMarks(marks, schemaMarks(schema, value));
    const stored = withAttributes(createStateObject({}, { sensitivePaths: sensitivePathsOf(value, marks) }), value, impliedType(schema));
    this.#state.set(object, stored, address);
    await this.#state.flush();
    const marked = withPathMarks(value, combined);
    await this.#walk.checkRules(node, "Resource postcondition", marked);
    return marked;
  }

  /** Creates or updates an object, once the steps before it have ended. */
  async #changeInstance(node: InstanceNode, change: ResourceChange): Promise<Value> {
    const { scope, block } = node;
    const step = this.#steps.puts.get(node.text)!;
    const { type } = await this.#walk.resourceType(node);
    await this.#walk.dependenciesDone(scope, block);
    for (const other of step.after) await this.#waitFor(other);
    const decoded = await scope.decode(block.config, type.schema.block, node.data);
    await this.#dependenciesPut(change);
    await this.#walk.checkRules(node, "Resource precondition");
    scope.settle(undefined, decoded.diagnostics);
    const [config] = unmarkDeep(decoded.value);
    const ignored = block.managed?.ignoreChanges ?? { all: false, paths: [] };
    const [, configMarks] = unmarkDeepWithPaths(
      withIgnoredChanges(ignored, withPathMarks(change.before, change.beforeMarks), decoded.value, type.schema.block),
    );
    const progress = this.#progress({ instance: node.address }, putOf(change).action === "create" ? "create" : "update", change);
    let value: Value | undefined;
    try {
      const outcome = await this.#turns.run(() => this.#put(node, change, type, config, progress));
      value = outcome.object?.value;
      return await this.#save(node, change, type, outcome, configMarks, progress);
    } finally {
      progress.end("failed", value);
    }
  }

  /** Lets the provider create or update an object. */
  async #put(
    { address, text, block }: InstanceNode,
    change: ResourceChange,
    type: ResourceType,
    config: Value,
    progress: StepProgress,
  ): Promise<ApplyOutcome> {
    this.#checkStopped();
    const object: ResourceInstanceObject = { instance: address };
    const planned = putOf(change);
    const deposed = change.action === "createThenDelete" ? this.#state.depose(address) : undefined;
    if (change.action === "forgetThenCreate") this.#state.remove(object);
    // Only the sensitivity of values changes, so the provider has nothing to do.
    if (planned.action === "noOp") {
      progress.start();
      return { status: "applied", object: change.planned!.prior!, diagnostics: [] };
    }
    const ignored = block.managed?.ignoreChanges ?? { all: false, paths: [] };
    const action = planned.action === "create" ? "create" : "update";
    let isBegun = false;
    try {
      const meta = await this.#walk.providerMeta(address, change.provider.config.provider);
      await this.#begin(object, action, change);
      isBegun = true;
      const outcome = await applyChange(type, planned, {
        address: text,
        config,
        replan: true,
        // The second plan may find that there is no change, or that the change is not possible.
        observer: { onPhase: (phase) => void ((phase === "create" || phase === "update") && progress.start()) },
        ...meta,
        ignoreChanges: (before, value, of) => withIgnoredChanges(ignored, before, value, of === "config" ? type.schema.block : undefined),
        ...this.#signal(),
      });
      if (outcome.object === undefined && deposed !== undefined) this.#state.restore(address, deposed);
      return outcome;
    } catch (error) {
      if (deposed !== undefined) this.#state.restore(address, deposed);
      if (isBegun) this.#failed(object, error);
      throw error;
    }
  }

  /** Records in the journal that the request for a change is about to be sent. Halts the apply if the record cannot be written. */
  async #begin(object: ResourceInstanceObject, action: "create" | "update" | "delete", change: ResourceChange): Promise<void> {
    try {
      await this.#state.begin(object, action, change);
    } catch {
      // The caller of the apply gets the error of the journal.
      this.#halt();
    }
  }

  /**
   * Records in the journal that a change is over because its call failed. If the request may have reached the provider, nothing is known of the
   * object, and the record of the begin stays.
   */
  #failed(object: ResourceInstanceObject, error: unknown): void {
    if (error instanceof ProviderError && error.requestSent) return;
    this.#state.end(object);
  }

  /** Sets the object that a provider returned in the state, runs its provisioners and checks its postconditions. */
  async #save(
    node: InstanceNode,
    change: ResourceChange,
    type: ResourceType,
    { object, diagnostics }: ApplyOutcome,
    configMarks: readonly PathMarks[],
    progress: StepProgress,
  ): Promise<Value> {
    if (object === undefined) {
      if (change.action === "createThenDelete") this.#state.end({ instance: node.address });
      else this.#state.remove({ instance: node.address });
      await this.#failedPut(node, diagnostics, unknown(impliedType(type.schema.block)));
      throw new UpstreamError();
    }
    const marks = combineMarks(configMarks, schemaMarks(type.schema.block, object.value));
    const { dependencies, createBeforeDestroy, skipDestroy } = change;
    const record = { sensitivePaths: sensitivePathsOf(object.value, marks), dependencies, createBeforeDestroy, skipDestroy };
    const address: ResourceInstanceObject = { instance: node.address };
    const stored = stateObjectOf(type, object, record);
    const isProvisioned = change.action !== "update" && this.#provisioners.hasCreationProvisioners(node);
    if (isProvisioned) this.#state.setUnprovisioned(address, stored, change.provider);
    else this.#state.set(address, stored, change.provider);
    await this.#state.flush();
    const value = withPathMarks(object.value, marks);
    if (hasErrors(diagnostics)) await this.#failedPut(node, diagnostics, value);
    settleProvider(this.#walk, node, diagnostics, node.block.config);
    if (isProvisioned) {
      const succeeded = await this.#provisioners.runAfterCreation(node, value);
      // An object whose provisioner failed exists, but the next plan replaces it.
      this.#state.set(address, succeeded ? stored : { ...stored, status: "tainted" }, change.provider);
      await this.#state.flush();
      if (!succeeded) throw new UpstreamError();
    }
    progress.end("applied", object.value, marks);
    await this.#walk.checkRules(node, "Resource postcondition", value);
    return value;
  }

  /** Reports that a change failed. As in OpenTofu, the postconditions are checked all the same. @throws UpstreamError */
  async #failedPut(node: InstanceNode, diagnostics: readonly ProviderDiagnostic[], value: Value): Promise<void> {
    await this.#walk.checkRules(node, "Resource postcondition", value).catch((error: unknown) => {
      if (!(error instanceof UpstreamError)) throw error;
    });
    settleProvider(this.#walk, node, diagnostics, node.block.config);
  }

  /**
   * Waits until all objects that a change depends on are created or updated. Those that its configuration refers to are ready already, so this
   * waits only for indirect dependencies: through a resource that does not change or has no instances.
   */
  async #dependenciesPut({ dependencies, address }: ResourceChange): Promise<void> {
    for (const dependency of dependencies) {
      for (const group of this.#steps.putsOf(dependency, address.instance)) {
        if (!this.#finishedGroups.has(group)) await this.#waitFor(group);
        this.#finishedGroups.add(group);
      }
    }
  }

  readonly #finishedGroups = new Set<StepGroup>();

  async #waitFor(step: Step | StepGroup): Promise<void> {
    if (step.kind === "group") {
      let cell = this.#groupCells.get(step);
      if (cell === undefined) this.#groupCells.set(step, (cell = new Cell(() => this.#waitForAll(step.steps))));
      return cell.get();
    }
    if (step.kind === "destroy") return this.#destroyCells.get(step)!.get();
    await this.#walk.instance(step.change.address.instance);
  }

  async #waitForAll(steps: readonly Step[]): Promise<void> {
    if (!(await settleAll(steps.map((step) => this.#waitFor(step))))) throw new UpstreamError();
  }

  async #destroy(step: Step): Promise<void> {
    for (const other of step.after) await this.#waitFor(other);
    const { change } = step;
    const { instance } = change.address;
    const deposed = change.address.deposed ?? (change.action === "createThenDelete" ? this.#state.deposedKeyOf(instance) : undefined);
    const object: ResourceInstanceObject = { instance, ...(deposed !== undefined && { deposed }) };
    const stored = this.#state.object(object);
    if (change.action === "createThenDelete" && deposed === undefined) return;
    if (instance.resource.mode === "data") this.#state.remove(object);
    if (stored === undefined || change.planned === undefined) return;
    const text = formatResourceInstance(instance);
    const { provider } = await this.#walk.configuredProvider(change.provider);
    const type = await resourceType(provider, instance.resource.type, { providerAddress: formatProviderConfig(change.provider.config) });
    const planned = change.planned.action === "delete" ? change.planned : destroyStep(change.planned);
    const outcome = await this.#turns.run(async () => {
      this.#checkStopped();
      const progress = this.#progress(object, "delete", change);
      let isBegun = false;
      progress.start();
      try {
        const before = withPathMarks(change.before, change.beforeMarks);
        if (stored.status !== "tainted") await this.#provisioners.runBeforeDestruction(instance, before);
        const meta = await this.#walk.providerMeta(instance, change.provider.config.provider);
        await this.#begin(object, "delete", change);
        isBegun = true;
        const destroyed = await applyChange(type, planned, { address: text, ...meta, ...this.#signal() });
        progress.end(hasErrors(destroyed.diagnostics) ? "failed" : "applied", destroyed.object?.value);
        return destroyed;
      } catch (error) {
        if (isBegun) this.#failed(object, error);
        throw error;
      } finally {
        progress.end("failed", change.before);
      }
    });
    if (outcome.object === undefined) this.#state.remove(object);
    else {
      const { sensitivePaths, dependencies, createBeforeDestroy, skipDestroy } = stored;
      const record = { sensitivePaths, dependencies, createBeforeDestroy, skipDestroy };
      this.#state.set(object, stateObjectOf(type, outcome.object, record), change.provider);
    }
    await this.#state.flush();
    settleProvider(this.#walk, { text }, outcome.diagnostics, undefined);
  }

  #progress(address: ResourceInstanceObject, action: ApplyAction, change: ResourceChange): StepProgress {
    return new StepProgress(this.#input.emit, address, action, change);
  }

  #signal(): { readonly signal?: AbortSignal } {
    const { signal } = this.#input;
    return signal === undefined ? {} : { signal };
  }
}

/** An output as a state records it. */
function stateOutputOf({ sensitive, deprecated }: Output, value: Value): StateOutput {
  return { value: unknownAsNull(value), sensitive: sensitive === true, ...(deprecated !== undefined && { deprecated }) };
}

/** The creation or update of a change. For a replacement it is the second step, the creation. */
function putOf({ planned }: ResourceChange): PlannedChange {
  return planned!.action === "replace" ? createStep(planned!) : planned!;
}

const incomplete = `The plan was created with the -target or the -exclude option in effect, so some changes requested in the configuration may have been ignored and the output values may not be fully updated. Run the following command to verify that no other changes are pending:
    tofu plan
	
Note that the -target and -exclude options are not suitable for routine use, and are provided only for exceptional situations such as recovering from errors or mistakes, or when OpenTofu specifically suggests to use it as part of an error message.`;
