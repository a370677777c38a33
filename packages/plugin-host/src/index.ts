// SPDX-License-Identifier: Apache-2.0
/**
 * Drives providers that run in processes of their own.
 *
 * @module
 */
export { launchProvider } from "./launch/launch-provider.ts";
export type { CallSettings, LaunchOptions, LogSettings, ProtocolVersion } from "./launch/launch-options.ts";
export { attachProvider, type AttachedProvider, type AttachOptions, reattachProviders } from "./attach/attach-provider.ts";
export type { LaunchedProvider, StartupTimes } from "./provider/launched-provider.ts";
export type { LogRecord } from "./output/log-record.ts";
export { PluginHostError, type PluginHostErrorCode, type ProcessExit, type ProcessReport } from "./error.ts";
