// SPDX-License-Identifier: Apache-2.0
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";

/** Node's processor names by machine number of an ELF header (System V gABI, e_machine). */
const elfMachines: Readonly<Record<number, string>> = {
  3: "ia32",
  8: "mips",
  20: "ppc",
  21: "ppc64",
  22: "s390x",
  40: "arm",
  62: "x64",
  183: "arm64",
  243: "riscv64",
  258: "loong64",
};
/** Node's processor names by CPU type of a Mach-O header (mach/machine.h). */
const machMachines: Readonly<Record<number, string>> = { 0x01000007: "x64", 0x0100000c: "arm64", 7: "ia32", 12: "arm" };
/** Node's processor names by machine number of a PE header (IMAGE_FILE_HEADER). */
const peMachines: Readonly<Record<number, string>> = { 0x14c: "ia32", 0x8664: "x64", 0xaa64: "arm64", 0x1c0: "arm", 0x1c4: "arm" };

/** The executable format of a file, by its first bytes. */
export interface ExecutableFormat {
  /** `unknown` for another format, `unreadable` for a file that cannot be read. */
  readonly format: "ELF" | "Mach-O" | "PE" | "script" | "unknown" | "unreadable";
  /** Processors the file is built for, in Node's names; empty for a script. */
  readonly machines: readonly string[];
  /** The interpreter in the first line of a script. */
  readonly interpreter?: string;
}

/** Reads the header of a file. */
export function readExecutableFormat(path: string): ExecutableFormat {
  let header: Buffer;
  try {
    header = readStart(path);
  } catch {
    return { format: "unreadable", machines: [] };
  }
  const magic = header.readUInt32BE(0);
  if (magic === 0x7f454c46) {
    const number = header[5] === 2 ? header.readUInt16BE(18) : header.readUInt16LE(18);
    return { format: "ELF", machines: [machineName(elfMachines, number)] };
  }
  if (magic === 0xcffaedfe || magic === 0xcefaedfe) {
    return { format: "Mach-O", machines: [machineName(machMachines, header.readUInt32LE(4))] };
  }
  if (magic === 0xcafebabe && header.readUInt32BE(4) < 20) {
    // A universal binary lists its processors in entries of 20 bytes.
    const count = header.readUInt32BE(4);
    const machines = Array.from({ length: count }, (_, index) => machineName(machMachines, header.readUInt32BE(8 + 20 * index)));
    return { format: "Mach-O", machines };
  }
  if (header.toString("latin1", 0, 2) === "MZ") {
    const start = header.readUInt32LE(0x3c);
    if (start + 6 <= header.length && header.toString("latin1", start, start + 4) === "PE\0\0") {
      return { format: "PE", machines: [machineName(peMachines, header.readUInt16LE(start + 4))] };
    }
  }
  const [, interpreter] = /^#![ \t]*([^\s\0]+)/.exec(header.toString("utf8")) ?? [];
  return interpreter === undefined ? { format: "unknown", machines: [] } : { format: "script", machines: [], interpreter };
}

const nativeFormats: Readonly<Partial<Record<NodeJS.Platform, ExecutableFormat["format"]>>> = { darwin: "Mach-O", win32: "PE" };

/**
 * Returns the reason if the file is built for another machine, as the predicate of a sentence whose subject is the file; undefined for a
 * native executable, a script, and a file in an unknown format.
 */
export function whyForeign(
  { format, machines }: ExecutableFormat,
  platform: NodeJS.Platform = process.platform,
  arch: string = process.arch,
): string | undefined {
  if (format === "script" || format === "unknown" || format === "unreadable") return undefined;
  if (format === (nativeFormats[platform] ?? "ELF") && machines.includes(arch)) return undefined;
  const article = format === "ELF" ? "an" : "a";
  const build = `is ${article} ${format} executable for ${machines.join(" and ")}`;
  return `${build}, but this machine is ${platform} ${arch}; install the provider's build for it`;
}

/**
 * Returns the reason if a file must not be started, as the predicate of a sentence whose subject is the file; otherwise undefined. The
 * operating system rejects a file in an unknown format, and the C library's `execvp` then runs it with `/bin/sh`. So only files in known
 * formats are started: native executables, scripts, and on Linux files with a registered format handler (binfmt_misc).
 */
export function whyNotStartable(path: string): string | undefined {
  if (process.platform === "win32") return undefined;
  const format = readExecutableFormat(path);
  // macOS can run some Mach-O files for other processors by translating them.
  if (process.platform === "darwin" && format.format === "Mach-O") return undefined;
  const reason = format.format === "unknown" ? "is not an executable file; is its download complete?" : whyForeign(format);
  return reason === undefined || hasFormatHandler(path) ? undefined : reason;
}

/** @see https://docs.kernel.org/admin-guide/binfmt-misc.html */
const handlerFolder = "/proc/sys/fs/binfmt_misc";

/** Whether a registered handler matches the file, by its extension or its first bytes. */
function hasFormatHandler(path: string): boolean {
  if (process.platform !== "linux") return false;
  try {
    const names = readdirSync(handlerFolder).filter((name) => name !== "register" && name !== "status");
    const start = names.length === 0 ? Buffer.alloc(0) : readStart(path);
    return names.some((name) => handles(readFileSync(join(handlerFolder, name), "utf8"), path, start));
  } catch {
    return false;
  }
}

/** Whether a handler's description (`enabled`, `extension .x`, or `offset N`, `magic HEX` and perhaps `mask HEX`) matches a file. */
export function handles(description: string, path: string, start: Buffer): boolean {
  const lines = new Map(description.split("\n").map((line) => [line.split(" ")[0], line.slice(line.indexOf(" ") + 1)] as const));
  if (!lines.has("enabled")) return false;
  const extension = lines.get("extension");
  if (extension !== undefined) return path.endsWith(extension);
  const magic = Buffer.from(lines.get("magic") ?? "", "hex");
  const mask = Buffer.from(lines.get("mask") ?? "ff".repeat(magic.length), "hex");
  const offset = Number(lines.get("offset") ?? 0);
  return (
    magic.length > 0 &&
    magic.every((byte, index) => ((start[offset + index] ?? 0) & (mask[index] ?? 0xff)) === (byte & (mask[index] ?? 0xff)))
  );
}

/** The first 4 KiB of a file, padded with zeros. */
function readStart(path: string): Buffer {
  const start = Buffer.alloc(4096);
  const file = openSync(path, "r");
  try {
    readSync(file, start, 0, start.length, 0);
    return start;
  } finally {
    closeSync(file);
  }
}

function machineName(names: Readonly<Record<number, string>>, number: number): string {
  return names[number] ?? `machine ${number}`;
}
