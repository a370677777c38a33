// SPDX-License-Identifier: Apache-2.0
import type { PluginAddress } from "@tenon/protocol/handshake";
import { formatReattachProviders, reattachVariable } from "@tenon/protocol/reattach";

/**
 * Returns the text that tells the author how to attach Terraform or OpenTofu to this process.
 *
 * @param address source address of the provider, as a configuration resolves it
 * @see terraform-plugin-go tf6server/server.go
 */
export function attachInstructions(address: string, protocolVersion: number, listening: PluginAddress): string {
  const value = formatReattachProviders(
    // `test: true` makes the host leave this process running at the end of its run.
    new Map([[address, { protocolVersion, pid: process.pid, test: true, address: listening }]]),
  );
  return `Provider started. To attach Terraform or OpenTofu, set this variable where you run it:\n\n\t${assignment(value)}\n\n`;
}

/** Returns a hint for a provider without a source address: the address that attaches to it, and how to set one. */
export function missingAddressAdvice(name: string): string {
  return (
    `No source address is known, so only configurations with source = "hashicorp/${name}" attach to this process.\n` +
    `Give serve() the address that your configuration has: serve(load, { address: "example.com/namespace/${name}" }).\n\n`
  );
}

/** Returns the command that sets the variable in this system's shell. */
function assignment(value: string): string {
  if (process.platform === "win32") return `$env:${reattachVariable}='${value.replaceAll("'", "''")}'`;
  return `export ${reattachVariable}='${value.replaceAll("'", `'"'"'`)}'`;
}
