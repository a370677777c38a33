// SPDX-License-Identifier: Apache-2.0
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pluginYoungGenerationMiB } from "@tenon/bridge/pulumi/package";
import { registration } from "@tenon/protocol/carrier";
import { createServiceClient, type ServiceClient } from "@tenon/protocol/carrier/calls";
import { openCarrierClient } from "@tenon/protocol/carrier/client";
import { createCarrierServer } from "@tenon/protocol/carrier/server";
import { Engine, ResourceProvider } from "@tenon/protocol/pulumi";
import { packageProgram, writePackage } from "@tenon/provider-sdk/package";
import { plainEnvironment } from "./launched-provider.ts";

/** Name of the published plugin's executable. */
export const pluginName = "pulumi-resource-terraform-provider";

/** Packages the published plugin, as its build does; returns the path of its executable. */
export async function packagePlugin(folder: string): Promise<string> {
  const main = join(import.meta.dirname, "../packages/bridge/src/pulumi/main.ts");
  const options = { main, name: pluginName, external: ["openpgp"], youngGenerationMiB: pluginYoungGenerationMiB };
  await writePackage(folder, await packageProgram(options));
  return join(folder, pluginName);
}

/** A plugin that a process of ours has started, as an engine does. */
export interface StartedPlugin {
  readonly calls: ServiceClient<typeof ResourceProvider>;
  readonly pid: number;
  close(): Promise<void>;
}

/** An engine that discards the plugin's messages. */
export async function startEngine(): Promise<{ readonly address: string; close(): Promise<void> }> {
  const carrier = createCarrierServer({ services: [registration(Engine, { log: () => ({}) })] });
  const server = createServer((socket) => carrier.accept(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  return {
    address: `127.0.0.1:${port}`,
    async close() {
      server.close();
      await carrier.close();
    },
  };
}

/** Starts a plugin, and connects to it. */
export async function startPlugin(
  path: string,
  engineAddress: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<StartedPlugin> {
  const child = spawn(path, [engineAddress], { env: { ...plainEnvironment, ...environment }, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const maxBytes = 400 << 20;
  const connection = openCarrierClient({
    address: { network: "tcp", host: "127.0.0.1", port: Number(line) },
    readMaxBytes: maxBytes,
    writeMaxBytes: maxBytes,
  });
  return {
    calls: createServiceClient(ResourceProvider, connection),
    pid: child.pid!,
    async close() {
      await connection.close();
      child.kill("SIGINT");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Processor time of a process so far, in seconds. Linux only. */
export function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process, in MiB. Linux only. */
export function residentMibOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))!;
  return Number(kib) / 1024;
}

/** The process that a plugin runs its provider in. Linux only. */
export function providerOf(pid: number): number {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return children.find((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("terraform-provider-"))!;
}
