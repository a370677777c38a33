// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { hostedLogLevel } from "./log/log-level.ts";

/** Schema responses in a provider's package, encoded for one protocol version. */
export interface PackagedResponses {
  /** The provider's name. */
  readonly name: string;
  /** Encoded responses, by the method's name in the generated client. */
  readonly responses: Readonly<Record<string, Uint8Array>>;
}

/** First line of the file, before the encoded responses. */
interface Header {
  readonly name: string;
  /** Platform on which the provider was packaged: its responses may differ on others. */
  readonly platform: string;
  /** Environment variables that the provider read and that were not set. The responses are valid only while they are not set. */
  readonly absent: readonly string[];
  /** Method name and length in bytes of each response, in file order. */
  readonly lengths: readonly (readonly [method: string, bytes: number])[];
}

/** Set by the launcher: the file with the responses, without `-6.bin`. */
const variable = "TENON_PROVIDER_RESPONSES";

const platform = (): string => `${process.platform}-${process.arch}`;

/** Returns the file's content. @param absent environment variables that the provider read, none of which was set */
export function formatPackagedResponses({ name, responses }: PackagedResponses, absent: readonly string[]): Uint8Array {
  const entries = Object.entries(responses);
  const header: Header = { name, platform: platform(), absent, lengths: entries.map(([method, { length }]) => [method, length]) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...entries.map(([, bytes]) => bytes)]);
}

/**
 * Reads the responses from the package. Returns undefined if the package has none, if they are not valid in this environment, or if
 * logs, checks or dumps are enabled: the provider cannot log, check or dump a call that the package answers.
 */
export function packagedResponses(protocolVersion: number): PackagedResponses | undefined {
  const { env } = process;
  const prefix = env[variable];
  // Child processes must not inherit it.
  delete env[variable];
  if (!prefix || env["TF_LOG_SDK_PROTO_DATA_DIR"] || env["TENON_PROVIDER_CHECK"]) return undefined;
  try {
    return parsed(readFileSync(`${prefix}-${protocolVersion}.bin`), env);
  } catch {
    return undefined;
  }
}

function parsed(file: Buffer, env: NodeJS.ProcessEnv): PackagedResponses | undefined {
  const start = file.indexOf("\n") + 1;
  const header = JSON.parse(file.toString("utf8", 0, start)) as Header;
  if (header.platform !== platform() || header.absent.some((name) => env[name] !== undefined)) return undefined;
  if (hostedLogLevel(env, header.name) !== undefined) return undefined;
  let at = start;
  const responses = header.lengths.map(([method, length]) => [method, file.subarray(at, (at += length))] as const);
  // Ignore a truncated file.
  return at === file.length ? { name: header.name, responses: Object.fromEntries(responses) } : undefined;
}
