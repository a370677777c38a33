// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { SdkError } from "../error.ts";
import type { ConstantResponses, ServingDescription } from "../serve/serving-description.ts";
import { formatPackagedResponses } from "../serve/packaged-responses.ts";
import type { BundledFile } from "./bundled-file.ts";
import { isSourceMap, mapFolder, withSourceRoot, withMapComments } from "./source-map.ts";

/** Timeout of one run of the bundled program, in milliseconds. */
const inspectionTimeoutMs = 20_000;

/** Maximum size of the program's output, in bytes: fits the largest schemas that cores accept, in both versions and in base64. */
const maxBuffer = 256 * 1024 * 1024;

/** The results of an inspection. */
export interface InspectedProvider {
  /** Protocol versions it supports; both by default. */
  readonly protocols: readonly (5 | 6)[];
  /** Its encoded schema responses, one file per version; empty if they are not constant. */
  readonly responses: readonly BundledFile[];
}

/**
 * Starts a bundled provider to get its protocol versions and its schema responses.
 *
 * The responses are packaged only if they are equal in two runs with different environments, and if the provider accessed nothing in its
 * environment except variables that were not set. `liveSchema` omits them.
 *
 * @param files the bundle
 * @param name name of its entry file, without `.mjs`
 * @param program path of the program that was bundled
 * @throws SdkError `UNUSABLE_PROVIDER` when it does not load, does not serve, or has an invalid schema.
 */
export async function inspectProvider(
  files: readonly BundledFile[],
  name: string,
  program: string,
  { liveSchema = false }: { readonly liveSchema?: boolean } = {},
): Promise<InspectedProvider> {
  const folder = await mkdtemp(join(tmpdir(), "tenon-inspect-"));
  try {
    for (const file of withMapComments(files)) {
      const content = isSourceMap(file) ? withSourceRoot(mapFolder(program), file.content) : file.content;
      await writeFile(join(folder, file.name), content);
    }
    const main = join(folder, `${name}.mjs`);
    const run = async <Reply>(what: string, environment: NodeJS.ProcessEnv, cwd: string): Promise<Partial<Reply>> => {
      const options = { env: { ...environment, TENON_PROVIDER_INSPECT: what }, cwd, timeout: inspectionTimeoutMs, maxBuffer };
      const { stdout } = await promisify(execFile)(process.execPath, ["--enable-source-maps", main], options);
      return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Partial<Reply>;
    };
    const here = process.cwd();
    const { protocols = both, error } = await run<ServingDescription & { readonly error: string }>("1", process.env, here).catch(
      reportStartFailure,
    );
    if (error !== undefined) throw new SdkError("UNUSABLE_PROVIDER", `the provider cannot be served:\n${error}`);
    if (liveSchema) return { protocols, responses: [] };
    const elsewhere = { PATH: process.env["PATH"], TZ: "Pacific/Kiritimati", LANG: "C" };
    const replies = await Promise.all([
      run<ConstantResponses>("responses", process.env, here),
      run<ConstantResponses>("responses", elsewhere, folder),
    ]).catch(() => []);
    return { protocols, responses: responseFiles(replies, protocols) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws SdkError `UNUSABLE_PROVIDER` for a program that exited or timed out without a description. */
function reportStartFailure(cause: unknown): never {
  const { stderr = "", killed } = cause as { readonly stderr?: string; readonly killed?: boolean };
  if (cause instanceof SyntaxError) throw new SdkError("UNUSABLE_PROVIDER", "the program ended without calling serve()", { cause });
  const why = killed === true ? `it did not respond within ${inspectionTimeoutMs / 1000} seconds` : stderr.trim() || String(cause);
  throw new SdkError("UNUSABLE_PROVIDER", `the bundled program does not start:\n${why}`, { cause });
}

const both: readonly (5 | 6)[] = [5, 6];

function responseFiles(replies: readonly Partial<ConstantResponses>[], protocols: readonly number[]): readonly BundledFile[] {
  const [one, other] = replies;
  if (one?.name === undefined || one.responses === undefined || JSON.stringify(one.responses) !== JSON.stringify(other?.responses))
    return [];
  const { name, responses: versions } = one;
  const absent = [...new Set(replies.flatMap((each) => each.absent ?? []))].toSorted();
  return protocols.flatMap((version) => {
    const encoded = versions[version];
    if (encoded === undefined) return [];
    const responses = Object.fromEntries(Object.entries(encoded).map(([method, text]) => [method, Buffer.from(text, "base64")]));
    return [{ name: `${responseFilePrefix}-${version}.bin`, content: formatPackagedResponses({ name, responses }, absent) }];
  });
}

/** Name of the response files, without `-6.bin`. */
export const responseFilePrefix = "provider-responses";
