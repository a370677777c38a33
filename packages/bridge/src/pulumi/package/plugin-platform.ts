// SPDX-License-Identifier: Apache-2.0

const systems: Readonly<Record<string, string>> = { win32: "windows" };
const architectures: Readonly<Record<string, string>> = { x64: "amd64" };

/** This platform in the names of the plugins that engines download, such as `linux-amd64`. */
export function pluginPlatform(): string {
  return `${systems[process.platform] ?? process.platform}-${architectures[process.arch] ?? process.arch}`;
}
