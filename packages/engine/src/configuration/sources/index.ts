// SPDX-License-Identifier: Apache-2.0
/**
 * Installs called modules from registries, git repositories, archives and folders.
 *
 * @module
 */
export { ModuleInstaller, openModuleInstaller, type ModuleInstallerOptions } from "./module-installer.ts";
