// SPDX-License-Identifier: Apache-2.0
import { chmodSync, chownSync, readFileSync } from "node:fs";

/**
 * Gives a group access to a socket, for `PLUGIN_UNIX_SOCKET_GROUP`.
 *
 * @throws Error when the group does not exist.
 * @see go-plugin server.go, setGroupWritable
 */
export function giveToGroup(path: string, group: string): void {
  chownSync(path, process.getuid?.() ?? -1, /^\d+$/.test(group) ? Number(group) : lookUp(group));
  chmodSync(path, 0o660);
}

/** Looks up a group's id in `/etc/group`, because Node has no function for it. */
function lookUp(name: string): number {
  for (const line of readFileSync("/etc/group", "utf8").split("\n")) {
    const [found, , id] = line.split(":");
    if (found === name && id !== undefined) return Number(id);
  }
  throw new Error(`there is no group ${JSON.stringify(name)} in /etc/group; PLUGIN_UNIX_SOCKET_GROUP must name an existing group`);
}
