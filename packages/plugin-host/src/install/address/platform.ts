// SPDX-License-Identifier: Apache-2.0
import { arch, endianness } from "node:os";
import { PluginHostError } from "../../error.ts";

/** Operating system and processor architecture, with Go's names. */
export interface Platform {
  readonly os: string;
  readonly arch: string;
}

const systems: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const processors: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386", ppc64: endianness() === "LE" ? "ppc64le" : "ppc64" };

/** The platform of this process. */
export function currentPlatform(): Platform {
  return { os: systems[process.platform] ?? process.platform, arch: processors[arch()] ?? arch() };
}

/**
 * Reads `OS_ARCH`.
 *
 * @throws PluginHostError `INVALID_OPTIONS`
 * @see OpenTofu internal/getproviders, ParsePlatform
 */
export function parsePlatform(text: string): Platform {
  const [os = "", arch = "", ...more] = text.split("_");
  if (os === "" || arch === "" || more.length > 0 || /\s/.test(text)) {
    throw new PluginHostError(
      "INVALID_OPTIONS",
      `${JSON.stringify(text)} is not a platform: it must be two words separated by an underscore, such as linux_amd64`,
    );
  }
  return { os, arch };
}

/** Formats a platform as `OS_ARCH`, such as `linux_amd64`. */
export function formatPlatform({ os, arch }: Platform): string {
  return `${os}_${arch}`;
}
