// SPDX-License-Identifier: Apache-2.0
// A Kubernetes API server with an etcd of its own, on loopback, in a temporary folder.
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request, type RequestOptions } from "node:https";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCertificate } from "@tenon/protocol/certificate";
import { PeerProcess } from "./peer-process.ts";
import type { Peer } from "./peers.ts";

/** The programs of a server, as `describePeer(["kube-apiserver", "etcd"], …)` passes them to its body. */
export interface KubernetesPrograms {
  readonly "kube-apiserver": Pick<Peer, "path">;
  readonly etcd: Pick<Peer, "path">;
}

export interface KubernetesServerOptions {
  /** Groups of users, by user name. Each user has a token, and no rights until a binding grants some. Default: `nobody`, without groups. */
  readonly users?: Readonly<Record<string, readonly string[]>>;
  /** More flags for kube-apiserver, such as `--watch-cache=false`. */
  readonly flags?: readonly string[];
}

/** What a client proves its identity with. None: an anonymous request. */
export interface KubernetesCredentials {
  readonly token?: string;
  readonly certificate?: ClientCertificate;
}

/** A certificate of a client and its key, in PEM. */
export interface ClientCertificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

export interface KubernetesResponse {
  readonly status: number;
  /** The parsed JSON; a text when the server sent something else. */
  // oxlint-disable-next-line typescript/no-explicit-any -- Objects of any API, of which a test reads what it expects.
  readonly body: any;
  /** The text of the body. */
  readonly text: string;
}

/**
 * A real API server for a test. RBAC decides about every request; objects are of no consequence, because no controller runs: namespaces
 * are never finally deleted, and nothing deletes the dependents of a deleted owner.
 *
 * @example
 * describePeer(["kube-apiserver", "etcd"], "the client", (programs) => {
 *   let server: KubernetesServer;
 *   beforeAll(async () => void (server = await KubernetesServer.start(programs)));
 *   afterAll(() => server[Symbol.asyncDispose]());
 * });
 */
export class KubernetesServer implements AsyncDisposable {
  /** Address, such as `https://127.0.0.1:40321`. It stays the same when the server is restarted. */
  readonly url: string;
  /** Address of etcd's client port, without TLS. */
  readonly etcdUrl: string;
  /** Temporary folder of this server, deleted by the disposal. */
  readonly folder: string;
  /** Token of an administrator, a member of `system:masters`. */
  readonly adminToken: string;
  /** A certificate that the server accepts for the user `localhost` of the group `Tenon`, who has no rights until a binding grants some. */
  readonly clientCertificate: ClientCertificate;

  readonly #programs: KubernetesPrograms;
  readonly #apiServerFlags: readonly string[];
  readonly #tokens: ReadonlyMap<string, string>;
  readonly #agents = new Map<string, Agent>();
  #etcd!: PeerProcess;
  #apiServer!: PeerProcess;

  private constructor(programs: KubernetesPrograms, options: KubernetesServerOptions, folder: string, ports: Ports) {
    this.#programs = programs;
    this.folder = folder;
    this.url = `https://127.0.0.1:${ports.api}`;
    this.etcdUrl = `http://127.0.0.1:${ports.etcd}`;
    this.clientCertificate = createCertificate();
    const users = { admin: ["system:masters"], nobody: [], ...options.users };
    this.#tokens = new Map(Object.keys(users).map((name) => [name, randomBytes(16).toString("hex")]));
    this.adminToken = this.token("admin");
    this.#apiServerFlags = [
      ...identityFlags(folder, this.clientCertificate, users, this.#tokens),
      `--etcd-servers=${this.etcdUrl}`,
      "--bind-address=127.0.0.1",
      `--secure-port=${ports.api}`,
      `--cert-dir=${join(folder, "certificates")}`,
      "--advertise-address=127.0.0.1",
      // The endpoints of the service `kubernetes` cannot be on loopback.
      "--endpoint-reconciler-type=none",
      "--service-cluster-ip-range=10.0.0.0/24",
      "--authorization-mode=RBAC",
      ...(options.flags ?? []),
    ];
  }

  /** Starts both programs, and waits until the API server is ready: some 3 seconds. */
  static async start(programs: KubernetesPrograms, options: KubernetesServerOptions = {}): Promise<KubernetesServer> {
    for (let attempt = 1; ; attempt += 1) {
      const folder = mkdtempSync(join(tmpdir(), "tenon-kubernetes-"));
      const server = new KubernetesServer(programs, options, folder, await freePorts());
      try {
        await server.#startEtcd();
        await server.startApiServer();
        return server;
      } catch (error) {
        await server[Symbol.asyncDispose]();
        // Another process took one of the free ports first.
        if (attempt < 3 && error instanceof Error && error.message.includes("address already in use")) continue;
        throw error;
      }
    }
  }

  /** The API server, for tests that send it signals. */
  get apiServer(): PeerProcess {
    return this.#apiServer;
  }

  /** The certificate, in PEM, that clients must trust. */
  get certificateAuthority(): string {
    return readFileSync(join(this.folder, "certificates", "apiserver.crt"), "utf8");
  }

  /** The token of a user of the options. */
  token(user: string): string {
    const token = this.#tokens.get(user);
    if (token === undefined) throw new Error(`the server has no user ${user}; its users are ${[...this.#tokens.keys()].join(", ")}`);
    return token;
  }

  /** Creates a ServiceAccount, and its namespace, unless they exist; returns a token of it that is valid for an hour. */
  async serviceAccountToken(namespace: string, name: string): Promise<string> {
    await this.#create("/api/v1/namespaces", { metadata: { name: namespace } });
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await this.#create(accounts, { metadata: { name } });
    const { body } = await this.#create(`${accounts}/${name}/token`, {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { expirationSeconds: 3600 },
    });
    return String(body.status.token);
  }

  /** The text of a kubeconfig with one context for these credentials. */
  kubeconfig({ token, certificate }: KubernetesCredentials = { token: this.adminToken }, namespace = "default"): string {
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    return JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "test", cluster: { server: this.url, "certificate-authority-data": base64(this.certificateAuthority) } }],
      users: [
        {
          name: "test",
          user: {
            ...(token === undefined ? {} : { token }),
            ...(certificate && {
              "client-certificate-data": base64(certificate.certificatePem),
              "client-key-data": base64(certificate.privateKeyPem),
            }),
          },
        },
      ],
      contexts: [{ name: "test", context: { cluster: "test", user: "test", namespace } }],
      "current-context": "test",
    });
  }

  /**
   * Makes a request with a client of its own, so that a test can check what another client did.
   *
   * @param body Is sent as JSON, or as it is if it is a text.
   * @param contentType Default: `application/json`, and for PATCH `application/merge-patch+json`.
   */
  async request(
    method: string,
    path: string,
    body?: unknown,
    { contentType, signal, ...credentials }: KubernetesCredentials & { readonly contentType?: string; readonly signal?: AbortSignal } = {
      token: this.adminToken,
    },
  ): Promise<KubernetesResponse> {
    const { token, certificate } = Object.keys(credentials).length === 0 ? { token: this.adminToken } : credentials;
    const type = contentType ?? (method === "PATCH" ? "application/merge-patch+json" : "application/json");
    const options: RequestOptions = {
      method,
      agent: this.#agent(certificate),
      ...(signal && { signal }),
      headers: {
        accept: "application/json",
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": type }),
      },
    };
    const sent = request(this.url + path, options);
    sent.end(body === undefined || typeof body === "string" ? body : JSON.stringify(body));
    const [response] = (await once(sent, "response")) as [AsyncIterable<Buffer> & { statusCode: number }];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    return { status: response.statusCode, body: parsed(text), text };
  }

  /** Ends the API server, by SIGKILL unless another signal is given. etcd goes on, so that a later start finds every object. */
  async stopApiServer(signal?: NodeJS.Signals): Promise<void> {
    await this.#apiServer.end(signal);
    this.#closeConnections();
  }

  /** Starts the API server again at the same address, and waits until it is ready. */
  async startApiServer(): Promise<void> {
    this.#apiServer = new PeerProcess(this.#programs["kube-apiserver"].path, this.#apiServerFlags, this.folder);
    await this.#apiServer.ready((signal) => this.#isReady(signal));
  }

  /** Removes the history of every object from etcd up to now. The API server still answers from its watch cache. */
  async compact(): Promise<void> {
    const range = await this.#etcdCall("kv/range", { key: Buffer.from("x").toString("base64") });
    await this.#etcdCall("kv/compaction", { revision: range.header.revision, physical: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closeConnections();
    await this.#apiServer?.end();
    await this.#etcd?.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #startEtcd(): Promise<void> {
    const peer = this.etcdUrl.replace(/\d+$/, "0");
    this.#etcd = new PeerProcess(
      this.#programs.etcd.path,
      [
        `--data-dir=${join(this.folder, "etcd")}`,
        `--listen-client-urls=${this.etcdUrl}`,
        `--advertise-client-urls=${this.etcdUrl}`,
        `--listen-peer-urls=${peer}`,
        "--unsafe-no-fsync",
        "--log-level=error",
      ],
      this.folder,
    );
    await this.#etcd.ready((signal) =>
      fetch(`${this.etcdUrl}/health`, { signal }).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  }

  async #isReady(signal: AbortSignal): Promise<boolean> {
    try {
      return (await this.request("GET", "/readyz", undefined, { token: this.adminToken, signal })).status === 200;
    } catch {
      // Without its certificate or its port, the server is not ready. An agent that has read a part of the certificate would never accept it.
      this.#closeConnections();
      return false;
    }
  }

  async #create(path: string, body: unknown): Promise<KubernetesResponse> {
    const response = await this.request("POST", path, body);
    if (response.status >= 400 && response.status !== 409) throw new Error(`POST ${path}: ${JSON.stringify(response.body)}`);
    return response;
  }

  async #etcdCall(call: string, body: unknown): Promise<{ readonly header: { readonly revision: string } }> {
    const response = await fetch(`${this.etcdUrl}/v3/${call}`, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`etcd ${call}: ${await response.text()}`);
    return (await response.json()) as { header: { revision: string } };
  }

  #agent(certificate: ClientCertificate | undefined): Agent {
    const key = certificate?.certificatePem ?? "";
    let agent = this.#agents.get(key);
    if (agent === undefined) {
      const identity = certificate && { cert: certificate.certificatePem, key: certificate.privateKeyPem };
      agent = new Agent({ keepAlive: true, ca: this.certificateAuthority, ...identity });
      this.#agents.set(key, agent);
    }
    return agent;
  }

  #closeConnections(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }
}

interface Ports {
  readonly api: number;
  readonly etcd: number;
}

/** Two ports that no process uses now. */
async function freePorts(): Promise<Ports> {
  const servers = [createServer(), createServer()];
  const [api = 0, etcd = 0] = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    }),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => void server.close(resolve))));
  return { api, etcd };
}

/** Writes the files that identities are checked with, and returns the flags that name them. */
function identityFlags(
  folder: string,
  client: ClientCertificate,
  users: Readonly<Record<string, readonly string[]>>,
  tokens: ReadonlyMap<string, string>,
): readonly string[] {
  const write = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  mkdirSync(join(folder, "certificates"));
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const rows = Object.entries(users).map(([name, groups], at) => `${tokens.get(name)},${name},${at},"${groups.join(",")}"\n`);
  return [
    `--token-auth-file=${write("tokens.csv", rows.join(""))}`,
    `--client-ca-file=${write("clients.crt", client.certificatePem)}`,
    "--service-account-issuer=https://kubernetes.test",
    `--service-account-key-file=${write("accounts.pub", publicKey.export({ type: "spki", format: "pem" }) as string)}`,
    `--service-account-signing-key-file=${write("accounts.key", privateKey.export({ type: "sec1", format: "pem" }) as string)}`,
    "--disable-admission-plugins=ServiceAccount",
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
