// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { isAbsolute, resolve } from "node:path";
import { promisify } from "node:util";
import { BridgeError } from "../../../error.ts";
import type { Credential, CredentialSource } from "./credentials.ts";

/** The `exec` section of a user in a kubeconfig file. */
export interface ExecSettings {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly interactiveMode?: string;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
}

/** The description of the cluster that a plugin gets if it requests one. */
export interface ExecCluster {
  readonly server: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
}

const apiVersions: readonly string[] = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

/** Time before its expiry at which a credential is renewed, in milliseconds. */
const renewBeforeMs = 10_000;

/** Time limit of a plugin, in milliseconds. */
const timeoutMs = 60_000;

/**
 * Credentials from an exec plugin: a command that prints an `ExecCredential` as JSON. They are cached until they expire.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 */
export class ExecCredential implements CredentialSource {
  readonly #settings: ExecSettings & { readonly command: string; readonly apiVersion: string };
  readonly #folder: string;
  readonly #cluster: ExecCluster;
  readonly #environment: NodeJS.ProcessEnv;
  #cached: { readonly credential: Credential; readonly validUntil: number } | undefined;
  #pending: Promise<Credential> | undefined;

  /**
   * @param folder - Folder of the kubeconfig file, to which relative paths of the command refer.
   * @throws BridgeError `INVALID_KUBECONFIG`
   */
  constructor(settings: ExecSettings, folder: string, cluster: ExecCluster, environment: NodeJS.ProcessEnv) {
    const { command, apiVersion, interactiveMode } = settings;
    if (command === undefined || command === "") throw new BridgeError("INVALID_KUBECONFIG", "the exec section of the user has no command");
    if (apiVersion === undefined || !apiVersions.includes(apiVersion)) {
      const message = `the exec section of the user has apiVersion ${JSON.stringify(apiVersion)}; supported are ${apiVersions.join(", ")}`;
      throw new BridgeError("INVALID_KUBECONFIG", message);
    }
    if (interactiveMode === "Always") {
      throw new BridgeError(
        "INVALID_KUBECONFIG",
        `the exec plugin ${command} needs a terminal (interactiveMode: Always), which a controller does not have`,
      );
    }
    this.#settings = { ...settings, command, apiVersion };
    this.#folder = folder;
    this.#cluster = cluster;
    this.#environment = environment;
  }

  async current(): Promise<Credential> {
    if (this.#cached && Date.now() < this.#cached.validUntil) return this.#cached.credential;
    this.#pending ??= this.#run().finally(() => (this.#pending = undefined));
    return await this.#pending;
  }

  invalidate(): void {
    this.#cached = undefined;
  }

  async #run(): Promise<Credential> {
    const { command, args, env, apiVersion, installHint, provideClusterInfo } = this.#settings;
    const spec = { interactive: false, ...(provideClusterInfo ? { cluster: this.#cluster } : {}) };
    const options = {
      timeout: timeoutMs,
      env: {
        ...this.#environment,
        ...Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
        KUBERNETES_EXEC_INFO: JSON.stringify({ apiVersion, kind: "ExecCredential", spec }),
      },
    };
    const isPath = command.includes("/") && !isAbsolute(command);
    let stdout: string;
    try {
      ({ stdout } = await promisify(execFile)(isPath ? resolve(this.#folder, command) : command, [...(args ?? [])], options));
    } catch (cause) {
      // The message of the error contains output of the plugin, which may include a credential.
      const { code, signal } = cause as { readonly code?: string | number; readonly signal?: string };
      const how = code === "ENOENT" ? "was not found" : `failed (${signal ?? code ?? "unknown cause"})`;
      throw new BridgeError("CREDENTIALS_FAILED", `the exec plugin ${command} ${how}${installHint ? `: ${installHint}` : ""}`);
    }
    const { credential, validUntil } = parseExecCredential(command, apiVersion, stdout);
    this.#cached = { credential, validUntil };
    return credential;
  }
}

interface ExecStatus {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  readonly expirationTimestamp?: string;
}

function parseExecCredential(
  command: string,
  apiVersion: string,
  output: string,
): { readonly credential: Credential; readonly validUntil: number } {
  const invalid = (what: string): BridgeError => new BridgeError("CREDENTIALS_FAILED", `the exec plugin ${command} printed ${what}`);
  let parsed: { readonly apiVersion?: string; readonly kind?: string; readonly status?: ExecStatus };
  try {
    parsed = JSON.parse(output) as typeof parsed;
  } catch {
    throw invalid("text that is not JSON");
  }
  if (parsed.kind !== "ExecCredential" || parsed.apiVersion !== apiVersion) throw invalid(`no ExecCredential of ${apiVersion}`);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = parsed.status ?? {};
  if (!token && !(cert && key)) throw invalid("neither a token nor a client certificate with its key");
  const expiry = expirationTimestamp === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTimestamp);
  if (Number.isNaN(expiry)) throw invalid("an invalid expirationTimestamp");
  return {
    credential: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(cert && key ? { certificate: { cert, key } } : {}) },
    validUntil: expiry - renewBeforeMs,
  };
}
