// SPDX-License-Identifier: Apache-2.0

const systems: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const architectures: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** Returns the current platform in the hosts' notation, for example `linux_amd64`: Go's names of system and architecture. */
export function currentPlatform(): string {
  const architecture = process.arch === "ppc64" && isLittleEndian() ? "ppc64le" : (architectures[process.arch] ?? process.arch);
  return `${systems[process.platform] ?? process.platform}_${architecture}`;
}

function isLittleEndian(): boolean {
  return new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
}
