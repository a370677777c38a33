// SPDX-License-Identifier: Apache-2.0
import type { Attribute, Block, ProviderFactory } from "@tenon/schema";
import { isArray, isObject, type Json } from "../documents/json.ts";
import type { PlanDocument } from "../documents/plan-document.ts";

const hidden = "(sensitive value)";

/** The sensitive texts among the values of a plan. */
export function sensitiveTexts(plan: PlanDocument | undefined): readonly string[] {
  const changes = [...(plan?.resource_changes ?? []).map(({ change }) => change), ...Object.values(plan?.output_changes ?? {})];
  return changes.flatMap((change) => [
    ...markedTexts(change.before, change.before_sensitive),
    ...markedTexts(change.after, change.after_sensitive),
  ]);
}

/**
 * Returns a function that hides secrets in the lines of a configuration: given texts, and what the configuration assigns to arguments that the schemas
 * of the providers mark as sensitive.
 */
export async function withoutSecrets(
  factories: Readonly<Record<string, ProviderFactory>>,
  texts: readonly string[],
): Promise<(lines: string) => string> {
  const names = new Set<string>();
  for (const factory of Object.values(factories)) for (const name of await sensitiveNames(factory)) names.add(name);
  const assignments = [...names].map((name) => new RegExp(`("?\\b${name}\\b"?\\s*[=:]\\s*)[^\\s].*$`, "gm"));
  const secrets = [...new Set(texts)].filter((text) => text.length > 2).sort((a, b) => b.length - a.length);
  return (lines) => {
    const withoutArguments = assignments.reduce((text, pattern) => text.replaceAll(pattern, `$1${hidden}`), lines);
    return secrets.reduce((text, secret) => text.replaceAll(secret, hidden), withoutArguments);
  };
}

/** Names of the sensitive attributes in all schemas of a provider. A provider that cannot be opened has none; the failure says why. */
async function sensitiveNames(factory: ProviderFactory): Promise<readonly string[]> {
  try {
    await using provider = await factory();
    const { provider: configuration, resources, dataSources, ephemeralResources } = await provider.getProviderSchema({});
    const schemas = [...resources.values(), ...dataSources.values(), ...ephemeralResources.values()];
    return [...(configuration ? [configuration] : []), ...schemas].flatMap(({ block }) => [...namesIn(block)]);
  } catch {
    return [];
  }
}

function* namesIn({ attributes, blocks }: Block): Generator<string> {
  yield* namesAmong(attributes);
  for (const { block } of Object.values(blocks)) yield* namesIn(block);
}

function* namesAmong(attributes: Readonly<Record<string, Attribute>>): Generator<string> {
  for (const [name, { sensitive, nested }] of Object.entries(attributes)) {
    if (sensitive) yield name;
    if (nested !== undefined) yield* namesAmong(nested.attributes);
  }
}

/** The texts in a value that marks cover. */
function markedTexts(value: Json | undefined, marks: Json | undefined): readonly string[] {
  if (marks === undefined || marks === false || value === undefined) return [];
  if (isArray(value))
    return value.flatMap((element, index) => markedTexts(element, marks === true ? true : isArray(marks) ? marks[index] : undefined));
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, part]) =>
      markedTexts(part, marks === true ? true : isObject(marks) ? marks[name] : undefined),
    );
  }
  return marks === true && typeof value === "string" ? [value] : [];
}
