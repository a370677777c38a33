// SPDX-License-Identifier: Apache-2.0
/**
 * A provider for cases with ephemeral values.
 *
 * @module
 */
export { echoProvider } from "./echo-provider.ts";
