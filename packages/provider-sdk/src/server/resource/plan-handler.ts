// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { errorDiagnostic } from "@tenon/schema";
import type { CompiledResource } from "../../compile/resource.ts";
import { encodeEntry, objectValue } from "../../conversion/encode.ts";
import { pathText, problemText } from "../../conversion/problem.ts";
import type { ProviderMeta } from "../../definition/module-meta.ts";
import { changePart } from "../../planning/change-part.ts";
import { keepExactNumbers } from "../../planning/exact-numbers.ts";
import { addPath } from "../../planning/plan-modification.ts";
import type { ChangeParts } from "../../planning/change-parts.ts";
import type { OpenPrivateState } from "../../private-state/open-private-state.ts";
import { hasContent, isSame, partOf } from "../../shape/part.ts";
import type { Deferral } from "../call/deferral.ts";
import { handlerContext } from "../call/handler-context.ts";
import { pathOf, reporters, decodeView, type NamedPath } from "../call/handler-values.ts";
import { runHandler, type ServerCall } from "../call/server-call.ts";
import type { OpenIdentity } from "./resource-identity.ts";

/** The plan of one resource when its `plan` handler runs: defaults, unknown values and plan modifiers are in it. */
export interface PlanInProgress {
  readonly resource: CompiledResource;
  readonly parts: ChangeParts;
  readonly client: unknown;
  readonly meta: ProviderMeta;
  readonly privateState: OpenPrivateState;
  readonly identity: OpenIdentity;
  readonly deferral: Deferral;
  /** Paths that require replacement; the handler adds to them. */
  readonly requiresReplace: Path[];
  readonly call: ServerCall;
}

/** The values that a `plan` handler set, by the name of their attribute. */
export type PlannedValues = ReadonlyMap<string, Value>;

/** The planned state with values that a `plan` handler set. */
export function withPlanned({ shape }: CompiledResource, planned: Value, values: PlannedValues): Value {
  return objectValue(
    shape,
    shape.entries.map((entry) => values.get(entry.name) ?? partOf(planned, entry)),
  );
}

/** Runs the resource's own `plan`, and returns the values that it set. */
export async function runPlanHandler(plan: PlanInProgress): Promise<PlannedValues> {
  const { resource, parts, client, meta, privateState, identity, deferral, requiresReplace, call } = plan;
  const { shape, typeName } = resource;
  const changed = new Map<string, Value>();
  const config = decodeView(shape, parts.config, "configDraft", "configuration", call);
  const planned = decodeView(shape, parts.planned, "draft", "plan", call);
  const state = hasContent(parts.prior) ? decodeView(shape, parts.prior, "state", "recorded state", call) : null;
  if (config === undefined || planned === undefined || state === undefined) return changed;
  const context = handlerContext(call, {
    client,
    meta,
    setIdentity: identity.context.setIdentity,
    config,
    planned,
    state,
    privateState,
    set: (...change: readonly [Readonly<Record<string, unknown>>] | readonly [NamedPath, unknown]): void => {
      const [target, value] = change;
      if (typeof target === "string") setPlanned(plan, target, value, changed);
      else if (Array.isArray(target)) setInside(plan, target as readonly (string | number)[], value, changed);
      else for (const [name, one] of Object.entries(target)) setPlanned(plan, name, one, changed);
    },
    requireReplace: (attribute: NamedPath): void => {
      if (hasContent(parts.prior)) addPath(requiresReplace, pathOf(shape, attribute));
    },
    defer: deferral.defer,
    ...reporters(shape, call),
  });
  await runHandler(call, `Cannot plan ${typeName}`, () => deferral.watch(() => resource.plan!(context)));
  return changed;
}

/** Records one value that `plan` set, if the core accepts it. */
function setPlanned({ resource, parts, call }: PlanInProgress, name: string, given: unknown, changed: Map<string, Value>): void {
  const { shape, typeName } = resource;
  const entry = shape.byName.get(name);
  // TypeScript refuses unknown names; in a plain JavaScript provider they are ignored.
  if (entry === undefined || given === undefined) return;
  const wrong = (what: string): void =>
    void call.diagnostics.push(
      errorDiagnostic("Invalid plan", `plan of ${typeName}: ${what}. This is a bug in the provider.`, [entry.step]),
    );
  const { value: encoded, problems } = encodeEntry(entry, given, "draft");
  for (const problem of problems) wrong(problemText(problem));
  if (problems.length > 0) return;
  const [config, prior] = [partOf(parts.config, entry), partOf(parts.prior, entry)];
  const value = keepExactNumbers(entry.shape, [partOf(parts.planned, entry), config, prior], encoded);
  const isConfigured = entry.kind === "attribute" && config.payload !== null && !entry.writeOnly;
  if (isConfigured && !isSame(value, config) && !isSame(value, prior)) {
    wrong(`it set ${name}, which the configuration sets to something else`);
    return;
  }
  changed.set(name, value);
}

/** Records one value that `plan` set inside an attribute or block, if the core accepts it. */
function setInside(plan: PlanInProgress, [name, ...rest]: readonly (string | number)[], given: unknown, changed: Map<string, Value>): void {
  const { resource, parts, call } = plan;
  const entry = typeof name === "string" ? resource.shape.byName.get(name) : undefined;
  if (entry === undefined || given === undefined) return;
  if (rest.length === 0) return setPlanned(plan, entry.name, given, changed);
  const place = changePart(
    { shape: entry.shape, value: changed.get(entry.name) ?? partOf(parts.planned, entry) },
    [partOf(parts.config, entry), partOf(parts.prior, entry)],
    rest,
    given,
  );
  if ("value" in place) return void changed.set(entry.name, place.value);
  const path = pathOf(resource.shape, [entry.name, ...rest]);
  const detail = `plan of ${resource.typeName}: it set ${pathText(path)}, ${place.fault}. This is a bug in the provider.`;
  call.diagnostics.push(errorDiagnostic("Invalid plan", detail, path));
}
