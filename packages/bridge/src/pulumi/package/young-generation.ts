// SPDX-License-Identifier: Apache-2.0

/**
 * Maximum size of the young generation of a plugin's heap, in MiB. It is V8's own default.
 *
 * A call of the engine decodes several objects with all their properties, and the engine makes many calls at a time. In the 8 MiB of a provider,
 * most of their objects are alive at each garbage collection, and V8 moves them to the old generation.
 */
export const pluginYoungGenerationMiB = 32;
