// SPDX-License-Identifier: Apache-2.0
import type { ComponentMapping } from "../mapping/mapping.ts";
import { isPropertyArray, isPropertyMap, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { isUnknown, propertiesEqual } from "../values/property-equality.ts";
import type { PropertyPath } from "../values/property-path.ts";
import { plain } from "../values/provider-value.ts";
import type { ChangeKind, PropertyChange } from "./detailed-diff.ts";
import type { ResourceDiff } from "./diff-resource.ts";
import { withIgnoredProperties } from "./ignored-properties.ts";
import { decodedConfig } from "./provider-config.ts";

/**
 * Compares two configurations of a provider. A changed configuration never replaces the provider, because the schema does not say which settings
 * select other objects. In the Go bridge, too, only providers that it knows in advance can be replaced.
 *
 * @see pulumi-terraform-bridge pkg/tfbridge/provider.go, configDiffer
 */
export function diffConfig(config: ComponentMapping, olds: PropertyMap, news: PropertyMap, ignoreChanges: readonly string[]): ResourceDiff {
  const before = decodedConfig(config, olds);
  const after = withIgnoredProperties(before, decodedConfig(config, news), ignoreChanges);
  const properties: PropertyChange[] = [];
  compareMaps(before, after, [], properties);
  return { changes: properties.length === 0 ? "none" : "some", properties, replaces: false, deleteBeforeReplace: false };
}

function compareMaps(before: PropertyMap, after: PropertyMap, path: PropertyPath, changes: PropertyChange[]): void {
  for (const name of new Set([...before.keys(), ...after.keys()])) compare(before.get(name), after.get(name), [...path, name], changes);
}

function compare(left: PropertyValue | undefined, right: PropertyValue | undefined, path: PropertyPath, changes: PropertyChange[]): void {
  const before = plain(left) ?? null;
  const after = plain(right) ?? null;
  if ((isUnknown(before) && isUnknown(after)) || propertiesEqual(before, after)) return;
  if (isPropertyMap(before) && isPropertyMap(after)) return compareMaps(before, after, path, changes);
  if (isPropertyArray(before) && isPropertyArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
      compare(before[index], after[index], [...path, index], changes);
    }
    return;
  }
  const kind: ChangeKind = before === null ? "add" : after === null ? "delete" : "update";
  changes.push({ path, kind, replaces: false });
}
