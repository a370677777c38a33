// SPDX-License-Identifier: Apache-2.0
import type { ResourceRules } from "./resource-rules.ts";

/** Whether a text is the name of a version, such as `v1`, `v1beta2` or `v1alpha1`. */
export function isApiVersion(text: string): boolean {
  return /^v[1-9][0-9]*(?:(?:alpha|beta)[1-9][0-9]*)?$/.test(text);
}

/** A mapping whose rules may choose a version. */
interface Versioned {
  readonly rules: Pick<ResourceRules, "version" | "moves">;
}

/** Returns the version of a kind: that of its rules, or else the one of all kinds. */
export function kindVersion({ rules }: Pick<Versioned, "rules">, ofAll = "v1alpha1"): string {
  return rules.version ?? ofAll;
}

/** Returns the mapping of a kind with another version. */
export function withVersion<Mapping extends Versioned>(kind: Mapping, version: string): Mapping {
  return { ...kind, rules: { ...kind.rules, version } };
}

/** The later one of two versions: `v1` is later than `v1beta2`, which is later than `v1beta1` and `v1alpha3`. */
export function laterVersion(one: string, other: string): string {
  const [a, b] = [versionOrder(one), versionOrder(other)];
  const difference = a.map((part, at) => part - b[at]!).find((part) => part !== 0) ?? 0;
  return difference >= 0 ? one : other;
}

/** Numbers that order a version: its major number, its stability, and the number of its preview. */
function versionOrder(version: string): readonly [major: number, stability: number, preview: number] {
  const [, major, stability = "stable", preview] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version)!;
  return [Number(major), ["alpha", "beta", "stable"].indexOf(stability), Number(preview ?? 0)];
}
