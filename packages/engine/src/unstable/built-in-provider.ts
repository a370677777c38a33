// SPDX-License-Identifier: Apache-2.0
/**
 * The built-in provider, for tools that call it apart from a plan. Unstable: it may change in any version.
 *
 * @module
 */
export { builtInProviderFactory, type BuiltInEnvironment } from "../provider/built-in/built-in-provider.ts";
export { readRemoteState, type RemoteState, type RemoteStateEnvironment } from "../provider/built-in/remote-state.ts";
export type { BackendEnvironment, BackendType } from "../state/backends/backend.ts";
export { backendTypes } from "../state/backends/backend-types.ts";
