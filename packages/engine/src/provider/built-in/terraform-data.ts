// SPDX-License-Identifier: Apache-2.0
import {
  CtyError,
  dynamic,
  get,
  isKnown,
  isNull,
  map,
  nullOf,
  object,
  objectOf,
  of,
  refine,
  same,
  string,
  unknown,
  type Value,
} from "@tenon/cty";
import { decode } from "@tenon/cty/json";
import { elements } from "@tenon/cty/operators";
import {
  createAttribute,
  createSchema,
  errorDiagnostic,
  impliedType,
  type ApplyResourceChangeRequest,
  type ApplyResourceChangeResponse,
  type DiagnosticsResponse,
  type ImportResourceStateRequest,
  type ImportResourceStateResponse,
  type MoveResourceStateRequest,
  type MoveResourceStateResponse,
  type PlanResourceChangeRequest,
  type PlanResourceChangeResponse,
  type RawState,
  type Schema,
  type UpgradeResourceStateRequest,
  type UpgradeResourceStateResponse,
  type ValidateResourceConfigRequest,
} from "@tenon/schema";
import { textOf } from "../../configuration/literal.ts";

/** Schema of `terraform_data`: a resource that keeps values. */
export const terraformDataSchema: Schema = createSchema({
  attributes: {
    input: createAttribute({ type: dynamic, optional: true }),
    output: createAttribute({ type: dynamic, computed: true }),
    triggers_replace: createAttribute({ type: dynamic, optional: true }),
    id: createAttribute({ type: string, computed: true }),
  },
});

const objectType = impliedType(terraformDataSchema.block);
const nothing = new Uint8Array();

/** An object with the given attributes; the others are null. */
function objectWith(attributes: ReadonlyMap<string, Value>): Value {
  const absent = objectType.names.map((name) => [name, nullOf(name === "id" ? string : dynamic)] as const);
  return objectOf(new Map([...absent, ...attributes]));
}

function attributesOf(value: Value): Map<string, Value> {
  return new Map(objectType.names.map((name) => [name, get(value, name)]));
}

/** Rejects configurations that set computed attributes. The core does not check this. */
export function validateTerraformData({ config }: ValidateResourceConfigRequest): DiagnosticsResponse {
  const set = isNull(config) ? [] : ["id", "output"].filter((name) => !isNull(get(config, name)));
  return { diagnostics: set.map((name) => errorDiagnostic(`"${name}" attribute is read-only`, "")) };
}

/** Reads a stored object. There is one version of the schema. */
export function upgradeTerraformData({ rawState }: UpgradeResourceStateRequest): UpgradeResourceStateResponse {
  const { value, error } = decoded(rawState, objectType);
  return value === undefined ? { diagnostics: [errorDiagnostic(error, "")] } : { upgradedState: value, diagnostics: [] };
}

/** Converts a `null_resource`: its `triggers` become `triggers_replace`. */
export function moveTerraformData(request: MoveResourceStateRequest): MoveResourceStateResponse {
  const { sourceTypeName, targetTypeName, sourceState, sourcePrivate } = request;
  const refused = (summary: string): MoveResourceStateResponse => ({
    targetPrivate: nothing,
    diagnostics: [errorDiagnostic(summary, "")],
  });
  if (sourceTypeName !== "null_resource" || targetTypeName !== "terraform_data") {
    return refused(`unsupported move: ${sourceTypeName} -> ${targetTypeName}; only move from null_resource to terraform_data is supported`);
  }
  const { value, error } = decoded(sourceState, object({ id: string, triggers: map(string) }));
  if (value === undefined) return refused(error);
  const moved = new Map<string, Value>();
  const triggers = get(value, "triggers");
  if (!isNull(triggers)) {
    const entries = elements(triggers).map(([key, element]) => [textOf(key), element] as const);
    moved.set("triggers_replace", objectOf(new Map(entries)));
  }
  moved.set("id", get(value, "id"));
  return { targetState: objectWith(moved), targetPrivate: sourcePrivate, diagnostics: [] };
}

function decoded(raw: RawState, type: typeof objectType): { readonly value?: Value; readonly error: string } {
  try {
    return { value: decode(new TextDecoder().decode(raw.json), type), error: "" };
  } catch (error) {
    if (error instanceof CtyError) return { error: error.message };
    throw error;
  }
}

/** Plans a change: `output` follows `input`; a change of `triggers_replace` replaces the object. */
export function planTerraformData({ priorState, proposedNewState, priorPrivate }: PlanResourceChangeRequest): PlanResourceChangeResponse {
  if (isNull(proposedNewState)) {
    return { plannedState: proposedNewState, requiresReplace: [], plannedPrivate: priorPrivate, diagnostics: [] };
  }
  const planned = attributesOf(proposedNewState);
  const [input, triggers] = [planned.get("input")!, planned.get("triggers_replace")!];
  const isCreated = isNull(priorState);
  const isReplaced = !isCreated && !same(get(priorState, "triggers_replace"), triggers);
  if (isCreated || isReplaced) {
    planned.set("id", refine(unknown(string), { notNull: true }));
    planned.set("output", isNull(input) ? input : unknown(input.type));
  } else if (!same(get(priorState, "input"), input)) planned.set("output", unknown(input.type));
  return {
    plannedState: objectOf(planned),
    requiresReplace: isReplaced ? [[{ kind: "attribute", name: "triggers_replace" }]] : [],
    plannedPrivate: priorPrivate,
    diagnostics: [],
  };
}

/** Applies a planned change: unknown attributes get their values. */
export function applyTerraformData(
  { plannedState, plannedPrivate }: ApplyResourceChangeRequest,
  randomBytes: (count: number) => Uint8Array,
): ApplyResourceChangeResponse {
  if (isNull(plannedState)) return { newState: plannedState, private: plannedPrivate, diagnostics: [] };
  const created = attributesOf(plannedState);
  if (!isKnown(created.get("output")!)) created.set("output", created.get("input")!);
  if (!isKnown(created.get("id")!)) created.set("id", of(string, randomId(randomBytes)));
  return { newState: objectOf(created), private: plannedPrivate, diagnostics: [] };
}

/** Formats sixteen random bytes like a UUID, but without a version, as OpenTofu does. */
function randomId(randomBytes: (count: number) => Uint8Array): string {
  const digits = Buffer.from(randomBytes(16)).toString("hex");
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join("-");
}

/** Imports an object that has only its id. */
export function importTerraformData({ typeName, id }: ImportResourceStateRequest): ImportResourceStateResponse {
  const state = objectWith(new Map([["id", of(string, id)]]));
  return { importedResources: [{ typeName, state, private: nothing }], diagnostics: [] };
}
