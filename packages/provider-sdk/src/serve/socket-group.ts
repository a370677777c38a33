// SPDX-License-Identifier: Apache-2.0
import { chmodSync, chownSync, readFileSync } from "node:fs";

/**
 * Lets a group use a socket, as a host asks with `PLUGIN_UNIX_SOCKET_GROUP`.
 *
 * @throws Error when there is no such group.
 * @see go-plugin server.go, setGroupWritable
 */
export function giveToGroup(path: string, group: string): void {
  chownSync(path, process.getuid?.() ?? -1, /^\d+$/.test(group) ? Number(group) : lookUp(group));
  chmodSync(path, 0o660);
}

/** Node cannot look a group up; its file is the one place every Unix has. */
function lookUp(name: string): number {
  for (const line of readFileSync("/etc/group", "utf8").split("\n")) {
    const [found, , id] = line.split(":");
    if (found === name && id !== undefined) return Number(id);
  }
  throw new Error(`there is no group ${JSON.stringify(name)} in /etc/group, which PLUGIN_UNIX_SOCKET_GROUP asks for`);
}
