// SPDX-License-Identifier: Apache-2.0
import type { KindMapping } from "./mapping.ts";

/** Whether a text is the name of a version, such as `v1`, `v1beta2` or `v1alpha1`. */
export function isApiVersion(text: string): boolean {
  return /^v[1-9][0-9]*(?:(?:alpha|beta)[1-9][0-9]*)?$/.test(text);
}

/** Returns the version of a kind: that of its rules, or else the one of all kinds. */
export function kindVersion({ rules }: Pick<KindMapping, "rules">, ofAll = "v1alpha1"): string {
  return rules.version ?? ofAll;
}

/** Returns the mapping of a kind with another version. */
export function withVersion(kind: KindMapping, version: string): KindMapping {
  return { ...kind, rules: { ...kind.rules, version } };
}
