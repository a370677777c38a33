// SPDX-License-Identifier: Apache-2.0
import type { CliFlavour } from "../cli-config/cli-config.ts";
import { formatVersion, type Version } from "../version/version.ts";
import { formatConstraints, type VersionConstraints } from "../version/version-constraints.ts";
import { formatAddress, type SourceAddress } from "../address/source-address.ts";

/** Entry of one provider in `.terraform.lock.hcl`. */
export interface ProviderLock {
  readonly address: SourceAddress;
  readonly version: Version;
  /** The constraints with which the version was selected; empty if there were none. */
  readonly constraints: VersionConstraints;
  /** Accepted hashes of the package. Hashes of unknown kinds are kept. */
  readonly hashes: readonly string[];
}

/** A whole lock file: one entry for each provider, by its full address. */
export type ProviderLocks = ReadonlyMap<string, ProviderLock>;

/**
 * Returns the text of a lock file, with the same bytes as the CLI writes.
 *
 * @see OpenTofu internal/depsfile, SaveLocksToBytes
 *
 * @example
 * formatLockFile(new Map(), "opentofu").split("\n")[0];
 * // => '# This file is maintained automatically by "tofu init".'
 */
export function formatLockFile(locks: ProviderLocks, flavour: CliFlavour): string {
  const command = flavour === "opentofu" ? "tofu init" : "terraform init";
  const header = `# This file is maintained automatically by "${command}".\n# Manual edits may be lost in future updates.\n`;
  return header + [...locks.values()].sort(compareLocks).map(formatLock).join("");
}

function formatLock({ address, version, constraints, hashes }: ProviderLock): string {
  const required = formatConstraints(constraints);
  const sorted = [...new Set(hashes)].sort((left, right) => (left < right ? -1 : 1));
  // Equals signs are aligned, as the CLI's formatter does, except before a list of several lines.
  const lines = [
    "",
    `provider "${formatAddress(address)}" {`,
    `  ${"version".padEnd(required === "" ? 0 : "constraints".length)} = "${formatVersion(version)}"`,
    ...(required === "" ? [] : [`  constraints = "${required}"`]),
    ...(sorted.length === 0 ? [] : ["  hashes = [", ...sorted.map((hash) => `    "${hash}",`), "  ]"]),
    "}",
    "",
  ];
  return lines.join("\n");
}

function compareLocks({ address: left }: ProviderLock, { address: right }: ProviderLock): number {
  const keys = ["hostname", "namespace", "type"] as const;
  const key = keys.find((one) => left[one] !== right[one]);
  return key === undefined ? 0 : left[key] < right[key] ? -1 : 1;
}
