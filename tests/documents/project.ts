// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "./snippets.ts";

const execute = promisify(execFile);

/** Output of a program. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A reader's project: a temporary folder with this repository's packages linked as dependencies. `npm run check` checks that the
 * packages can be installed.
 */
export class Project implements Disposable {
  /** Path of the folder. */
  readonly folder: string;

  /** @param files - texts by path below the folder. */
  constructor(files: Readonly<Record<string, string>> = {}) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-project-")));
    mkdirSync(join(this.folder, "node_modules/@tenon"), { recursive: true });
    for (const name of readdirSync(join(root, "packages")))
      symlinkSync(join(root, "packages", name), join(this.folder, "node_modules/@tenon", name), "junction");
    symlinkSync(join(root, "node_modules/@types"), join(this.folder, "node_modules/@types"), "junction");
    // CDK Terrain, which a page of engine uses.
    for (const name of ["cdktn", "constructs"])
      symlinkSync(join(root, "tests/documents/node_modules", name), join(this.folder, "node_modules", name), "junction");
    this.write({ "package.json": '{ "type": "module" }', ...files });
  }

  /** Writes files, and the folders that contain them. */
  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), text);
    }
  }

  /**
   * Runs Node in the folder, which also has the temporary files of the program.
   *
   * @param args - a file of the project and its arguments.
   * @param env - variables that are added to the environment, or removed from it when undefined.
   * @throws Error with the output when the program fails.
   */
  async run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
    const own = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, TMPDIR: this.folder, ...env };
    return await execute(process.execPath, args, { cwd: this.folder, env: own });
  }

  /** Compiles files of the project under strict settings; returns the errors in them, a line each. */
  async compile(files: readonly string[]): Promise<readonly string[]> {
    const compilerOptions = {
      noEmit: true,
      strict: true,
      module: "nodenext",
      target: "esnext",
      lib: ["esnext"],
      types: ["node"],
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    };
    this.write({ "tsconfig.json": JSON.stringify({ compilerOptions, files }) });
    const tsc = join(root, "node_modules/.bin/tsc");
    const { stdout } = await execute(tsc, ["-p", this.folder, "--pretty", "false"]).catch((error: Output) => error);
    // The compiler reads the sources of the packages, too; `npm run check` checks them under their own settings.
    return stdout.split("\n").filter((line) => line.includes(basename(this.folder)));
  }

  /** Removes the folder. */
  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
