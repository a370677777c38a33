// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PackedPackage, PackedPackages } from "./packed-packages.ts";
import { runCommand } from "./run-command.ts";

/** A project in a temporary folder, in which one packed package and the packed packages that it needs are installed. */
export class InstalledProject implements Disposable {
  readonly #folder: string;

  /** @throws CommandError when npm cannot install the package. */
  constructor({ packages }: PackedPackages, { closure }: PackedPackage) {
    this.#folder = mkdtempSync(join(tmpdir(), "tenon-installed-"));
    writeFileSync(join(this.#folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
    const tarballs = new Map(packages.map(({ name, tarball }) => [name, tarball]));
    try {
      this.install(...closure.map((name) => tarballs.get(name)!));
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * Installs further packages.
   *
   * @throws CommandError when npm cannot install them.
   */
  install(...specifiers: readonly string[]): void {
    runCommand("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...specifiers], this.#folder);
  }

  /**
   * Runs a TypeScript program in the project; returns its standard output, trimmed.
   *
   * @param path - folders that are searched for programs before PATH.
   * @throws CommandError when the program fails.
   */
  run(program: string, args: readonly string[] = [], path: readonly string[] = []): string {
    writeFileSync(join(this.#folder, "program.ts"), program);
    return runCommand("node", ["program.ts", ...args], this.#folder, path).trim();
  }

  /** Removes the folder. */
  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
