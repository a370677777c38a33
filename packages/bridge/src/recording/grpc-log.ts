// SPDX-License-Identifier: Apache-2.0
import { appendFileSync, readFileSync } from "node:fs";
import type { CompletedCall } from "@tenon/plugin-host/record";
import { BridgeError } from "../error.ts";

/**
 * An entry of a gRPC log of Pulumi's own Terraform bridge. The file contains JSON objects, each followed by a comma and a line break.
 *
 * @see pulumi-terraform-bridge dynamic/internal/shim/grpcutil/translate.go
 */
export interface GrpcLogEntry {
  /** Name whose last part is the RPC, or the function of the bridge that made the call. */
  readonly name: string;
  /** File and line of the call in the bridge. */
  readonly call: string;
  /** Request in protobuf's text format. */
  readonly request: string;
  /** Response as Go's `encoding/json` writes it; empty after an error. */
  readonly response: string;
  readonly error?: readonly string[];
  /** The masked values, which the Go bridge does not write: without them, a placeholder of a number, boolean or collection looks like a value. */
  readonly masked?: CompletedCall["masked"];
}

/** The text that this bridge writes to {@link GrpcLogEntry.call}. */
export const bridgeCall = "@tenon/bridge";

/** Appends an entry to a log. A new file is readable only by its owner. */
export function appendGrpcLog(path: string, entry: GrpcLogEntry): void {
  appendFileSync(path, `${JSON.stringify(entry)},\n`, { mode: 0o600 });
}

/**
 * Reads the entries of a log, with or without the brackets and commas of a JSON array.
 *
 * @throws BridgeError `INVALID_RECORDING`
 */
export function readGrpcLog(path: string): readonly GrpcLogEntry[] {
  let entries: unknown;
  try {
    const text = readFileSync(path, "utf8").trim().replace(/,$/, "");
    entries = JSON.parse(text.startsWith("[") ? text : `[${text}]`);
  } catch (cause) {
    throw new BridgeError("INVALID_RECORDING", `the gRPC log ${path} cannot be read: ${String(cause)}`, { cause });
  }
  if (!Array.isArray(entries) || !entries.every(isEntry)) {
    throw new BridgeError("INVALID_RECORDING", `the gRPC log ${path} has an entry without name, request and response`);
  }
  return entries;
}

function isEntry(value: unknown): value is GrpcLogEntry {
  if (typeof value !== "object" || value === null) return false;
  const { name, request, response, error } = value as Readonly<Record<string, unknown>>;
  const isError = error === undefined || (Array.isArray(error) && error.every((text) => typeof text === "string"));
  return typeof name === "string" && typeof request === "string" && typeof response === "string" && isError;
}
