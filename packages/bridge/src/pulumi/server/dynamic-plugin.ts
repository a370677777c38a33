// SPDX-License-Identifier: Apache-2.0
import { openSelectedProvider } from "../../provider/open-selected-provider.ts";
import type { PluginSettings } from "./plugin-session.ts";

/**
 * The plugin whose provider is a parameter. The engine caches schemas by its version: raise it whenever the mapping of names and types
 * changes.
 */
export const dynamicPlugin: Pick<PluginSettings, "name" | "version" | "openSelected"> = {
  name: "terraform-provider",
  version: "0.1.0",
  openSelected: openSelectedProvider,
};
