// SPDX-License-Identifier: Apache-2.0
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type { Path } from "@tenon/cty";
import { recording, replaying, type UnmarkedSecrets } from "@tenon/plugin-host/record";
import type { Provider } from "@tenon/schema";
import { BridgeError } from "../error.ts";
import type { ProgramSecrets } from "./program-secrets.ts";

/** Environment variable: file to which the calls of providers are appended, in the format of Pulumi's own Terraform bridge. */
export const grpcLogVariable = "PULUMI_TF_DEBUG_GRPC";

/** Environment variable: file in which the calls of a provider are recorded. A second provider gets a file with a number at the end of its name. */
export const recordVariable = "PULUMI_TF_RECORD";

/** Environment variable: recording or gRPC log that is replayed instead of a provider. */
export const replayVariable = "PULUMI_TF_REPLAY";

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the environment enables a recording. */
export function isRecorded(environment: Environment): boolean {
  return Boolean(environment[grpcLogVariable]) || Boolean(environment[recordVariable]);
}

/**
 * Records the calls of a provider, if the environment enables that. Sensitive values are masked.
 *
 * @param secrets - The values that the program marks as secret, which are masked, too.
 */
export async function recordedProvider(provider: Provider, environment: Environment, secrets?: ProgramSecrets): Promise<Provider> {
  const log = environment[grpcLogVariable];
  const file = environment[recordVariable];
  const masking = secrets === undefined ? {} : unmarkedSecrets(secrets);
  const recorded = file ? recording(provider, freePath(file), masking) : provider;
  if (!log) return recorded;
  // Loaded only here, because it loads all messages of the protocol.
  const { writingGrpcLog } = await import("./grpc-log-writer.ts");
  return writingGrpcLog(recorded, log, masking);
}

/** The masking of the values that a program marks as secret. */
function unmarkedSecrets(secrets: ProgramSecrets): UnmarkedSecrets {
  return {
    isSecret: (text) => secrets.hasText(text),
    isSecretAt: ({ field, typeName, path, isLeaf }) =>
      field === "rawState" ? secrets.hasPlaces(typeName) : isLeaf && secrets.hasPlace({ typeName, names: namesIn(path) }),
  };
}

/** The attributes and the keys of maps in a path. */
function namesIn(path: Path): readonly string[] {
  return path.flatMap((step) => {
    if (step.kind === "attribute") return [step.name];
    return typeof step.key.payload === "string" && step.key.type.kind === "string" ? [step.key.payload] : [];
  });
}

/** Opens the recording or gRPC log of the environment; undefined if it has none. @throws BridgeError `INVALID_RECORDING` */
export async function replayedProvider(environment: Environment): Promise<Provider | undefined> {
  const file = environment[replayVariable];
  if (!file) return undefined;
  if (isRecording(file)) return replaying(file, { allowTruncated: true });
  const { replayingGrpcLog } = await import("./grpc-log-replay.ts");
  return await replayingGrpcLog(file);
}

function freePath(path: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? path : `${path}.${number}`;
    if (!existsSync(candidate)) return candidate;
  }
}

/** Whether a file has the signature of Tenon's recordings. */
function isRecording(path: string): boolean {
  const beginning = Buffer.alloc(8);
  try {
    const file = openSync(path, "r");
    try {
      readSync(file, beginning);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new BridgeError("INVALID_RECORDING", `the recording ${path} cannot be read: ${String(cause)}`, { cause });
  }
  return beginning.toString("latin1") === "TENONREC";
}
