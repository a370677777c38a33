// SPDX-License-Identifier: Apache-2.0
import { isKnown, isNull, isWhollyKnown, type Path, type Value } from "@tenon/cty";
import { encodeType, toTree } from "@tenon/cty/json";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { schemaMarks } from "../marks/object-marks.ts";
import { formatModuleInstance } from "../address/module.ts";
import { formatProvider } from "../address/provider.ts";
import { formatResourceInstance, isSameResourceInstance } from "../address/resource.ts";
import type {
  DeferralReason,
  ChangeAction,
  Drift,
  OutputChange,
  PlannedChanges,
  RelevantAttribute,
  ResourceChange,
} from "../change/planned-changes.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { JsonTree } from "../state/json-tree.ts";
import { isEmptyState } from "../state/state.ts";
import { checksJson } from "./checks-json.ts";
import { inSetOrder } from "./path-set-order.ts";
import { configurationJson } from "./configuration-json.ts";
import type { ConfigurationSchemas } from "./configuration-schemas.ts";
import { moduleTree } from "./module-tree.ts";
import { stateJson, type JsonDocument, type SchemaLookup } from "./state-json.ts";
import { knownParts, pathJson, sensitiveParts, unknownParts } from "./value-json.ts";

/** Input of {@link planJson} beside the plan. */
export interface PlanJsonInput {
  readonly configuration: Configuration;
  /** The given values of the root module's variables, without marks. The document has no values of ephemeral variables. */
  readonly variables: ReadonlyMap<string, Value>;
  readonly schemas: ConfigurationSchemas;
  readonly terraformVersion: string;
}

const actions: Readonly<Record<ChangeAction, readonly string[]>> = {
  noOp: ["no-op"],
  create: ["create"],
  read: ["read"],
  update: ["update"],
  delete: ["delete"],
  forget: ["forget"],
  deleteThenCreate: ["delete", "create"],
  createThenDelete: ["create", "delete"],
  forgetThenCreate: ["forget", "create"],
};

const deferralReasons: Readonly<Record<DeferralReason, string>> = {
  unknown: "unknown",
  resourceConfigUnknown: "resource_config_unknown",
  providerConfigUnknown: "provider_config_unknown",
  absentPrerequisite: "absent_prereq",
  deferredPrerequisite: "deferred_prereq",
  instanceCountUnknown: "instance_count_unknown",
};

/** A plan as `tofu show -json` prints it, format version 1.2. @see OpenTofu jsonplan */
export function planJson(plan: PlannedChanges, input: PlanJsonInput): JsonDocument {
  const { configuration, terraformVersion } = input;
  const { resource: schemas } = input.schemas;
  const drift = plan.mode === "refreshOnly" ? plan.drift : plan.drift.filter(({ action }) => action !== "noOp");
  const changes = plan.resources.filter(({ address, action }) => address.instance.resource.mode !== "data" || action !== "delete");
  const variables = variablesJson(input);
  const { deferred = [] } = plan;
  return {
    format_version: "1.2",
    terraform_version: terraformVersion,
    ...(Object.keys(variables).length > 0 && { variables }),
    planned_values: { ...plannedOutputs(plan), root_module: moduleTree(plannedResources(plan, schemas)) },
    ...(drift.length > 0 && { resource_drift: drift.map((one) => changeJson(one, schemas)) }),
    ...(changes.length > 0 && { resource_changes: changes.map((change) => changeJson(change, schemas)) }),
    // OpenTofu has no deferred changes. The format is Terraform's.
    ...(deferred.length > 0 && {
      deferred_changes: deferred.map(({ reason, change }) => ({
        reason: deferralReasons[reason],
        resource_change: changeJson(change, schemas),
      })),
    }),
    ...(plan.outputs.length > 0 && { output_changes: Object.fromEntries(plan.outputs.map((one) => [one.name, outputJson(one)])) }),
    ...(!isEmptyState(plan.priorState) && {
      prior_state: stateJson({ ...plan.priorState, checkResults: undefined }, schemas, terraformVersion),
    }),
    configuration: configurationJson(configuration, input.schemas),
    ...relevantAttributesJson(plan.relevantAttributes()),
    ...(plan.checks.length > 0 && { checks: checksJson(plan.checks) }),
    timestamp: `${plan.timestamp.toISOString().slice(0, 19)}Z`,
    errored: plan.errored,
  };
}

function relevantAttributesJson(attributes: readonly RelevantAttribute[]): JsonDocument {
  if (attributes.length === 0) return {};
  const shown = attributes.map(({ resource, attribute }) => ({
    resource: formatResourceInstance(resource),
    attribute: pathJson(attribute),
  }));
  return { relevant_attributes: shown };
}

function variablesJson({ configuration, variables }: PlanJsonInput): JsonDocument {
  const shown: [string, JsonTree][] = [];
  for (const [name, variable] of configuration.module.variables) {
    // A default is part of the configuration, so it is shown also for an ephemeral variable.
    const value = (variable.ephemeral === true ? undefined : variables.get(name)) ?? variable.default;
    if (value !== undefined) shown.push([name, { value: toTree(value, value.type) }]);
  }
  return Object.fromEntries(shown);
}

function plannedOutputs({ outputs }: PlannedChanges): JsonDocument {
  const planned = outputs.filter(({ action }) => action !== "delete");
  if (planned.length === 0) return {};
  return {
    outputs: Object.fromEntries(
      planned.map(({ name, action, before, after: wanted, sensitive }) => {
        // For an unchanged output, a saved plan records only the value before the change.
        const after = action === "noOp" ? before : wanted;
        return [
          name,
          {
            sensitive,
            ...(isWhollyKnown(after) && { value: toTree(after, after.type), type: JSON.parse(encodeType(after.type)) as JsonTree }),
          },
        ];
      }),
    ),
  };
}

function* plannedResources(
  { resources }: PlannedChanges,
  schemas: SchemaLookup,
): Generator<readonly [ResourceChange["address"]["instance"]["module"], JsonTree]> {
  const shown = resources.filter(({ address, action }) => address.deposed === undefined && action !== "delete");
  const byAddress = shown.map((change) => [formatResourceInstance(change.address.instance), change] as const);
  for (const [address, { address: object, after, afterMarks, afterIdentity, provider, type }] of byAddress.sort(([a], [b]) =>
    compareCodePoints(a, b),
  )) {
    const { module, resource, key } = object.instance;
    const schema = schemas(provider.config.provider, resource);
    yield [
      module,
      {
        address,
        mode: resource.mode,
        type: resource.type,
        name: resource.name,
        ...(key !== undefined && { index: key }),
        provider_name: formatProvider(provider.config.provider),
        schema_version: schema?.version ?? 0,
        ...valuesOf(after),
        sensitive_values: sensitiveParts(after, afterMarks),
        ...plannedIdentity(afterIdentity, type),
      },
    ];
  }
}

function plannedIdentity(identity: Value | undefined, type: ResourceChange["type"]): JsonDocument {
  const shown = identityJson("identity", identity);
  return Object.keys(shown).length === 0 ? {} : { ...shown, identity_schema_version: type?.identitySchema?.version ?? 0 };
}

function valuesOf(after: Value): JsonDocument {
  const values = isNull(after) ? undefined : knownParts(after);
  return values === undefined || values === null || Object.keys(values).length === 0 ? {} : { values };
}

function changeJson(change: ResourceChange | Drift, schemas: SchemaLookup): JsonTree {
  const { address, previousAddress, provider, action } = change;
  const { module, resource, key } = address.instance;
  const reason = "reason" in change ? change.reason : undefined;
  return {
    address: formatResourceInstance(address.instance),
    ...(!isSameResourceInstance(address.instance, previousAddress) && { previous_address: formatResourceInstance(previousAddress) }),
    ...(module.length > 0 && { module_address: formatModuleInstance(module) }),
    mode: resource.mode,
    type: resource.type,
    name: resource.name,
    ...(key !== undefined && { index: key }),
    provider_name: formatProvider(provider.config.provider),
    ...(address.deposed !== undefined && { deposed: address.deposed }),
    change: { actions: actions[action], ...valuesJson(change, schemas) },
    ...(reason !== undefined && { action_reason: reason }),
  };
}

function valuesJson(change: ResourceChange | Drift, schemas: SchemaLookup): JsonDocument {
  const { before, after, beforeMarks, afterMarks } = change;
  const block = schemas(change.provider.config.provider, change.address.instance.resource)?.block;
  const marked = (value: Value, marks: typeof beforeMarks): JsonTree =>
    sensitiveParts(value, marks, block === undefined ? [] : schemaMarks(block, value));
  const full = "requiresReplace" in change ? change : undefined;
  return {
    before: toTree(before, before.type),
    after: knownParts(after) ?? null,
    after_unknown: isWhollyKnown(after) ? {} : unknownParts(after),
    before_sensitive: marked(before, beforeMarks),
    after_sensitive: marked(after, afterMarks),
    ...(full !== undefined && full.requiresReplace.length > 0 && { replace_paths: replacePaths(full.requiresReplace) }),
    ...(full?.importing && { importing: importingJson(full.importing) }),
    ...(full?.generatedConfig !== undefined && { generated_config: full.generatedConfig }),
    ...identityJson("before_identity", change.beforeIdentity),
    ...identityJson("after_identity", change.afterIdentity),
  };
}

function replacePaths(paths: readonly Path[]): JsonTree {
  return inSetOrder(paths).map(pathJson);
}

function importingJson(importing: NonNullable<ResourceChange["importing"]>): JsonTree {
  return "id" in importing ? { id: importing.id } : { identity: toTree(importing.identity, importing.identity.type) };
}

function identityJson(name: string, identity: Value | undefined): JsonDocument {
  return identity === undefined || isNull(identity) || !isWhollyKnown(identity) ? {} : { [name]: toTree(identity, identity.type) };
}

function outputJson({ action, before, after, sensitive }: OutputChange): JsonTree {
  return {
    actions: actions[action],
    before: toTree(before, before.type),
    ...(isKnown(after) && { after: knownParts(after) ?? null }),
    after_unknown: isWhollyKnown(after) ? false : unknownParts(after),
    before_sensitive: sensitive,
    after_sensitive: sensitive,
  };
}
