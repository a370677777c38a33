// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** Exit code and output of a command of OpenTofu or Terraform. */
export interface CoreResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A temporary folder in which to run `tofu` or `terraform`, isolated from the developer's CLI configuration and home folder. */
export class CoreFolder implements Disposable {
  readonly path: string = realpathSync(mkdtempSync(join(tmpdir(), "tenon-core-")));
  readonly #cli: string;

  constructor(cli: string) {
    this.#cli = cli;
    this.write("cli.tfrc", "");
  }

  write(name: string, content: string | Uint8Array): void {
    writeFileSync(join(this.path, name), content);
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  /** Runs a command and waits until it ends; a non-zero exit code is not an error. */
  async run(args: readonly string[], input = ""): Promise<CoreResult> {
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("TF_"));
    const child = spawn(this.#cli, args, {
      cwd: this.path,
      env: {
        ...Object.fromEntries(kept),
        HOME: this.path,
        TF_CLI_CONFIG_FILE: join(this.path, "cli.tfrc"),
        CHECKPOINT_DISABLE: "1",
        TF_IN_AUTOMATION: "1",
      },
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code: child.exitCode, stdout, stderr };
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
