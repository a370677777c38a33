// SPDX-License-Identifier: Apache-2.0
// Loaded only if `ProviderOptions.checkResponses` is set.
import { formatPath, type Path, type Value } from "@tenon/cty";
import {
  errorDiagnostic,
  hasErrors,
  type ApplyResourceChangeRequest,
  type ApplyResourceChangeResponse,
  type Block,
  type Diagnostic,
  type ImportResourceStateRequest,
  type ImportResourceStateResponse,
  type MoveResourceStateRequest,
  type MoveResourceStateResponse,
  type OpenEphemeralResourceRequest,
  type OpenEphemeralResourceResponse,
  type PlanResourceChangeRequest,
  type PlanResourceChangeResponse,
  type ReadDataSourceRequest,
  type ReadDataSourceResponse,
  type ReadResourceRequest,
  type ReadResourceResponse,
  type Schema,
  type UpgradeResourceStateRequest,
  type UpgradeResourceStateResponse,
} from "@tenon/schema";
import {
  assertObjectCompatible,
  assertPlanValid,
  assertResultValue,
  assertWriteOnlyNull,
  filterRequiresReplace,
  type RuleViolation,
} from "@tenon/schema/change";
import { hasContent } from "../shape/part.ts";

/** The schemas of a provider's components, by type name. */
export interface ComponentSchemas {
  /** The schema of a resource. */
  readonly resource: (typeName: string) => { readonly protocol: Schema };
  /** The schema of a data source. */
  readonly dataSource: (typeName: string) => { readonly protocol: Schema };
  /** The schema of an ephemeral resource. */
  readonly ephemeralResource: (typeName: string) => { readonly protocol: Schema };
}

/** A rule that the cores enforce. */
interface Rule {
  /** Requirement of the rule, as a clause that follows "The rule is that". */
  readonly requirement: string;
  /** Error summary of a core when a provider breaks the rule. */
  readonly coreError: string;
}

const planRule: Rule = {
  requirement:
    "a planned value equals the configured value or the prior value; the provider chooses a value only where the configuration sets none",
  coreError: "Provider produced invalid plan",
};
const replacementRule: Rule = {
  requirement: "a path that requires replacement exists in the prior state or in the planned state",
  coreError: "Provider produced invalid plan",
};
const planPresenceRule: Rule = {
  requirement: "a destroy plan is null, and every other plan is not null",
  coreError: "Provider produced invalid plan",
};
const applyRule: Rule = {
  requirement: "a value that was known in the plan has not changed after the apply",
  coreError: "Provider produced inconsistent result after apply",
};
const resultPresenceRule: Rule = {
  requirement: "the state after a deletion is null, and the state after a create or an update is not null",
  coreError: "Provider returned invalid result object after apply",
};
const resultRule: Rule = {
  requirement: "the new state has the type of the schema, and all its values are known",
  coreError: "Provider returned invalid result object after apply",
};
const writeOnlyRule: Rule = {
  requirement: "write-only attributes are null in plans and states",
  coreError: "Invalid provider response",
};
const objectRule: Rule = {
  requirement: "a returned object has the type of the schema, and all its values are known",
  coreError: "Provider produced invalid object",
};
const nullObjectRule: Rule = { requirement: "the returned object is not null", coreError: "Provider produced null object" };
const importRule: Rule = {
  requirement: "an import returns one object of the requested resource type",
  coreError: "Import returned null resource",
};
const transformationRule: Rule = {
  requirement: "an upgraded or moved state has the type of the schema, and all its values are known",
  coreError: "Invalid resource state transformation",
};

/** The check of each RPC that has rules, by the name of the RPC. */
const checks: Readonly<Record<string, (request: never, response: never, schemas: ComponentSchemas) => readonly Diagnostic[]>> = {
  PlanResourceChange: checkPlan,
  ApplyResourceChange: checkApply,
  ReadResource: checkRead,
  ImportResourceState: checkImport,
  UpgradeResourceState: checkUpgrade,
  MoveResourceState: checkMove,
  ReadDataSource: checkDataSource,
  OpenEphemeralResource: checkEphemeralResource,
};

/**
 * Checks a response against the rules that the cores enforce. Skips responses that contain an error or are deferred.
 *
 * @returns one diagnostic for each violation, with the attribute, the rule and the error of the cores.
 */
export function checkResponse(rpc: string, request: unknown, response: unknown, schemas: ComponentSchemas): readonly Diagnostic[] {
  const { diagnostics = [], deferred } = response as { readonly diagnostics?: readonly Diagnostic[]; readonly deferred?: unknown };
  if (hasErrors(diagnostics) || deferred !== undefined) return [];
  return checks[rpc]?.(request as never, response as never, schemas) ?? [];
}

function checkPlan(
  request: PlanResourceChangeRequest,
  response: PlanResourceChangeResponse,
  schemas: ComponentSchemas,
): readonly Diagnostic[] {
  const { plannedState, requiresReplace } = response;
  const { priorState, proposedNewState, config, typeName } = request;
  const operation = `plan of ${typeName}`;
  if (hasContent(plannedState) !== hasContent(proposedNewState))
    return [
      violation(operation, planPresenceRule, hasContent(plannedState) ? "the destroy plan is not null" : "the planned state is null"),
    ];
  if (!hasContent(plannedState)) return [];
  const block = resourceBlock(typeName, schemas);
  return [
    ...violations(operation, planRule, assertPlanValid(block, priorState, config, plannedState)),
    ...violations(operation, writeOnlyRule, assertWriteOnlyNull(block, plannedState)),
    ...violations(operation, replacementRule, filterRequiresReplace(block, priorState, plannedState, requiresReplace).violations),
  ];
}

function checkApply(
  request: ApplyResourceChangeRequest,
  response: ApplyResourceChangeResponse,
  schemas: ComponentSchemas,
): readonly Diagnostic[] {
  const { plannedState, priorState, typeName } = request;
  const { newState } = response;
  const operation = `${!hasContent(plannedState) ? "deletion" : hasContent(priorState) ? "update" : "create"} of ${typeName}`;
  if (hasContent(newState) !== hasContent(plannedState))
    return [violation(operation, resultPresenceRule, hasContent(newState) ? "the new state is not null" : "the new state is null")];
  if (!hasContent(plannedState)) return [];
  const block = resourceBlock(typeName, schemas);
  // A write-only value also differs from the plan, but that message would contain the value.
  const invalid = checkObject(operation, resultRule, block, newState);
  return invalid.length > 0 ? invalid : violations(operation, applyRule, assertObjectCompatible(block, plannedState, newState));
}

/** Checks a read. Null is valid: the object no longer exists. */
function checkRead(
  { typeName }: ReadResourceRequest,
  { newState }: ReadResourceResponse,
  schemas: ComponentSchemas,
): readonly Diagnostic[] {
  return checkObject(`read of ${typeName}`, objectRule, resourceBlock(typeName, schemas), newState);
}

function checkImport(
  { typeName }: ImportResourceStateRequest,
  { importedResources }: ImportResourceStateResponse,
  schemas: ComponentSchemas,
): readonly Diagnostic[] {
  const operation = `import of ${typeName}`;
  const [imported] = importedResources;
  if (imported === undefined || importedResources.length > 1)
    return [violation(operation, importRule, `the provider returned ${importedResources.length} objects`)];
  if (imported.typeName !== typeName)
    return [violation(operation, importRule, `the provider returned an object of type ${JSON.stringify(imported.typeName)}`)];
  if (!hasContent(imported.state)) return [violation(operation, importRule, "the imported state is null")];
  return checkObject(operation, objectRule, resourceBlock(typeName, schemas), imported.state);
}

function checkUpgrade(
  { typeName, rawState }: UpgradeResourceStateRequest,
  { upgradedState }: UpgradeResourceStateResponse,
  schemas: ComponentSchemas,
): readonly Diagnostic[] {
  // Without a recorded state, the provider returns none.
  if (!rawState.json?.length && rawState.flatmap === undefined) return [];
  return checkTransformation(`upgrade of ${typeName}`, typeName, upgradedState, schemas);
}

function checkMove(
  { targetTypeName }: MoveResourceStateRequest,
  { targetState }: MoveResourceStateResponse,
  schemas: ComponentSchemas,
): readonly Diagnostic[] {
  return checkTransformation(`move to ${targetTypeName}`, targetTypeName, targetState, schemas);
}

function checkTransformation(
  operation: string,
  typeName: string,
  state: Value | undefined,
  schemas: ComponentSchemas,
): readonly Diagnostic[] {
  if (state === undefined || !hasContent(state)) return [violation(operation, transformationRule, "the provider returned no state")];
  return checkObject(operation, transformationRule, resourceBlock(typeName, schemas), state);
}

function checkDataSource(
  { typeName }: ReadDataSourceRequest,
  { state }: ReadDataSourceResponse,
  schemas: ComponentSchemas,
): readonly Diagnostic[] {
  return checkNonNullObject(`read of ${typeName}`, schemas.dataSource(typeName).protocol.block, state);
}

function checkEphemeralResource(
  { typeName }: OpenEphemeralResourceRequest,
  { result }: OpenEphemeralResourceResponse,
  schemas: ComponentSchemas,
): readonly Diagnostic[] {
  return checkNonNullObject(`opening of ${typeName}`, schemas.ephemeralResource(typeName).protocol.block, result);
}

function checkNonNullObject(operation: string, block: Block, value: Value): readonly Diagnostic[] {
  if (value.payload === null) return [violation(operation, nullObjectRule, "the returned object is null")];
  return checkObject(operation, objectRule, block, value);
}

/** Checks that an object is known and has the type of the schema, then that its write-only attributes are null. */
function checkObject(operation: string, rule: Rule, block: Block, value: Value): readonly Diagnostic[] {
  const invalid = violations(operation, rule, assertResultValue(block, value));
  return invalid.length > 0 ? invalid : violations(operation, writeOnlyRule, assertWriteOnlyNull(block, value));
}

function resourceBlock(typeName: string, schemas: ComponentSchemas): Block {
  return schemas.resource(typeName).protocol.block;
}

function violations(operation: string, rule: Rule, broken: readonly RuleViolation[]): readonly Diagnostic[] {
  return broken.map(({ path, message }) => violation(operation, rule, message, path));
}

function violation(operation: string, { requirement, coreError }: Rule, message: string, path: Path = []): Diagnostic {
  const attribute = path.length === 0 ? "" : `${formatPath(path).slice(1)} `;
  const rule = `The rule is that ${requirement}. Terraform and OpenTofu would report "${coreError}". This is a bug in the provider.`;
  return errorDiagnostic("Provider broke a rule of the protocol", `${operation}: ${attribute}${message}.\n\n${rule}`, path);
}
