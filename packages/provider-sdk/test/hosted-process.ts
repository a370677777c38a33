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

/** A program of `test/fixtures`. */
export function fixture(name: string): readonly string[] {
  return [process.execPath, join(import.meta.dirname, "fixtures", name)];
}

/** What a host puts into the environment, without a client certificate. */
export const hostEnvironment: Readonly<Record<string, string>> = {
  [magicCookie.variable]: magicCookie.value,
  PLUGIN_MIN_PORT: "10000",
  PLUGIN_MAX_PORT: "25000",
  PLUGIN_PROTOCOL_VERSIONS: "6,5",
};

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process with what it said so far. */
export class ProviderProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  stdout = "";
  stderr = "";

  constructor(command: readonly string[], environment: NodeJS.ProcessEnv) {
    const [program = "", ...args] = command;
    this.child = spawn(program, args, { env: { ...cleanEnvironment(), ...environment }, stdio: ["ignore", "pipe", "pipe"] });
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve) => {
      this.child.once("close", (code, signal) => resolve({ code, signal }));
    });
  }

  /** Waits for a text on either stream. */
  async saying(text: string | RegExp): Promise<void> {
    const said = (): boolean =>
      [this.stdout, this.stderr].some((output) => (typeof text === "string" ? output.includes(text) : text.test(output)));
    while (!said()) {
      const ended = await Promise.race([this.ended, new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 10))]);
      if (ended !== undefined && !said())
        throw new Error(`the process ended with ${JSON.stringify(ended)} and said\n${this.stdout}${this.stderr}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }
}

/** A connection to a provider that runs. */
export interface Connection {
  readonly carrier: CarrierClient;
  readonly provider: Provider;
  /** Creates a `fixture_deed` that does this; configures the provider before, unless that has been done. */
  create(what: string, options?: { readonly secret?: string; readonly signal?: AbortSignal }): Promise<ApplyResourceChangeResponse>;
  /** Configures the provider; `trace` is a file its cleanup writes to. */
  configure(label: string, trace?: string): Promise<void>;
  /** The Shutdown call of go-plugin's controller. */
  shutDown(): Promise<void>;
  /** What comes through go-plugin's stdio service. */
  printed(signal?: AbortSignal): AsyncIterable<string>;
}

/** A provider as a host starts it, connected. */
export interface HostedProvider extends Connection, AsyncDisposable {
  readonly process: ProviderProcess;
  /** The first line as it came. */
  readonly line: string;
  readonly handshake: HandshakeLine;
  /** One more connection to the same process. */
  connect(): Connection;
}

export interface HostOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** Whether the host brings a certificate. Default: true. */
  readonly tls?: boolean;
}

/** Starts a provider as a host does. */
export async function host(command: readonly string[], { environment = {}, tls = true }: HostOptions = {}): Promise<HostedProvider> {
  const certificate = tls ? createCertificate() : undefined;
  const process = new ProviderProcess(command, {
    ...hostEnvironment,
    ...(certificate ? { PLUGIN_CLIENT_CERT: certificate.certificatePem } : {}),
    ...environment,
  });
  await process.saying("\n");
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

/** Connects to a provider that runs, as a host does that attaches to it. */
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
    async create(what, { secret, signal } = {}) {
      if (!instance.configured) await configure("nobody");
      const config = of(deed, { what, secret: secret ?? null, result: null });
      return provider.applyResourceChange(
        {
          typeName: "fixture_deed",
          priorState: nullOf(deed),
          plannedState: planned(what, secret),
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
      const answer = await transport.stream(GRPCStdio.method.streamStdio, signal, undefined, undefined, once({}));
      for await (const { data } of answer.message) yield new TextDecoder().decode(data);
    },
  };
}

const deed = object({ what: string, secret: string, result: string });

function planned(what: string, secret: string | undefined): Value {
  return of(deed, { what, secret: secret ?? null, result: unknown(string) });
}

async function* once<T>(element: T): AsyncIterable<T> {
  yield element;
}

/** What the tests' own host, or a debugger, put into the environment is none of the provider's. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TF_|PLUGIN_|TENON_|NODE_OPTIONS$)/.test(name)));
}
