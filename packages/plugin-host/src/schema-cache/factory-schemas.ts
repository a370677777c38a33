// SPDX-License-Identifier: Apache-2.0
import { statSync, type Stats } from "node:fs";
import type { SharedSchemas } from "@tenon/schema/wire/v6";
import type { ProtocolVersion } from "../connection/connection-settings.ts";

/** The schemas that the processes of one factory share, as long as the files of their command do not change. */
export class FactorySchemas {
  #identity = "";
  #shared: SharedSchemas = {};

  /**
   * The schemas for a process.
   *
   * @param identity - of the files that the process ran, from {@link commandIdentity}.
   */
  of(identity: string, protocolVersion: ProtocolVersion): SharedSchemas {
    const own = `${protocolVersion} ${identity}`;
    if (own !== this.#identity) {
      this.#identity = own;
      this.#shared = {};
    }
    return this.#shared;
  }
}

/** Identifies the files of a command: the executable and its arguments, such as a script. Another text means that a file may have changed. */
export function commandIdentity(command: readonly string[]): string {
  return command.map(fileIdentity).join("\n");
}

function fileIdentity(path: string): string {
  const file = statusOf(path);
  return file === undefined ? path : `${path} ${file.dev} ${file.ino} ${file.size} ${file.mtimeMs} ${file.ctimeMs}`;
}

/** The status of a file; undefined if an argument, which can be any text, is not the path of one. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
