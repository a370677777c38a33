// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ConstantAnswers, ServingDescription } from "../serve/asked.ts";
import { formatPackagedAnswers } from "../serve/packaged-answers.ts";
import type { BundledFile } from "./bundle.ts";

/** How long a provider may think of an answer, in milliseconds. */
const patience = 20_000;

/** The largest answer that is read, in bytes: both versions of the largest schemas that cores accept, in base64. */
const maxBuffer = 256 * 1024 * 1024;

/** What a bundled provider said of itself. */
export interface AskedProvider {
  /** Versions it speaks. Both where it did not answer, as programs do that call something else than `serve`. */
  readonly protocols: readonly (5 | 6)[];
  /** Its schemas, in a file for each version, where they are always the same. */
  readonly answers: readonly BundledFile[];
}

/**
 * Starts a bundled provider, and asks it.
 *
 * Its schemas are packaged where it says the same twice, in environments that have little in common, and has looked at nothing outside
 * of itself but variables that were not set in either. `liveSchema`: they are not.
 */
export async function askProvider(
  files: readonly BundledFile[],
  name: string,
  { liveSchema = false }: { readonly liveSchema?: boolean } = {},
): Promise<AskedProvider> {
  const folder = await mkdtemp(join(tmpdir(), "tenon-ask-"));
  try {
    await Promise.all(files.map((file) => writeFile(join(folder, file.name), file.content)));
    const main = join(folder, `${name}.mjs`);
    const ask = async <Said>(what: string, environment: NodeJS.ProcessEnv, cwd: string): Promise<Partial<Said>> => {
      const options = { env: { ...environment, TENON_PROVIDER_ASK: what }, cwd, timeout: patience, maxBuffer };
      const { stdout } = await promisify(execFile)(process.execPath, [main], options);
      return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Partial<Said>;
    };
    const here = process.cwd();
    const { protocols = both } = await ask<ServingDescription>("1", process.env, here).catch((): Partial<ServingDescription> => ({}));
    if (liveSchema) return { protocols, answers: [] };
    const elsewhere = { PATH: process.env["PATH"], TZ: "Pacific/Kiritimati", LANG: "C" };
    const said = await Promise.all([
      ask<ConstantAnswers>("answers", process.env, here),
      ask<ConstantAnswers>("answers", elsewhere, folder),
    ]).catch(() => []);
    return { protocols, answers: answerFiles(said, protocols) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const both: readonly (5 | 6)[] = [5, 6];

function answerFiles(said: readonly Partial<ConstantAnswers>[], protocols: readonly number[]): readonly BundledFile[] {
  const [one, other] = said;
  if (one?.name === undefined || one.answers === undefined || JSON.stringify(one.answers) !== JSON.stringify(other?.answers)) return [];
  const { name, answers: versions } = one;
  const absent = [...new Set(said.flatMap((each) => each.absent ?? []))].toSorted();
  return protocols.flatMap((version) => {
    const encoded = versions[version];
    if (encoded === undefined) return [];
    const answers = Object.fromEntries(Object.entries(encoded).map(([method, text]) => [method, Buffer.from(text, "base64")]));
    return [{ name: `${answersName}-${version}.bin`, content: formatPackagedAnswers({ name, answers }, absent) }];
  });
}

/** The files' name, without `-6.bin`. */
export const answersName = "provider-answers";
