// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import {
  errorDiagnostic,
  type ClientCapabilities,
  type Diagnostic,
  type PlanResourceChangeRequest,
  type PlanResourceChangeResponse,
} from "@tenon/schema";
import { encodeEntry, objectValue } from "../conversion/encode.ts";
import { pathText, problemText } from "../conversion/problem.ts";
import type { SaidMeta } from "../definition/module-meta.ts";
import { hasContent, isSame, partOf } from "../planning/part.ts";
import { addPath, modifyPlanned, type Modification } from "../planning/plan-modification.ts";
import { settle, type Settled } from "../planning/settle.ts";
import type { OpenPrivateState } from "../private-state/open-private-state.ts";
import type { CompiledResource } from "../schema/resource.ts";
import { clientFor } from "./client-access.ts";
import { openDeferral, type Deferral } from "./deferral.ts";
import { resourcePrivateState } from "./private-state.ts";
import { openIdentity } from "./resource-identity.ts";
import { isLeftToProvider, pathOf, reporter, shown, type NamedPath } from "./resource-context.ts";
import { aboutResource, rpc, type Bare, type Rpc } from "./rpc.ts";
import { saidMeta } from "./said-meta.ts";
import { requireConforming, type ServedInstance } from "./served-instance.ts";
import { hasFailed, runHandler, type ServerCall } from "./server-call.ts";

type Request = PlanResourceChangeRequest;
type Answer = Bare<PlanResourceChangeResponse>;

/**
 * What will be, of what the practitioner wrote and what is recorded.
 *
 * The order is fixed: defaults, write-only values out, what is computed unknown (only where anything changes), the plan modifiers
 * of attributes, the resource's own `plan`, and at last `replaceInstead`.
 *
 * @see framework rules 13 to 24
 */
export const planResourceChange: Rpc<Request, PlanResourceChangeResponse> = rpc({
  name: "PlanResourceChange",
  about: aboutResource,
  run: async (instance, request, call) => {
    const resource = instance.resource(request.typeName);
    const { shape } = resource;
    for (const value of [request.config, request.priorState, request.proposedNewState]) {
      requireConforming(shape, value, `a value of ${request.typeName}`);
      call.secrets.add(shape, value);
    }
    return hasContent(request.proposedNewState)
      ? planChange(instance, resource, request, call)
      : planDestroy(instance, resource, request, call);
  },
  failed: unplanned,
});

/** What is answered where there is no plan: everything as it was asked for. */
function unplanned({ proposedNewState, priorPrivate, priorIdentity }: Request): Answer {
  const plannedIdentity = priorIdentity === undefined ? {} : { plannedIdentity: priorIdentity };
  return { plannedState: proposedNewState, requiresReplace: [], plannedPrivate: priorPrivate, ...plannedIdentity };
}

async function planDestroy(instance: ServedInstance, resource: CompiledResource, request: Request, call: ServerCall): Promise<Answer> {
  const { planDestroy: handler, shape, typeName } = resource;
  const answer = { ...unplanned(request), plannedState: valueOf(shape.type, null) };
  if (handler === undefined || !hasContent(request.priorState)) return answer;
  const access = clientFor(instance, call, `plan to destroy ${typeName}`, request.clientCapabilities);
  if (access.kind === "deferred") return { ...answer, deferred: access.deferred };
  const state = shown(shape, request.priorState, "recorded", "recorded state", call);
  const privateState = await resourcePrivateState(instance, typeName, request.priorPrivate, call);
  if (access.kind === "refused" || state === undefined || privateState === undefined) return answer;
  const { warn, log } = call;
  const { identity } = openIdentity(resource, request.priorIdentity, call).context;
  const meta = saidMeta(instance, request.providerMeta, call);
  const deferral = openDeferral(request.clientCapabilities);
  const { defer } = deferral;
  const context = {
    client: access.client,
    state,
    identity,
    meta,
    defer,
    get signal() {
      return call.signal;
    },
    warn,
    log,
    privateState,
    error: reporter(shape, call),
  };
  await runHandler(call, `Cannot destroy ${typeName}`, () => deferral.watch(() => handler(context)));
  return { ...answer, plannedPrivate: await privateState.bytes(), ...putOff(instance, deferral, request.clientCapabilities) };
}

async function planChange(instance: ServedInstance, resource: CompiledResource, request: Request, call: ServerCall): Promise<Answer> {
  const { shape, typeName } = resource;
  const { config, priorState, proposedNewState, clientCapabilities } = request;
  const privateState = await resourcePrivateState(instance, typeName, request.priorPrivate, call);
  if (privateState === undefined) return unplanned(request);
  const exists = hasContent(priorState);
  const parts: Settled = { config, prior: priorState, planned: proposedNewState };
  const markUnknown = !isSame(settle(shape, parts, { markUnknown: false }), priorState);
  const whole = { shape, parts: (): Settled => ({ ...parts, planned: settle(shape, parts, { markUnknown }) }) };
  const modification: Modification = { whole, diagnostics: call.diagnostics, requiresReplace: [] };
  const settled = settle(shape, parts, {
    markUnknown,
    modify: (entry, path, part, isNew, element) =>
      modifyPlanned(entry, path, part, { operation: exists ? "update" : "create", isNew }, element, modification),
    onMerged: (path) => call.diagnostics.push(mergedElements(path)),
  });
  if (hasFailed(call)) return unplanned(request);
  let planned = settled;
  const deferral = openDeferral(clientCapabilities);
  let identity: Value | undefined;
  if (resource.plan !== undefined) {
    const access = clientFor(instance, call, `plan ${typeName}`, clientCapabilities);
    if (access.kind === "refused") return unplanned(request);
    if (access.kind === "deferred") {
      return { ...unplanned(request), plannedState: planned, requiresReplace: modification.requiresReplace, deferred: access.deferred };
    }
    const meta = saidMeta(instance, request.providerMeta, call);
    const open = openIdentity(resource, request.priorIdentity, call);
    planned = await runPlan(
      resource,
      { client: access.client, meta, setIdentity: open.context.setIdentity },
      { ...parts, planned },
      privateState,
      modification.requiresReplace,
      deferral,
      call,
    );
    identity = open.given(`plan of ${typeName}`);
    if (hasFailed(call)) return unplanned(request);
  }
  if (resource.update === undefined && exists) replaceOnChange(resource, { ...parts, planned }, modification.requiresReplace);
  return {
    ...unplanned(request),
    plannedState: planned,
    requiresReplace: modification.requiresReplace.toSorted((a, b) => (pathText(a) < pathText(b) ? -1 : 1)),
    plannedPrivate: await privateState.bytes(),
    ...(identity === undefined ? {} : { plannedIdentity: identity }),
    ...putOff(instance, deferral, clientCapabilities),
  };
}

/** A core expects as many elements as are written. */
function mergedElements(path: Path): Diagnostic {
  const name = pathText(path);
  const why = `Two elements of ${name} are the same as soon as defaults are filled in, and a set has nothing twice.`;
  return errorDiagnostic("Duplicate set element", `${why} Write it once, or let them differ in something.`, path);
}

/** The plan is only what is known by now: its author says so, or the provider has put off everything. @see framework rule 13 */
function putOff(
  { configuration }: ServedInstance,
  deferral: Deferral,
  capabilities: ClientCapabilities | undefined,
): Pick<Answer, "deferred"> {
  const ofProvider = configuration.kind === "deferred" && capabilities?.deferralAllowed === true ? configuration.deferred : undefined;
  const deferred = deferral.deferred() ?? ofProvider;
  return deferred === undefined ? {} : { deferred };
}

/** Runs the resource's own `plan`; answers what it made of the planned state. */
async function runPlan(
  resource: CompiledResource,
  given: { readonly client: unknown; readonly meta: SaidMeta; readonly setIdentity: (identity: unknown) => void },
  parts: Settled,
  privateState: OpenPrivateState,
  requiresReplace: Path[],
  { defer, watch }: Deferral,
  call: ServerCall,
): Promise<Value> {
  const { shape, typeName, plan } = resource;
  const config = shown(shape, parts.config, "configDraft", "configuration", call);
  const planned = shown(shape, parts.planned, "draft", "plan", call);
  const state = hasContent(parts.prior) ? shown(shape, parts.prior, "state", "recorded state", call) : null;
  if (config === undefined || planned === undefined || state === undefined) return parts.planned;
  const changed = new Map<string, Value>();
  const set = (values: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(values)) setPlanned(resource, name, value, parts, changed, call);
  };
  const { warn, log } = call;
  const requireReplace = (attribute: NamedPath): void => {
    if (hasContent(parts.prior)) addPath(requiresReplace, pathOf(shape, attribute));
  };
  const error = reporter(shape, call);
  const context = {
    ...given,
    config,
    planned,
    state,
    get signal() {
      return call.signal;
    },
    warn,
    log,
    privateState,
    set,
    requireReplace,
    defer,
    error,
  };
  await runHandler(call, `Cannot plan ${typeName}`, () => watch(() => plan!(context)));
  return objectValue(
    shape,
    shape.entries.map((entry) => changed.get(entry.name) ?? partOf(parts.planned, entry)),
  );
}

/** Takes over one value that `plan` set, if the core will accept it. */
function setPlanned(
  { shape, typeName }: CompiledResource,
  name: string,
  given: unknown,
  parts: Settled,
  changed: Map<string, Value>,
  call: ServerCall,
): void {
  const entry = shape.byName.get(name);
  // The compiler refuses unknown names; who has none loses what nobody could use.
  if (entry === undefined || given === undefined) return;
  const wrong = (what: string): void =>
    void call.diagnostics.push(
      errorDiagnostic("Invalid plan", `plan of ${typeName}: ${what}. This is a bug in the provider.`, [entry.step]),
    );
  const { value, problems } = encodeEntry(entry, given, "draft");
  for (const problem of problems) wrong(problemText(problem));
  if (problems.length > 0) return;
  const config = partOf(parts.config, entry);
  const isConfigured = entry.kind === "attribute" && config.payload !== null && !entry.writeOnly;
  if (isConfigured && !isSame(value, config) && !isSame(value, partOf(parts.prior, entry))) {
    wrong(`it set ${name}, which the configuration sets to something else`);
    return;
  }
  changed.set(name, value);
}

/** Where there is no update: whatever the practitioner changed replaces the resource. */
function replaceOnChange({ shape }: CompiledResource, { config, prior, planned }: Settled, requiresReplace: Path[]): void {
  const changed = shape.entries.filter((entry) => !isSame(partOf(planned, entry), partOf(prior, entry)));
  const byPractitioner = changed.filter((entry) => !isLeftToProvider(entry, partOf(config, entry)));
  // A plan that only the provider's own values change would otherwise ask for an update that does not exist.
  for (const entry of byPractitioner.length > 0 ? byPractitioner : changed) addPath(requiresReplace, [entry.step]);
}
