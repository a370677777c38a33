// SPDX-License-Identifier: Apache-2.0
// Required providers, and the configurations of providers in the root module.
import type { Block, Entry } from "./block.ts";
import type { Draft } from "./draft.ts";
import type { Item } from "./module.ts";
import { makeVariable } from "./named-values.ts";
import type { PeerProvider } from "./peer-types.ts";

/** Names of the configurations of the tfcoremock example beside the default one. */
export type ProviderAlias = "other" | "each";

/** The keys of the provider configuration with `for_each`, in every step. Others come and go. */
export const providerKeys: readonly string[] = ["a", "b", "c", "key one"];

/** Makes the `required_providers` block of a module. */
export function requirements({ types, peers }: Draft): Item {
  const required: Block = { header: "required_providers", entries: [] };
  for (const provider of new Set(types.flatMap((type) => type.provider ?? []))) {
    const source = peers.find(({ name }) => name === provider)?.source ?? `hashicorp/${provider}`;
    required.entries.push({ name: provider, expression: `{ source = "${source}" }` });
  }
  return { id: "terraform", sort: "provider", block: { header: "terraform", entries: [required] }, exports: [] };
}

/** Makes a configuration of the tfcoremock example. */
export function mockProvider(draft: Draft, alias?: ProviderAlias): Item {
  const entries: Entry[] = [
    ...(alias === undefined ? [] : [{ name: "alias", expression: JSON.stringify(alias) }]),
    ...(alias === "each" ? [{ name: "for_each", expression: providerSet(draft) }] : []),
    { name: "resource_directory", expression: '"${path.cwd}/objects"' },
    { name: "data_directory", expression: '"${path.cwd}/objects"' },
  ];
  if (alias !== undefined) draft.constructs.add(alias === "each" ? "provider for_each" : "provider alias");
  return { id: alias ?? "default", sort: "provider", block: { header: 'provider "tfcoremock"', entries }, exports: [] };
}

function providerSet({ random }: Draft): string {
  const keys = JSON.stringify([...providerKeys, ...(random.chance(0.3) ? ["spare"] : [])]);
  return random.chance(0.5) ? `toset(${keys})` : `{ for key in ${keys} : key => upper(key) }`;
}

/** Whether the root module has a configuration of the tfcoremock example with an alias. */
export function hasAlias({ root }: Draft, alias: ProviderAlias): boolean {
  return root.items.some(({ sort, id }) => sort === "provider" && id === alias);
}

/** Makes a resource to which the configuration of a provider refers. It changes from step to step, so that the configuration waits for it. */
export function providerSource({ random, constructs }: Draft): Item {
  constructs.add("provider that refers to a resource");
  const text = JSON.stringify(random.pick(["one", "two", "three"]));
  const lifecycle: Block = { header: "lifecycle", entries: [{ name: "create_before_destroy", expression: "true" }] };
  const entries: Entry[] = [
    { name: random.chance(0.5) ? "input" : "triggers_replace", expression: text },
    ...(random.chance(0.3) ? [lifecycle] : []),
  ];
  const facts = { kind: "string", known: false, sensitive: false } as const;
  return {
    id: "source",
    sort: "provider",
    block: { header: 'resource "terraform_data" "source"', entries },
    exports: [{ text: "terraform_data.source.id", isRandom: true, ...facts }],
  };
}

/** The configuration of a Go provider, and an ephemeral variable or a resource that it may refer to. */
export function peerProvider(draft: Draft, { name, folder, secret }: PeerProvider): readonly Item[] {
  const { random } = draft;
  const entries: Entry[] = folder === undefined ? [] : [{ name: folder, expression: `"\${path.cwd}/objects/${name}"` }];
  const items: Item[] = [];
  if (secret !== undefined && random.chance(0.6)) {
    const variable = makeVariable(draft, "string", { inChild: false, isEphemeral: true });
    items.push(variable);
    if (random.chance(0.6)) entries.push({ name: secret, expression: `var.${variable.id}` });
  } else if (secret !== undefined && random.chance(0.5)) {
    items.push(providerSource(draft));
    entries.push({ name: secret, expression: "terraform_data.source.id" });
  }
  return [...items, { id: name, sort: "provider", block: { header: `provider "${name}"`, entries }, exports: [] }];
}
