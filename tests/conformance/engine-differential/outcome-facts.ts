// SPDX-License-Identifier: Apache-2.0
// Questions about what one or both sides have after a step.
import { formatInstanceKey } from "@tenon/engine/address";
import type { Json, Outcome, OutcomeDiagnostic } from "./outcome.ts";

/** The address of the instance that a hook or change of the log is about. */
export function addressOf(subject: unknown): string {
  return String(((subject as Json | undefined)?.["resource"] as Json | undefined)?.["addr"]);
}

/** Whether a plan has found that an object is gone. */
export function hasGone(plan: Json | undefined): boolean {
  return JSON.stringify(plan?.["resource_drift"] ?? []).includes('"actions":["delete"]');
}

/** Whether an output has null in its value: in the prior state of a plan, or in the state after the step. Without a name: whether any has. */
export function hasNullOutput({ plan, state = "{}" }: Outcome, name: string | undefined, of: "plan" | "state"): boolean {
  const prior = plan?.["prior_state"] as { readonly values?: StateOutputs } | undefined;
  const { outputs = {} } = (of === "plan" ? prior?.values : (JSON.parse(state) as StateOutputs)) ?? {};
  const values = Object.entries(outputs).filter(([one]) => name === undefined || one === name);
  return values.some(([, { value }]) => JSON.stringify(value).includes("null"));
}

/** Whether a plan leaves an output as it is, which is null. */
export function staysNull({ plan }: Outcome, name: string): boolean {
  const { [name]: change } = (plan?.["output_changes"] ?? {}) as Readonly<Record<string, Json>>;
  return change !== undefined && (change["actions"] as readonly string[]).join() === "no-op" && change["before"] === null;
}

interface StateOutputs {
  readonly outputs?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** Whether a function rejects null as the value to search for. */
export function rejectsNull({ planDiagnostics, applyDiagnostics }: Outcome): boolean {
  return [...planDiagnostics, ...applyDiagnostics].some(({ detail }) =>
    detail.includes('Invalid value for "value" parameter: argument must not be null.'),
  );
}

/** The errors of an apply. */
export function errorsOf({ applyDiagnostics }: Outcome): readonly OutcomeDiagnostic[] {
  return applyDiagnostics.filter(({ severity }) => severity === "error");
}

/** Whether tofu destroys an object that the engine does not, and whose state records `create_before_destroy`. */
export function waitsWithForcedObject({ applyLog: theirLog = [] }: Outcome, { applyLog: ourLog = [], state }: Outcome): boolean {
  const left = startsIn(theirLog, "delete").difference(startsIn(ourLog, "delete"));
  return instancesIn(state).some(({ address, create_before_destroy: isForced }) => isForced === true && left.has(address));
}

/** Whether the state of tofu has the object of an instance as deposed whose creation has not started, and the engine has it as the current one. */
export function hasDeposedUnchanged(theirs: Outcome, ours: Outcome): boolean {
  if (errorsOf(theirs).length === 0 || errorsOf(ours).length === 0) return false;
  const started = startsIn(theirs.applyLog ?? [], "create");
  const others = instancesIn(ours.state);
  return instancesIn(theirs.state).some(
    ({ address, deposed, attributes }) =>
      deposed !== undefined &&
      !started.has(address) &&
      others.some(
        (other) =>
          other.address === address && other.deposed === undefined && JSON.stringify(other.attributes) === JSON.stringify(attributes),
      ),
  );
}

/** Whether a path in a state file is in an instance that has only deposed objects, several of them. They are in the random order of their keys. */
export function isOfDeposedOnly(path: string, { state = '{"resources":[]}' }: Outcome): boolean {
  const [resource, instance] = (/^\/resources\/(\d+)\/instances\/(\d+)\//.exec(path) ?? []).slice(1).map(Number);
  const instances = (JSON.parse(state) as { readonly resources: readonly StateResource[] }).resources[resource ?? -1]?.instances ?? [];
  const objects = instances.filter(({ index_key: key }) => key === instances[instance ?? -1]?.index_key);
  return objects.length > 1 && objects.every(({ deposed }) => deposed !== undefined);
}

/** The addresses of the instances for which an apply has started an action. */
function startsIn(log: readonly Json[], action: string): ReadonlySet<string> {
  const starts = log.filter(({ type, hook }) => type === "apply_start" && (hook as Json)["action"] === action);
  return new Set(starts.map(({ hook }) => addressOf(hook)));
}

/** The objects of a state file, with the addresses of their instances. */
function instancesIn(state = '{"resources":[]}'): readonly (StateInstance & { readonly address: string })[] {
  const { resources } = JSON.parse(state) as { readonly resources: readonly StateResource[] };
  return resources.flatMap((resource) => resource.instances.map((one) => ({ ...one, address: instanceAddress(resource, one) })));
}

function instanceAddress({ module, type, name }: StateResource, { index_key: key }: StateInstance): string {
  return `${module === undefined ? "" : `${module}.`}${type}.${name}${formatInstanceKey(key)}`;
}

interface StateResource {
  readonly module?: string;
  readonly type: string;
  readonly name: string;
  readonly instances: readonly StateInstance[];
}

interface StateInstance {
  readonly index_key?: string | number;
  readonly create_before_destroy?: boolean;
  readonly deposed?: string;
  readonly attributes?: unknown;
  readonly dependencies?: readonly string[];
}

/** Whether a plan removes objects from the state that it does not destroy. */
export function plansForgetting(outcome: Outcome): boolean {
  return actionsOf(outcome).some((actions) => actions.includes("forget"));
}

/** Whether the state has objects that the plan removes from it. */
export function keepsForgotten({ plan, state }: Outcome): boolean {
  const changes = (plan?.["resource_changes"] ?? []) as readonly { readonly address: string; readonly change: Json }[];
  const forgotten = changes.filter(({ change }) => (change["actions"] as readonly string[]).join() === "forget");
  const left = new Set(instancesIn(state).map(({ address }) => address));
  return forgotten.some(({ address }) => left.has(address));
}

/** Whether a plan destroys an object of a resource with `create_before_destroy`, also one that other resources pass on to it. */
export function destroysAfterCreation(outcome: Outcome): boolean {
  if (actionsOf(outcome).some((actions) => actions.join() === "create,delete")) return true;
  const forced = instancesIn(outcome.state).filter(({ create_before_destroy: isForced }) => isForced === true);
  const resources = new Set(forced.map(({ address }) => withoutKeys(address)));
  const changes = (outcome.plan?.["resource_changes"] ?? []) as readonly { readonly address: string; readonly change: Json }[];
  return changes.some(
    ({ address, change }) => (change["actions"] as readonly string[]).includes("delete") && resources.has(withoutKeys(address)),
  );
}

/** The actions of each change of a plan. */
function actionsOf({ plan }: Outcome): readonly (readonly string[])[] {
  const changes = (plan?.["resource_changes"] ?? []) as readonly { readonly change: { readonly actions: readonly string[] } }[];
  return changes.map(({ change }) => change.actions);
}

/** Number of messages of a type about the destruction of an object. */
export function destructionsIn(log: readonly Json[], type: string): number {
  return log.filter((message) => {
    const { action } = (message["hook"] ?? message["change"] ?? {}) as { readonly action?: string };
    return message["type"] === type && action === "delete";
  }).length;
}

/** Whether an apply without errors of changes has destroyed fewer objects than was planned. */
export function leavesOutDestructions(outcome: Outcome): boolean {
  const planned = actionsOf(outcome).filter((actions) => actions.includes("delete")).length;
  const isComplete = errorsOf(outcome).every(({ summary }) => summary === "Destroy was successful but left behind forgotten instances");
  return isComplete && destructionsIn(outcome.applyLog ?? [], "apply_start") < planned;
}

/** Whether an apply without errors has left out planned data sources, all of them of checks. */
export function leavesOutReads({ plan, applyLog = [], applyDiagnostics }: Outcome): boolean {
  const changes = (plan?.["resource_changes"] ?? []) as readonly { readonly address: string; readonly action_reason?: string }[];
  const reads = changes.filter(({ action_reason: reason }) => reason?.startsWith("read_") === true);
  const made = startsIn(applyLog, "read");
  const missing = reads.filter(({ address }) => !made.has(address));
  const areOfChecks = missing.every(({ action_reason: reason }) => reason === "read_because_check_nested");
  return !applyDiagnostics.some(({ severity }) => severity === "error") && missing.length > 0 && areOfChecks;
}

/** Whether an element that was null becomes unknown in a change of a plan. */
export function hasNullBecomingUnknown(plan: Json | undefined): boolean {
  const becomes = (before: unknown, isUnknown: unknown): boolean => {
    if (Array.isArray(before))
      return before.some((one, index) => {
        const unknownOne = Array.isArray(isUnknown) ? (isUnknown[index] as unknown) : undefined;
        return (one === null && unknownOne === true) || becomes(one, unknownOne);
      });
    if (typeof before !== "object" || before === null || typeof isUnknown !== "object" || isUnknown === null) return false;
    return Object.entries(before).some(([name, one]) => becomes(one, (isUnknown as Json)[name]));
  };
  const changes = (plan?.["resource_changes"] ?? []) as readonly { readonly change: Json }[];
  return changes.some(({ change }) => becomes(change["before"], change["after_unknown"]));
}

/** Whether an apply without errors did less than was planned. */
export function leavesOut({ planLog, applyLog = [], applyDiagnostics }: Outcome): boolean {
  const countOf = (log: readonly Json[]): number => {
    const {
      add = 0,
      change = 0,
      remove = 0,
    } = (log.find(({ type }) => type === "change_summary")?.["changes"] ?? {}) as Record<string, number>;
    return add + change + remove;
  };
  return !applyDiagnostics.some(({ severity }) => severity === "error") && countOf(applyLog) < countOf(planLog);
}

/** Whether tofu changed only some instances of resources of which the engine changed more, and nothing else differs in what was changed. */
export function leavesOutInstances(theirs: Outcome, ours: Outcome): boolean {
  const [of, by] = [theirs, ours].map((outcome) => new Set(changesIn(outcome)));
  const resources = new Set([...of!].map(withoutKeys));
  const more = [...by!.difference(of!)];
  return of!.isSubsetOf(by!) && more.length > 0 && more.every((address) => resources.has(withoutKeys(address)));
}

/** Whether OpenTofu crashed because an output has a condition that its plan does not have. */
export function isCrashOfOutput({ summary, detail }: OutcomeDiagnostic): boolean {
  return summary === "OpenTofu crashed" && detail.startsWith("checkable object status report for unexpected checkable object output.");
}

/** Whether an error is about an attribute whose elements cannot be converted. */
export function isUnconvertible({ summary, detail }: OutcomeDiagnostic): boolean {
  return summary === "Incorrect attribute value type" && isOfElements(detail.replace(/\.$/, ""));
}

/** Whether a text is about the conversion of the elements of a collection. */
export function isOfElements(text: string): boolean {
  return /incorrect (list|set|map) element type: .* required$/.test(text);
}

/** Whether an error is about a precondition of an output of a called module. */
export function isOfModuleOutput({ summary, range }: OutcomeDiagnostic): boolean {
  return summary === "Module output value precondition failed" && range.includes("/");
}

/**
 * The objects that only the engine has created or updated, after the same errors of expressions on both sides, if each of them depends on an
 * unchanged object.
 */
export function madeBesideUnchanged(theirs: Outcome, ours: Outcome): ReadonlySet<string> {
  const none = new Set<string>();
  const [of, by] = [theirs, ours].map((outcome) =>
    errorsOf(outcome)
      .map((one) => JSON.stringify(one))
      .toSorted(),
  );
  if (of!.length === 0 || of!.join() !== by!.join() || errorsOf(theirs).some(({ range }) => range === "")) return none;
  const [theirStarts, ourStarts] = [theirs, ours].map(({ applyLog = [] }) =>
    startsIn(applyLog, "create").union(startsIn(applyLog, "update")),
  );
  if (!theirStarts!.isSubsetOf(ourStarts!)) return none;
  const changes = (ours.plan?.["resource_changes"] ?? []) as readonly { readonly address: string; readonly change: Json }[];
  const isUnchanged = ({ change }: { readonly change: Json }): boolean => (change["actions"] as readonly string[]).join() === "no-op";
  const unchanged = new Set(changes.filter(isUnchanged).map(({ address }) => withoutKeys(address)));
  const dependencies = new Map(instancesIn(ours.state).map(({ address, dependencies: names = [] }) => [address, names]));
  const made = ourStarts!.difference(theirStarts!);
  return [...made].every((address) => (dependencies.get(address) ?? []).some((name) => unchanged.has(name))) ? made : none;
}

/**
 * Whether all dependencies that only the engine records are those of an object on a resource of its module that changes in other instances
 * of the module only, or are reached through such a resource.
 */
export function lacksInnerDependencies(theirs: Outcome, ours: Outcome): boolean {
  const keyOf = ({ address, deposed }: { readonly address: string; readonly deposed?: string }): string => `${address} ${deposed ?? ""}`;
  const recorded = new Map(instancesIn(theirs.state).map((one) => [keyOf(one), new Set(one.dependencies)]));
  const changed = new Set([...changesIn(theirs), ...changesIn(ours)]);
  const ofInstances = instancesIn(ours.state);
  return ofInstances.every((one) => {
    const of = recorded.get(keyOf(one)) ?? new Set();
    const by = new Set(one.dependencies);
    if (!of.isSubsetOf(by)) return false;
    const lacking = [...by.difference(of)];
    const module = moduleOf(one.address);
    const isInner = (name: string): boolean => {
      const modules = [...changed].filter((address) => withoutKeys(address) === name).map(moduleOf);
      return modules.length > 0 && modules.every((other) => other !== module && withoutKeys(other) === withoutKeys(module));
    };
    const inner = lacking.filter(isInner);
    const reached = new Set(
      ofInstances.filter(({ address }) => inner.includes(withoutKeys(address))).flatMap(({ dependencies = [] }) => dependencies),
    );
    return lacking.every((name) => inner.includes(name) || reached.has(name));
  });
}

/** The addresses of the instances that an apply has begun to change. */
function changesIn({ applyLog = [] }: Outcome): readonly string[] {
  return ["create", "update", "delete"].flatMap((action) => [...startsIn(applyLog, action)]);
}

/** The module instance of the address of a resource instance. */
function moduleOf(address: string): string {
  return /^(?:module\.[\w-]+(?:\[(?:"[^"]*"|\d+)\])?\.)*/.exec(address)![0];
}

/** An outcome whose state lacks the objects of some instances. */
export function withoutObjects(outcome: Outcome, addresses: ReadonlySet<string>): Outcome {
  if (outcome.state === undefined) return outcome;
  const state = JSON.parse(outcome.state) as { readonly resources: readonly StateResource[] };
  const resources = state.resources.flatMap((resource) => {
    const instances = resource.instances.filter((instance) => !addresses.has(instanceAddress(resource, instance)));
    return instances.length === 0 ? [] : [{ ...resource, instances }];
  });
  return { ...outcome, state: JSON.stringify({ ...state, resources }) };
}

/** An address without the keys of instances. */
function withoutKeys(address: string): string {
  return address.replaceAll(/\[(?:"[^"]*"|\d+)\]/g, "");
}

/** Whether the state has an output that the plan does not have. */
export function hasOutputOutside({ plan, state = "{}" }: Outcome): boolean {
  const planned = (plan?.["output_changes"] ?? {}) as Json;
  const { outputs = {} } = JSON.parse(state) as { readonly outputs?: Json };
  return Object.keys(outputs).some((name) => !(name in planned));
}

/** Whether an error is in a called module, and is found in the conditions of an output that tofu did not check. */
export function isOfUncheckedOutput({ severity, address, range }: OutcomeDiagnostic, theirs: Outcome, ours: Outcome): boolean {
  if (severity !== "error" || address !== "" || !range.includes("/")) return false;
  return [...checkedBeside(theirs, ours)].some(([name, status]) => /^module\..*output\./.test(name) && status === "error");
}

/** The results of the conditions of the engine that tofu did not check, by the address of their block. */
export function checkedBeside(theirs: Outcome, ours: Outcome): ReadonlyMap<string, string> {
  const [of, by] = [theirs, ours].map(({ state = "{}" }) => {
    const { check_results: results } = JSON.parse(state) as { readonly check_results?: readonly CheckResult[] | null };
    return new Map(results?.map(({ config_addr: name, status }) => [name, status]));
  });
  return new Map([...by!].filter(([name, status]) => status !== "unknown" && of!.get(name) === "unknown"));
}

interface CheckResult {
  readonly config_addr: string;
  readonly status: string;
}

/** Whether a diagnostic is a warning about a deprecated value in the root module that the plan does not have. */
export function isNewDeprecation({ summary, detail, range }: OutcomeDiagnostic, { planDiagnostics }: Outcome): boolean {
  if (summary !== "Value derived from a deprecated source" || range.includes("/")) return false;
  return !planDiagnostics.some((one) => one.summary === summary && one.detail === detail && one.range === range);
}
