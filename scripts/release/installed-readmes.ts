// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findPeer, whyAbsent } from "../../tests/peers/peers.ts";
import { InstalledProject } from "./installed-project.ts";
import type { PackedPackages } from "./packed-packages.ts";

/** Result of running one README's first program. */
export interface ReadmeRun {
  readonly name: string;
  /** Output of the program; absent when it did not run. */
  readonly output?: string;
  /** Why the program could not run: the peer that it calls is absent. */
  readonly skipped?: string;
}

/**
 * Installs each package in an empty project, and runs the program that its README opens with.
 *
 * @throws CommandError when an installation or a program fails.
 * @throws PeerError when a program's peer is absent and the environment has TENON_PEERS=required.
 */
export function* runInstalledReadmes(root: string, packed: PackedPackages): Generator<ReadmeRun> {
  for (const pack of packed.packages) {
    const { name, folder } = pack;
    const program = firstProgram(folder);
    const peer = program.includes('"terraform-provider-time"') ? findPeer("provider-time") : undefined;
    if (program.includes('"terraform-provider-time"') && peer === undefined) {
      yield { name, skipped: whyAbsent("provider-time") };
      continue;
    }
    using project = new InstalledProject(packed, pack);
    // The program of protocol launches the provider that its arguments name.
    const args = [process.execPath, join(root, "apps/examples/textfile/main.ts")];
    const output = project.run(program, args, peer === undefined ? [] : [dirname(peer.path)]);
    if (output === "") throw new Error(`${name}: the README's program prints nothing`);
    yield { name, output };
  }
}

/** Returns the first block of TypeScript in a package's README. */
function firstProgram(folder: string): string {
  const program = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(folder, "README.md"), "utf8"))?.[1];
  if (program === undefined) throw new Error(`${folder}/README.md has no program`);
  return program;
}
