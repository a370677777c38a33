// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { json } from "node:stream/consumers";
import { requirePeer } from "@tenon/peers";

/** Environment that a core gives a provider. */
export const host: Readonly<Record<string, string>> = {
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
  PLUGIN_PROTOCOL_VERSIONS: "5,6",
};

/** Environment of this process without Node's variables: neither our compile cache nor this machine's certificates count. */
export const plainEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("NODE_")),
);

/** A client certificate; only its presence matters for the handshake line. */
export const certificate: Readonly<Record<string, string>> = { PLUGIN_CLIENT_CERT: "-----BEGIN CERTIFICATE-----" };

/** How to start a provider. */
export interface ProviderCommand {
  readonly path: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Output of plugin-client, as defined in tests/peers/plugin-client/main.go. */
export interface Observation {
  readonly firstCallMs: number;
  readonly tls?: boolean;
  readonly resources: number;
  readonly diagnostics: number;
  readonly steps?: readonly StepReport[];
  readonly shutdown?: { readonly exitCode: number };
  readonly error?: string;
}

/** Result of a step of a script; `response` is base64. */
export interface StepReport {
  readonly name: string;
  readonly calls: number;
  readonly seconds: number;
  readonly response: string;
  readonly providerCpu: number;
  readonly residentKiB: number;
}

/** Starts a provider under go-plugin's client and returns the client's output. @throws Error when a call fails. */
export async function observe(provider: ProviderCommand, args: readonly string[] = []): Promise<Observation> {
  const command = [...args, provider.path, ...(provider.args ?? [])];
  // The client reads the provider's log, as a core does, and its own log is discarded.
  const child = spawn(requirePeer("plugin-client").path, command, {
    env: { ...plainEnvironment, ...provider.environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const seen = (await json(child.stdout)) as Observation;
  if (child.exitCode === null) await once(child, "exit");
  if (seen.error !== undefined) throw new Error(`${provider.path}: ${seen.error}`);
  return seen;
}

/** Measures milliseconds from launch to the first line on standard output. */
export function untilLine({ path, args = [], environment = {} }: ProviderCommand): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(path, args, { env: { ...plainEnvironment, ...environment }, stdio: ["ignore", "pipe", "ignore"] });
    let ms: number | undefined;
    child.stdout.once("data", () => {
      ms = performance.now() - start;
      child.kill("SIGKILL");
    });
    // The next measurement starts after this process has ended.
    child.once("close", () => (ms === undefined ? reject(new Error(`${path} printed nothing`)) : resolve(ms)));
  });
}

/** Measures milliseconds from launch to exit. */
export function untilExit(path: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now();
    spawn(path, args, { env: plainEnvironment, stdio: "ignore" }).once("exit", () => resolve(performance.now() - start));
  });
}
