// SPDX-License-Identifier: Apache-2.0
import type { PluginSettings } from "./plugin-session.ts";

/**
 * The plugin whose provider is a parameter. The engine caches schemas by its version: raise it whenever the mapping of names and types
 * changes.
 */
export const dynamicPlugin: Pick<PluginSettings, "name" | "version"> = { name: "terraform-provider", version: "0.1.0" };
