// SPDX-License-Identifier: Apache-2.0
/**
 * Configuration files, read from disk or memory and parsed.
 *
 * @module
 */
export { diskFiles, memoryFiles, type FileSystem } from "./file-system.ts";
export { loadFiles, type LoadedFile, type LoadedFiles } from "./load.ts";
