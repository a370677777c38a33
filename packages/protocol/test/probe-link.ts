// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@connectrpc/connect";
import type {
  CarrierClient,
  CarrierClientOptions,
  CarrierServer,
  CarrierServerOptions,
  CarrierSession,
  CreateCarrierServer,
  OpenCarrierClient,
} from "../src/carrier/carrier.ts";
import { type Certificate, createCertificate } from "../src/certificate/certificate.ts";
import type { PluginAddress } from "../src/handshake/plugin-address.ts";
import { Probe } from "./gen/probe_pb.ts";
import { type ProbeLog, probeService } from "./probe-service.ts";

/** Client and server to test with each other. */
export interface CarrierPair {
  readonly openCarrierClient: OpenCarrierClient;
  readonly createCarrierServer: CreateCarrierServer;
}

/** Kind of connection between client and server. */
export interface LinkKind {
  readonly network: PluginAddress["network"];
  readonly secure: boolean;
}

export const linkKinds: readonly LinkKind[] = [
  { network: "unix", secure: true },
  { network: "unix", secure: false },
  { network: "tcp", secure: true },
  { network: "tcp", secure: false },
];

export interface LinkOptions extends Partial<LinkKind> {
  readonly client?: Partial<CarrierClientOptions>;
  readonly server?: Partial<CarrierServerOptions>;
  /** Delay between a connection and its acceptance, in milliseconds. */
  readonly acceptAfter?: number;
}

/** A server with the probe service, and a connected client. */
export interface Link extends AsyncDisposable {
  readonly address: PluginAddress;
  readonly server: CarrierServer;
  readonly client: CarrierClient;
  readonly probe: Client<typeof Probe>;
  readonly log: ProbeLog;
  /** Sockets of the server. */
  readonly sockets: readonly Socket[];
  readonly opened: CarrierSession[];
  readonly ended: CarrierSession[];
  readonly connectionErrors: Error[];
  /** Opens another client. */
  connect(options?: Partial<CarrierClientOptions>): CarrierClient;
}

/** Certificates of the server, the client and an unrelated peer, shared because creating keys for each test would be slow. */
export const certificates: Readonly<Record<"server" | "client" | "unrelated", Certificate>> = {
  server: createCertificate(),
  client: createCertificate(),
  unrelated: createCertificate(),
};

/** Starts a server with the probe service, and connects a client. */
export async function openLink(pair: CarrierPair, options: LinkOptions = {}): Promise<Link> {
  const { network = "unix", secure = true, acceptAfter = 0 } = options;
  const log: ProbeLog = { started: [], sent: [], cancelled: [], headers: [] };
  const opened: CarrierSession[] = [];
  const ended: CarrierSession[] = [];
  const connectionErrors: Error[] = [];
  const server = pair.createCarrierServer({
    services: [probeService(log)],
    ...(secure ? { tls: { ...certificates.server, clientCertificatePem: certificates.client.certificatePem } } : {}),
    onSessionOpen: (session) => void opened.push(session),
    onSessionClose: (session) => void ended.push(session),
    onConnectionError: (error) => void connectionErrors.push(error),
    ...options.server,
  });
  const listening = await listen(network, (socket) => {
    if (acceptAfter === 0) server.accept(socket);
    else setTimeout(() => server.accept(socket), acceptAfter);
  });
  const clients: CarrierClient[] = [];
  const connect = (overrides: Partial<CarrierClientOptions> = {}): CarrierClient => {
    const client = pair.openCarrierClient({
      address: listening.address,
      ...(secure ? { tls: { ...certificates.client, serverCertificatePem: certificates.server.certificatePem } } : {}),
      ...options.client,
      ...overrides,
    });
    clients.push(client);
    return client;
  };
  const client = connect();
  return {
    address: listening.address,
    server,
    client,
    probe: createClient(Probe, client.transport),
    log,
    sockets: listening.sockets,
    opened,
    ended,
    connectionErrors,
    connect,
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((each) => each.close()));
      await server.close();
      await listening[Symbol.asyncDispose]();
    },
  };
}

/** Listens on a new address. Without `onSocket`, connections are accepted and nothing is sent. */
export async function listen(
  network: PluginAddress["network"],
  onSocket: (socket: Socket) => void = () => {},
): Promise<AsyncDisposable & { readonly address: PluginAddress; readonly sockets: readonly Socket[] }> {
  const sockets: Socket[] = [];
  const listener = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    onSocket(socket);
  });
  const folder = mkdtempSync(join(tmpdir(), "link-"));
  const path = join(folder, "s");
  await new Promise<void>((resolve) => {
    if (network === "unix") listener.listen(path, resolve);
    else listener.listen(0, "127.0.0.1", resolve);
  });
  const address: PluginAddress =
    network === "unix" ? { network, path } : { network, host: "127.0.0.1", port: (listener.address() as AddressInfo).port };
  return {
    address,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
