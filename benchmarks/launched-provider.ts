// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { json } from "node:stream/consumers";
import { requirePeer } from "@tenon/peers";

/** What a core puts into a provider's environment. */
export const host: Readonly<Record<string, string>> = {
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
  PLUGIN_PROTOCOL_VERSIONS: "5,6",
};

/** This process's environment, without what it says to Node: a cache of ours, or certificates of this machine, are nobody else's. */
export const plainEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("NODE_")),
);

/** Only that there is one counts for the handshake line. */
export const certificate: Readonly<Record<string, string>> = { PLUGIN_CLIENT_CERT: "-----BEGIN CERTIFICATE-----" };

/** How to start a provider. */
export interface ProviderCommand {
  readonly path: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** What plugin-client saw; tests/peers/plugin-client/main.go says what each means. */
export interface Observation {
  readonly firstCallMs: number;
  readonly tls?: boolean;
  readonly resources: number;
  readonly diagnostics: number;
  readonly steps?: readonly StepReport[];
  readonly shutdown?: { readonly exitCode: number };
  readonly error?: string;
}

/** What a step of a script came to; `answer` is base64. */
export interface StepReport {
  readonly name: string;
  readonly calls: number;
  readonly seconds: number;
  readonly answer: string;
  readonly providerCpu: number;
  readonly residentKiB: number;
}

/** Starts a provider under go-plugin's client, in a process of its own, and answers what that saw. @throws Error where a call failed. */
export async function observe(provider: ProviderCommand, args: readonly string[] = []): Promise<Observation> {
  const command = [...args, provider.path, ...(provider.args ?? [])];
  // What a provider logs is read by the client, as a core does; what the client makes of it goes nowhere.
  const child = spawn(requirePeer("plugin-client").path, command, {
    env: { ...plainEnvironment, ...provider.environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const seen = (await json(child.stdout)) as Observation;
  if (child.exitCode === null) await once(child, "exit");
  if (seen.error !== undefined) throw new Error(`${provider.path}: ${seen.error}`);
  return seen;
}

/** Milliseconds from launch to the first line on standard output. */
export function untilLine({ path, args = [], environment = {} }: ProviderCommand): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(path, args, { env: { ...plainEnvironment, ...environment }, stdio: ["ignore", "pipe", "ignore"] });
    let ms: number | undefined;
    child.stdout.once("data", () => {
      ms = performance.now() - start;
      child.kill("SIGKILL");
    });
    // The next one is not to share the machine with this one's end.
    child.once("close", () => (ms === undefined ? reject(new Error(`${path} printed nothing`)) : resolve(ms)));
  });
}

/** Milliseconds from launch to exit. */
export function untilExit(path: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now();
    spawn(path, args, { env: plainEnvironment, stdio: "ignore" }).once("exit", () => resolve(performance.now() - start));
  });
}
