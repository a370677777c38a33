// SPDX-License-Identifier: Apache-2.0
/**
 * Serves a provider to Terraform, OpenTofu and every other host. Loads nothing heavy before its first line is out.
 *
 * @module
 */
export { serve } from "./serve.ts";
export type { ProviderModule, ServeOptions } from "./serve-options.ts";
