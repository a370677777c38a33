// SPDX-License-Identifier: Apache-2.0
import type { PluginAddress } from "@tenon/protocol/handshake";
import { formatReattachProviders, reattachVariable } from "@tenon/protocol/reattach";

/**
 * What to type so that Terraform or OpenTofu attach to this process.
 *
 * @param address source address of the provider, as a configuration resolves it
 * @see terraform-plugin-go tf6server/server.go
 */
export function attachInstructions(address: string, protocolVersion: number, listening: PluginAddress): string {
  const value = formatReattachProviders(
    // `test`: the host must not end a process that is not its own.
    new Map([[address, { protocolVersion, pid: process.pid, test: true, address: listening }]]),
  );
  return `Provider started. To attach Terraform or OpenTofu, set this variable where you run it:\n\n\t${assignment(value)}\n\n`;
}

/** The line to type, in the shell of this system. */
function assignment(value: string): string {
  if (process.platform === "win32") return `$env:${reattachVariable}='${value.replaceAll("'", "''")}'`;
  return `export ${reattachVariable}='${value.replaceAll("'", `'"'"'`)}'`;
}
