// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { nullOf, object, of, string, unknown, type Value } from "@tenon/cty";
import type { CarrierClient, CarrierClientOptions } from "@tenon/protocol/carrier";
import { openCarrierClient } from "@tenon/protocol/carrier/connect-node-client";
import { certificateToPem, createCertificate } from "@tenon/protocol/certificate";
import { type HandshakeLine, magicCookie, parseHandshakeLine, type PluginAddress } from "@tenon/protocol/handshake";
import { GRPCController, GRPCStdio } from "@tenon/protocol/plugin";
import type { ApplyResourceChangeResponse, Provider } from "@tenon/schema";
import { createProviderClient as createClient5 } from "@tenon/schema/wire/v5";
import { createProviderClient as createClient6 } from "@tenon/schema/wire/v6";

/** The command that runs a program of `test/fixtures`. */
export function fixture(name: string): readonly string[] {
  return [process.execPath, join(import.meta.dirname, "fixtures", name)];
}

/** Environment variables that a host sets, without a client certificate. */
export const hostEnvironment: Readonly<Record<string, string>> = {
  [magicCookie.variable]: magicCookie.value,
  PLUGIN_MIN_PORT: "10000",
  PLUGIN_MAX_PORT: "25000",
  PLUGIN_PROTOCOL_VERSIONS: "6,5",
};

/** Exit status of a process. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A provider process, with its output so far. */
export class ProviderProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  stdout = "";
  stderr = "";

  /** @param ownGroup whether the process leads a process group, which can be signalled as a terminal does. */
  constructor(command: readonly string[], environment: NodeJS.ProcessEnv, ownGroup = false) {
    const [program = "", ...args] = command;
    const env = { ...cleanEnvironment(), ...environment };
    this.child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"], detached: ownGroup });
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve) => {
      this.child.once("close", (code, signal) => resolve({ code, signal }));
    });
  }

  /** Waits until stdout or stderr contains a text. Throws if the process ends first. */
  async waitForOutput(text: string | RegExp): Promise<void> {
    const containsText = (): boolean =>
      [this.stdout, this.stderr].some((output) => (typeof text === "string" ? output.includes(text) : text.test(output)));
    // Listeners run in the order of registration: those of the constructor append a chunk before `check` runs.
    const found = Promise.withResolvers<undefined>();
    const check = (): void => void (containsText() && found.resolve(undefined));
    this.child.stdout?.on("data", check);
    this.child.stderr?.on("data", check);
    check();
    const ended = await Promise.race([found.promise, this.ended]);
    this.child.stdout?.off("data", check);
    this.child.stderr?.off("data", check);
    if (ended !== undefined && !containsText())
      throw new Error(`the process ended with ${JSON.stringify(ended)}; its output:\n${this.stdout}${this.stderr}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }
}

/** A connection to a running provider. */
export interface Connection {
  readonly carrier: CarrierClient;
  readonly provider: Provider;
  /** Creates a `fixture_task` with a behavior. Configures the provider first if it is not configured. */
  create(behavior: string, options?: { readonly secret?: string; readonly signal?: AbortSignal }): Promise<ApplyResourceChangeResponse>;
  /** Configures the provider; `trace` is a file to which its handlers and its cleanup write. */
  configure(label: string, trace?: string): Promise<void>;
  /** The Shutdown call of go-plugin's controller. */
  shutDown(): Promise<void>;
  /** Output that arrives through go-plugin's stdio service. */
  printed(signal?: AbortSignal): AsyncIterable<string>;
}

/** A provider process that was started as a host starts it, with a connection to it. */
export interface HostedProvider extends Connection, AsyncDisposable {
  readonly process: ProviderProcess;
  /** The handshake line, unparsed. */
  readonly line: string;
  readonly handshake: HandshakeLine;
  /** Opens another connection to the same process. */
  connect(): Connection;
}

/** Options of {@link host}. */
export interface HostOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** Whether the host sends a client certificate. Default: true. */
  readonly tls?: boolean;
  /** Whether the provider leads a process group. Default: false. */
  readonly ownGroup?: boolean;
}

/** Starts a provider as a host does, and connects to it. */
export async function host(
  command: readonly string[],
  { environment = {}, tls = true, ownGroup = false }: HostOptions = {},
): Promise<HostedProvider> {
  const certificate = tls ? createCertificate() : undefined;
  const certificateVariable = certificate ? { PLUGIN_CLIENT_CERT: certificate.certificatePem } : {};
  const process = new ProviderProcess(command, { ...hostEnvironment, ...certificateVariable, ...environment }, ownGroup);
  await process.waitForOutput("\n");
  const line = process.stdout.slice(0, process.stdout.indexOf("\n"));
  const handshake = parseHandshakeLine(line);
  const connections: Connection[] = [];
  const instance = { configured: false };
  const connectAgain = (): Connection => {
    const connection = connect(handshake.address, handshake.protocolVersion, {
      ...(certificate && handshake.certificate
        ? { tls: { ...certificate, serverCertificatePem: certificateToPem(handshake.certificate) } }
        : {}),
      instance,
    });
    connections.push(connection);
    return connection;
  };
  const first = connectAgain();
  return {
    ...first,
    process,
    line,
    handshake,
    connect: connectAgain,
    async [Symbol.asyncDispose]() {
      await Promise.all(connections.map(({ carrier }) => carrier.close()));
      await process[Symbol.asyncDispose]();
    },
  };
}

/** A process that has started a provider, as a host does. */
export interface HostProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Process id of the provider. */
  readonly providerPid: number;
  /** The provider's handshake line, unparsed. */
  readonly line: string;
}

/** Starts a process that starts a provider and keeps running. A test can kill it to simulate a crash of the host. */
export async function startHostProcess(command: readonly string[]): Promise<HostProcess> {
  const [program, ...args] = command;
  const script = `
    const { spawn } = require("node:child_process");
    const child = spawn(${JSON.stringify(program)}, ${JSON.stringify(args)}, { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.once("data", (line) => console.log("pid " + child.pid + "; " + line));
  `;
  const starter = new ProviderProcess([process.execPath, "-e", script], hostEnvironment);
  await starter.waitForOutput(/pid \d+; .*\n/);
  const [, pid, line = ""] = /pid (\d+); (.*)/.exec(starter.stdout) ?? [];
  return { child: starter.child, providerPid: Number(pid), line, [Symbol.asyncDispose]: () => starter[Symbol.asyncDispose]() };
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Connects to a running provider, like a host that reattaches. */
export function connect(
  address: PluginAddress,
  protocolVersion: number,
  { tls, instance = { configured: false } }: Pick<CarrierClientOptions, "tls"> & { readonly instance?: { configured: boolean } } = {},
): Connection {
  const carrier = openCarrierClient({ address, ...(tls ? { tls } : {}) });
  const { transport } = carrier;
  const provider = (protocolVersion === 5 ? createClient5 : createClient6)(transport, { close: () => carrier.close() });
  const configure = async (label: string, trace?: string): Promise<void> => {
    instance.configured = true;
    const type = object({ label: string, trace: string });
    const { diagnostics } = await provider.configureProvider({
      terraformVersion: "1.12.6",
      config: of(type, { label, trace: trace ?? null }),
    });
    if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  };
  return {
    carrier,
    provider,
    configure,
    async create(behavior, { secret, signal } = {}) {
      if (!instance.configured) await configure("default");
      const config = of(task, { behavior, secret: secret ?? null, result: null });
      return provider.applyResourceChange(
        {
          typeName: "fixture_task",
          priorState: nullOf(task),
          plannedState: planned(behavior, secret),
          config,
          plannedPrivate: new Uint8Array(),
        },
        signal ? { signal } : {},
      );
    },
    async shutDown() {
      await transport.unary(GRPCController.method.shutdown, undefined, undefined, undefined, {});
    },
    async *printed(signal) {
      const stream = await transport.stream(GRPCStdio.method.streamStdio, signal, undefined, undefined, once({}));
      for await (const { data } of stream.message) yield new TextDecoder().decode(data);
    },
  };
}

const task = object({ behavior: string, secret: string, result: string });

function planned(behavior: string, secret: string | undefined): Value {
  return of(task, { behavior, secret: secret ?? null, result: unknown(string) });
}

async function* once<T>(element: T): AsyncIterable<T> {
  yield element;
}

/** The environment of the tests, without variables of a host or a debugger that runs the tests. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TF_|PLUGIN_|TENON_|NODE_OPTIONS$)/.test(name)));
}
