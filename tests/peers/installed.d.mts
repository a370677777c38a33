// SPDX-License-Identifier: Apache-2.0
/** Looks on PATH for a peer that is used when present; undefined when it is absent or does not report its version. */
export function findInstalled(name: "terraform" | "kubectl" | "pulumi"): { name: string; version: string; path: string } | undefined;
