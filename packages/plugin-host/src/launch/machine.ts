// SPDX-License-Identifier: Apache-2.0
import { open } from "node:fs/promises";

/** Machine numbers of ELF headers (System V gABI, e_machine) by what Node calls them. */
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
/** CPU types of Mach-O headers (mach/machine.h). */
const machMachines: Readonly<Record<number, string>> = { 0x01000007: "x64", 0x0100000c: "arm64", 7: "ia32", 12: "arm" };
/** Machine numbers of PE headers (IMAGE_FILE_HEADER). */
const peMachines: Readonly<Record<number, string>> = { 0x14c: "ia32", 0x8664: "x64", 0xaa64: "arm64", 0x1c0: "arm", 0x1c4: "arm" };

/** What kind of executable a file is, as its first bytes say. */
export interface ExecutableKind {
  readonly format: "ELF" | "Mach-O" | "PE" | "script" | "unknown";
  /** Processors it is for, in Node's words; empty where the format has none. */
  readonly machines: readonly string[];
  /** Of a script: the interpreter its first line names. */
  readonly interpreter?: string;
}

/** Looks at a file's header. `unknown` also for what cannot be read. */
export async function readExecutableKind(path: string): Promise<ExecutableKind> {
  const header = Buffer.alloc(4096);
  try {
    const file = await open(path);
    try {
      await file.read(header, 0, header.length, 0);
    } finally {
      await file.close();
    }
  } catch {
    return { format: "unknown", machines: [] };
  }
  const magic = header.readUInt32BE(0);
  if (magic === 0x7f454c46) {
    const machine = header[5] === 2 ? header.readUInt16BE(18) : header.readUInt16LE(18);
    return { format: "ELF", machines: [elfMachines[machine] ?? `machine ${machine}`] };
  }
  if (magic === 0xcffaedfe || magic === 0xcefaedfe) {
    return { format: "Mach-O", machines: [machine(machMachines, header.readUInt32LE(4))] };
  }
  if (magic === 0xcafebabe && header.readUInt32BE(4) < 20) {
    // One file for several processors: 20 bytes each.
    const count = header.readUInt32BE(4);
    return {
      format: "Mach-O",
      machines: Array.from({ length: count }, (_, index) => machine(machMachines, header.readUInt32BE(8 + 20 * index))),
    };
  }
  if (header.toString("latin1", 0, 2) === "MZ") {
    const start = header.readUInt32LE(0x3c);
    if (start + 6 <= header.length && header.toString("latin1", start, start + 4) === "PE\0\0") {
      return { format: "PE", machines: [machine(peMachines, header.readUInt16LE(start + 4))] };
    }
  }
  const [, interpreter] = /^#![ \t]*([^\s\0]+)/.exec(header.toString("utf8")) ?? [];
  return interpreter === undefined ? { format: "unknown", machines: [] } : { format: "script", machines: [], interpreter };
}

const formats: Readonly<Partial<Record<NodeJS.Platform, ExecutableKind["format"]>>> = { darwin: "Mach-O", win32: "PE" };

/** Why this machine does not run such a file, as the rest of a sentence that starts with its name; undefined where it may. */
export function whyForeign(
  kind: ExecutableKind,
  platform: NodeJS.Platform = process.platform,
  arch: string = process.arch,
): string | undefined {
  if (kind.format === "script" || kind.format === "unknown") return undefined;
  const wanted = formats[platform] ?? "ELF";
  const made = `is an ${kind.format} executable for ${kind.machines.join(" and ")}`.replace("an PE", "a PE").replace("an Mach", "a Mach");
  const here = `this machine is ${platform} ${arch}; install the provider's build for it`;
  return kind.format === wanted && kind.machines.includes(arch) ? undefined : `${made}, but ${here}`;
}

function machine(names: Readonly<Record<number, string>>, number: number): string {
  return names[number] ?? `machine ${number}`;
}
