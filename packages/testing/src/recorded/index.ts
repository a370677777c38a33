// SPDX-License-Identifier: Apache-2.0
/**
 * Recorded calls of a provider, replayed as a provider in cases.
 *
 * @module
 */
export { recordedProvider, type RecordedProviderOptions } from "./recorded-provider.ts";
