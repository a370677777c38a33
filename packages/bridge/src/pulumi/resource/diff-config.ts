// SPDX-License-Identifier: Apache-2.0
import type { ComponentMapping } from "../mapping/mapping.ts";
import type { PropertyMap } from "../property/property-value.ts";
import { propertiesEqual } from "../values/property-equality.ts";
import type { PropertyChange } from "./detailed-diff.ts";
import type { ResourceDiff } from "./diff-resource.ts";
import { decodedConfig } from "./provider-config.ts";

/** Compares two configurations of a provider. A changed configuration never replaces the provider. */
export function diffConfig(config: ComponentMapping, olds: PropertyMap, news: PropertyMap): ResourceDiff {
  const before = decodedConfig(config, olds);
  const after = decodedConfig(config, news);
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !propertiesEqual(before.get(name), after.get(name)));
  const properties = names.map((name): PropertyChange => ({
    path: [name],
    kind: !before.has(name) ? "add" : after.has(name) ? "update" : "delete",
    replaces: false,
  }));
  return { changes: names.length === 0 ? "none" : "some", properties, replaces: false, deleteBeforeReplace: false };
}
