// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { hostedLogLevel } from "./log/log-level.ts";

/** Answers that a provider was packaged with: what it says of its schemas in one version of the protocol, whenever it is asked. */
export interface PackagedAnswers {
  /** The provider's name. */
  readonly name: string;
  /** Encoded answers by the method's name in a client. */
  readonly answers: Readonly<Record<string, Uint8Array>>;
}

/** What stands before the bytes in the file, on a line of its own. */
interface Header {
  readonly name: string;
  /** Where the provider was asked: its answers may differ elsewhere. */
  readonly platform: string;
  /** Environment variables that were not set, and have to be so again. */
  readonly absent: readonly string[];
  /** The answers in order: the method's name in a client, and how many bytes there are. */
  readonly lengths: readonly (readonly [method: string, bytes: number])[];
}

/** Set by the launcher: the file with the answers, without `-6.bin`. */
const variable = "TENON_PROVIDER_ANSWERS";

const platform = (): string => `${process.platform}-${process.arch}`;

/** The file's content. @param absent environment variables that the provider looked at, none of which was set */
export function formatPackagedAnswers({ name, answers }: PackagedAnswers, absent: readonly string[]): Uint8Array {
  const entries = Object.entries(answers);
  const header: Header = { name, platform: platform(), absent, lengths: entries.map(([method, { length }]) => [method, length]) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...entries.map(([, bytes]) => bytes)]);
}

/**
 * Reads the answers that lie beside the bundle. Undefined where there are none, where the environment is another than that in which they
 * are true, or where somebody watches: calls that the provider does not see cannot be logged, checked or dumped.
 */
export function packagedAnswers(protocolVersion: number): PackagedAnswers | undefined {
  const { env } = process;
  const prefix = env[variable];
  // Processes this one starts must not take it for theirs.
  delete env[variable];
  if (!prefix || env["TF_LOG_SDK_PROTO_DATA_DIR"] || env["TENON_PROVIDER_CHECK"]) return undefined;
  try {
    return parsed(readFileSync(`${prefix}-${protocolVersion}.bin`), env);
  } catch {
    return undefined;
  }
}

function parsed(file: Buffer, env: NodeJS.ProcessEnv): PackagedAnswers | undefined {
  const start = file.indexOf("\n") + 1;
  const header = JSON.parse(file.toString("utf8", 0, start)) as Header;
  if (header.platform !== platform() || header.absent.some((name) => env[name] !== undefined)) return undefined;
  if (hostedLogLevel(env, header.name) !== undefined) return undefined;
  let at = start;
  const answers = header.lengths.map(([method, length]) => [method, file.subarray(at, (at += length))] as const);
  // A file that is cut off is none.
  return at === file.length ? { name: header.name, answers: Object.fromEntries(answers) } : undefined;
}
