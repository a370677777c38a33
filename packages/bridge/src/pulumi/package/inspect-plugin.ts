// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServiceClient } from "@tenon/protocol/carrier/calls";
import { openCarrierClient } from "@tenon/protocol/carrier/client";
import { ResourceProvider } from "@tenon/protocol/pulumi";
import { BridgeError } from "../../error.ts";

/** The version and the schema that a plugin reports. */
export interface InspectedPlugin {
  readonly version: string;
  /** Pulumi schema of its package. */
  readonly schema: PackageSchema;
}

/** A Pulumi schema, and the parts that packaging reads. */
export interface PackageSchema {
  readonly text: string;
  readonly name: string;
  readonly version: string;
}

/** Time limit for a plugin to print its port and to respond, in milliseconds. */
const inspectionMs = 30_000;

/** Largest schema, in bytes, as in the engine. */
const maxMessageBytes = 400 * 1024 * 1024;

/**
 * Starts a plugin, attaches to it like an engine, and requests its version and its schema.
 *
 * @throws BridgeError `UNUSABLE_PLUGIN` with the output of the plugin, if it does not start or does not respond.
 */
export async function inspectPlugin(command: string): Promise<InspectedPlugin> {
  const child = spawn(command, [], { stdio: ["ignore", "pipe", "pipe"] });
  const errors: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
  const unusable = (problem: string, cause?: unknown): BridgeError =>
    new BridgeError("UNUSABLE_PLUGIN", [`the packaged plugin ${problem}`, ...errors].join("\n").trimEnd(), { cause });
  const timer = setTimeout(() => child.kill("SIGKILL"), inspectionMs);
  try {
    const line = await firstLine(child).catch((cause: unknown) => {
      throw unusable("does not start", cause);
    });
    const port = Number(line);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw unusable(`prints ${JSON.stringify(line)} instead of its port`);
    return await inspectAt(port).catch((cause: unknown) => {
      throw unusable(`does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
    });
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) await once(child, "exit");
  }
}

async function inspectAt(port: number): Promise<InspectedPlugin> {
  const connection = openCarrierClient({ address: { network: "tcp", host: "127.0.0.1", port }, readMaxBytes: maxMessageBytes });
  try {
    const plugin = createServiceClient(ResourceProvider, connection);
    const { version } = await plugin.getPluginInfo({});
    const { schema: text } = await plugin.getSchema({});
    const schema = JSON.parse(text) as { readonly name: string; readonly version: string };
    return { version, schema: { text, name: schema.name, version: schema.version } };
  } finally {
    await connection.close();
  }
}

/** The first line of a process's output. Rejects if the process ends without one. */
function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = "";
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      seen += text;
      const end = seen.indexOf("\n");
      if (end >= 0) resolve(seen.slice(0, end));
    });
    child.once("error", reject);
    child.once("close", () => reject(new Error(`it ended, and printed ${JSON.stringify(seen)}`)));
  });
}
