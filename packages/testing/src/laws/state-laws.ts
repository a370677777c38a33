// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import { hasErrors, ProviderError, type Attribute, type Block, type RawState, type UpgradeResourceStateResponse } from "@tenon/schema";
import { encodeObject, planChange, storedObject, upgradeObject, validateConfig, type ResourceObject } from "@tenon/schema/lifecycle";
import { hasContent, mapBlock } from "../generate/body.ts";
import { textOf, type Trial } from "./trial.ts";

type Data = Readonly<Record<string, unknown>>;

/** Upgrades the state of an object, which has the current version. */
export async function checkUpgrade(trial: Trial, object: ResourceObject): Promise<void> {
  const { type } = trial.subject;
  const encoded = encodeObject(type, object);
  const outcome = await trial.attempt("the upgrade", () => upgradeObject(type, storedObject(encoded)));
  if (outcome === undefined || !trial.succeeded(outcome.diagnostics, "the upgrade", "upgrade-keeps-state", "upgrade-keeps-state")) return;
  const upgraded = outcome.object!.value;
  if (!trial.expectSame("upgrade-keeps-state", "The upgrade of a state of the current version changes it", object.value, upgraded)) return;

  const data = JSON.parse(encoded.value) as Data;
  const sparse = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
  await checkLenient(trial, object.value, { ...data, removed_long_ago: "x" }, "with an attribute that the schema does not have");
  await checkLenient(trial, object.value, sparse, "without the attributes that are null");
  const withoutBlocks = Object.fromEntries(Object.entries(data).filter(([name, value]) => !isEmptyBlock(type.schema.block, name, value)));
  await checkLenient(trial, object.value, withoutBlocks, "without its empty blocks");
  // Numbers that no double holds are not read from this text.
  if (encoded.value === JSON.stringify(data)) {
    const texts = Object.entries(data).map(([name, value]) => [
      name,
      isTextual(type.schema.block.attributes[name]?.type?.kind) ? textual(value) : value,
    ]);
    await checkLenient(trial, object.value, Object.fromEntries(texts) as Data, "with numbers and booleans as text");
    const digits = Object.entries(data).map(([name, value]) => [name, typeof value === "boolean" ? String(Number(value)) : value]);
    await checkLenient(trial, object.value, Object.fromEntries(digits) as Data, "with booleans as the texts 1 and 0");
  }
  const reversed = Object.entries(data).map(([name, value]) => {
    const isSet = type.schema.block.attributes[name]?.type?.kind === "set";
    return [name, isSet && Array.isArray(value) ? value.toReversed() : value];
  });
  await checkLenient(trial, object.value, Object.fromEntries(reversed) as Data, "with the elements of its sets in another order");
  await checkFlatmap(trial);
}

async function checkLenient(trial: Trial, expected: Value, data: Data, what: string): Promise<void> {
  const response = await upgrade(trial, trial.subject.type.schema.version, { json: new TextEncoder().encode(JSON.stringify(data)) }, what);
  if (response === undefined) return;
  if (hasErrors(response.diagnostics)) {
    return trial.violate("upgrade-lenient", `The upgrade of a state ${what} fails:\n${textOf(response.diagnostics)}`);
  }
  if (response.upgradedState === undefined) return trial.violate("upgrade-lenient", `The upgrade of a state ${what} returns no state.`);
  trial.expectSame("upgrade-lenient", `The upgrade of a state ${what} returns another state`, expected, response.upgradedState);
}

/** States before Terraform 0.12 are flat maps. A provider refuses them, or converts them. */
async function checkFlatmap(trial: Trial): Promise<void> {
  const response = await upgrade(trial, 0, { flatmap: { id: "1" } }, "that is a flat map");
  if (response === undefined || hasErrors(response.diagnostics)) return;
  if (response.upgradedState === undefined || !isWhollyKnown(response.upgradedState)) {
    trial.violate("upgrade-lenient", "The upgrade of a state that is a flat map returns neither a state nor an error.");
  }
}

async function upgrade(trial: Trial, version: number, rawState: RawState, what: string): Promise<UpgradeResourceStateResponse | undefined> {
  const { type } = trial.subject;
  return await trial.attempt("the upgrade", async () => {
    try {
      return await type.provider.upgradeResourceState({ typeName: type.typeName, version, rawState });
    } catch (error) {
      if (!(error instanceof ProviderError) || error.code !== "INVALID_RESPONSE") throw error;
      // The call succeeded, but the provider returned the stored state without an upgrade.
      trial.violate("upgrade-lenient", `The upgrade of a state ${what} returns a state that does not fit the schema: ${error.message}`);
      return undefined;
    }
  });
}

/** Generates a configuration from the state of an object, and plans it. */
export async function checkGeneratedConfiguration(trial: Trial, object: ResourceObject): Promise<void> {
  const { type } = trial.subject;
  if (!type.capabilities.generateResourceConfig) return;
  const what = "the generated configuration";
  const response = await trial.attempt(what, () => type.provider.generateResourceConfig({ typeName: type.typeName, state: object.value }));
  if (response === undefined || !trial.succeeded(response.diagnostics, what, "generated-configuration", "generated-configuration")) return;
  const config = response.config!;
  const diagnostics = await trial.attempt(what, () => validateConfig(type, config));
  if (diagnostics === undefined) return;
  if (hasErrors(diagnostics)) {
    // Write-only attributes are in no state, and what is deprecated is left out, so that one that is required is missing.
    if (needsMore(type.schema.block)) return void trial.outcomes.push("the generated configuration is not complete");
    return trial.violate("generated-configuration", `The generated configuration is invalid:\n${textOf(diagnostics)}`);
  }
  mapBlock(type.schema.block, config, ({ attribute, at }, value, inside) => {
    if (attribute?.deprecated && attribute.optional && hasContent(value))
      trial.violate("generated-configuration", `The generated configuration sets ${at}, which is deprecated.`);
    return inside();
  });
  const outcome = await trial.attempt(what, () => planChange(type, { config, prior: object, configValidated: true }));
  if (outcome === undefined || !trial.succeeded(outcome.diagnostics, what, "valid-plan", "can-plan")) return;
  if (outcome.planned!.action !== "noOp" && !mayDrop(type.schema.block, object.value)) {
    trial.expectSame(
      "generated-configuration",
      "The plan of the generated configuration changes the object",
      object.value,
      outcome.planned!.after,
    );
  }
}

/** Whether a state may lack a required argument: one that is write-only, or deprecated. */
function needsMore({ attributes, blocks }: Pick<Block, "attributes" | "blocks">): boolean {
  const isMissing = ({ required, writeOnly, deprecated, nested }: Attribute): boolean =>
    (required && (writeOnly || deprecated)) || (nested !== undefined && Object.values(nested.attributes).some(isMissing));
  return Object.values(attributes).some(isMissing) || Object.values(blocks).some(({ block }) => needsMore(block));
}

/** Whether a value is the empty collection of a repeated block without elements. */
function isEmptyBlock({ blocks }: Block, name: string, value: unknown): boolean {
  return Object.hasOwn(blocks, name) && typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Whether a generated configuration may lack a value of the state: a deprecated one, or an empty text, which many providers return for an absent one. */
function mayDrop(block: Block, state: Value): boolean {
  let mayDrop = false;
  mapBlock(block, state, ({ attribute, block: nested }, value, inside) => {
    const isDeprecated = attribute?.deprecated ?? nested?.block.deprecated ?? false;
    if ((isDeprecated && hasContent(value)) || value.payload === "") mayDrop = true;
    return inside();
  });
  return mayDrop;
}

function isTextual(kind: string | undefined): boolean {
  return kind === "number" || kind === "bool";
}

function textual(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}
