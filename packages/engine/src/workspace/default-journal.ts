// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * The path of the journal of a store that has no place for files itself: in the folder for the state of programs of this user
 * (`XDG_STATE_HOME`, by default `~/.local/state`; `LOCALAPPDATA` on Windows). Undefined if the user has no such folder.
 *
 * @param id The {@link StateStore.id} of the store.
 * @see XDG Base Directory Specification
 */
export function defaultJournalPath(
  id: string,
  workspace: string,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const folder = stateFolder(variables);
  if (folder === undefined) return undefined;
  const store = createHash("sha256").update(id).digest("hex").slice(0, 32);
  return join(folder, "tenon", "journals", store, `${encodeURIComponent(workspace)}.journal`);
}

function stateFolder({ XDG_STATE_HOME, LOCALAPPDATA, HOME }: Readonly<Record<string, string | undefined>>): string | undefined {
  if (XDG_STATE_HOME !== undefined && isAbsolute(XDG_STATE_HOME)) return XDG_STATE_HOME;
  if (process.platform === "win32") return LOCALAPPDATA;
  const home = HOME ?? homedir();
  return isAbsolute(home) ? join(home, ".local", "state") : undefined;
}
