// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { BridgeError } from "../../../error.ts";
import type { ClusterAccess, Impersonation } from "./cluster-access.ts";
import { FixedCredential, TokenFile, type ClientCertificate, type CredentialSource } from "./credentials.ts";
import { ExecCredential, type ExecCluster, type ExecSettings } from "./exec-credential.ts";

interface Cluster {
  readonly server?: string;
  readonly "certificate-authority"?: string;
  readonly "certificate-authority-data"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  readonly "tls-server-name"?: string;
  readonly "proxy-url"?: string;
}

interface User {
  readonly "client-certificate"?: string;
  readonly "client-certificate-data"?: string;
  readonly "client-key"?: string;
  readonly "client-key-data"?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: ExecSettings;
  readonly "auth-provider"?: { readonly name?: string };
  readonly as?: string;
  readonly "as-uid"?: string;
  readonly "as-groups"?: readonly string[];
}

interface Context {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** A section of a file, with the folder to which its relative paths refer. */
interface Located<Section> {
  readonly section: Section;
  readonly folder: string;
}

interface Kubeconfig {
  currentContext: string | undefined;
  readonly clusters: Map<string, Located<Cluster>>;
  readonly users: Map<string, Located<User>>;
  readonly contexts: Map<string, Located<Context>>;
}

/** Options of {@link readKubeconfig}. */
export interface KubeconfigOptions {
  /** Name of the context. Default: the current context of the first file that has one. */
  readonly context?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Reads kubeconfig files. If several files have a section of the same name, the first one has precedence, as in kubectl.
 *
 * @throws BridgeError `INVALID_KUBECONFIG`
 */
export function readKubeconfig(files: readonly string[], options: KubeconfigOptions): ClusterAccess {
  const config = mergedFiles(files);
  const names = files.join(", ");
  const contextName = options.context ?? config.currentContext;
  if (!contextName) throw invalid(`${names}: there is no current context: set current-context, or select a context`);
  const context = requireSection(config.contexts, "context", contextName, names).section;
  const cluster = requireSection(config.clusters, "cluster", context.cluster, names);
  const user: Located<User> = context.user ? requireSection(config.users, "user", context.user, names) : { section: {}, folder: "" };
  const { server, "proxy-url": proxy, "tls-server-name": serverName, "insecure-skip-tls-verify": insecure } = cluster.section;
  const authorities = pemText(cluster, "certificate-authority");
  return {
    server: url(server ?? "", `the server of cluster ${context.cluster}`),
    ...(authorities === undefined ? {} : { certificateAuthorities: authorities }),
    ...(serverName ? { serverName } : {}),
    ...(insecure ? { insecure } : {}),
    ...(proxy ? { proxy: url(proxy, `the proxy-url of cluster ${context.cluster}`) } : {}),
    credentials: credentialsOf(user, execCluster(cluster.section, authorities), options.environment),
    ...impersonationOf(user.section),
    namespace: context.namespace ?? "default",
  };
}

function mergedFiles(files: readonly string[]): Kubeconfig {
  const merged: Kubeconfig = { currentContext: undefined, clusters: new Map(), users: new Map(), contexts: new Map() };
  let read = 0;
  for (const file of files) {
    const parsed = parsedFile(file, files.length > 1);
    if (parsed === undefined) continue;
    read += 1;
    const folder = dirname(resolve(file));
    merged.currentContext ||= parsed["current-context"];
    addSections(merged.clusters, parsed.clusters, "cluster", folder);
    addSections(merged.users, parsed.users, "user", folder);
    addSections(merged.contexts, parsed.contexts, "context", folder);
  }
  if (read === 0) throw invalid(`none of the kubeconfig files exists: ${files.join(", ")}`);
  return merged;
}

interface KubeconfigFile {
  readonly "current-context"?: string;
  readonly clusters?: readonly NamedSection[] | null;
  readonly users?: readonly NamedSection[] | null;
  readonly contexts?: readonly NamedSection[] | null;
}

type NamedSection = { readonly name?: string } & Readonly<Record<string, unknown>>;

function parsedFile(file: string, mayBeAbsent: boolean): KubeconfigFile | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    if (mayBeAbsent && (cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw invalid(`${file} cannot be read: ${(cause as Error).message}`, cause);
  }
  try {
    return (parse(text) as KubeconfigFile | null) ?? {};
  } catch (cause) {
    // The message of the parser quotes lines of the file, which may contain credentials.
    throw invalid(`${file} is not valid YAML at ${positionOf(cause)}`);
  }
}

function positionOf(cause: unknown): string {
  const [start] = (cause as { readonly linePos?: readonly { readonly line: number; readonly col: number }[] }).linePos ?? [];
  return start ? `line ${start.line}, column ${start.col}` : "an unknown position";
}

function addSections<Section>(
  sections: Map<string, Located<Section>>,
  list: readonly NamedSection[] | null | undefined,
  key: string,
  folder: string,
): void {
  for (const named of list ?? []) {
    if (named.name === undefined || sections.has(named.name)) continue;
    sections.set(named.name, { section: (named[key] ?? {}) as Section, folder });
  }
}

function requireSection<Section>(
  sections: ReadonlyMap<string, Located<Section>>,
  what: string,
  name: string | undefined,
  files: string,
): Located<Section> {
  const section = sections.get(name ?? "");
  if (section === undefined) throw invalid(`${files}: there is no ${what} ${JSON.stringify(name ?? "")}`);
  return section;
}

/** The PEM text of a setting that is either data or a path. */
function pemText<Name extends string>(
  { section, folder }: Located<{ readonly [Key in Name | `${Name}-data`]?: string } | object>,
  name: Name,
): string | undefined {
  const fields = section as Readonly<Record<string, string | undefined>>;
  const data = fields[`${name}-data`];
  if (data) return Buffer.from(data, "base64").toString("utf8");
  const path = fields[name];
  if (!path) return undefined;
  try {
    return readFileSync(resolve(folder, path), "utf8");
  } catch (cause) {
    throw invalid(`the file of ${name} cannot be read: ${(cause as Error).message}`, cause);
  }
}

function credentialsOf(user: Located<User>, cluster: ExecCluster, environment: NodeJS.ProcessEnv): CredentialSource {
  const { token, tokenFile, username, password, exec, "auth-provider": provider } = user.section;
  const cert = pemText(user, "client-certificate");
  const key = pemText(user, "client-key");
  if ((cert === undefined) !== (key === undefined)) throw invalid("the user must have both client-certificate and client-key, or neither");
  const certificate: ClientCertificate | undefined = cert !== undefined && key !== undefined ? { cert, key } : undefined;
  if (tokenFile) return new TokenFile(resolve(user.folder, tokenFile), certificate);
  if (exec && !certificate && !token) return new ExecCredential(exec, user.folder, cluster, environment);
  if (provider && !certificate && !token) {
    throw invalid(`the user has the auth-provider ${JSON.stringify(provider.name)}, which Kubernetes has removed: use an exec plugin`);
  }
  const basic = username ? `Basic ${Buffer.from(`${username}:${password ?? ""}`).toString("base64")}` : undefined;
  const authorization = token ? `Bearer ${token}` : basic;
  return new FixedCredential({ ...(authorization ? { authorization } : {}), ...(certificate ? { certificate } : {}) });
}

function execCluster(cluster: Cluster, authorities: string | undefined): ExecCluster {
  return {
    server: cluster.server ?? "",
    ...(cluster["tls-server-name"] ? { "tls-server-name": cluster["tls-server-name"] } : {}),
    ...(cluster["insecure-skip-tls-verify"] ? { "insecure-skip-tls-verify": true } : {}),
    ...(authorities === undefined ? {} : { "certificate-authority-data": Buffer.from(authorities).toString("base64") }),
    ...(cluster["proxy-url"] ? { "proxy-url": cluster["proxy-url"] } : {}),
  };
}

function impersonationOf({ as: user, "as-uid": uid, "as-groups": groups }: User): { readonly impersonation?: Impersonation } {
  return user ? { impersonation: { user, ...(uid ? { uid } : {}), ...(groups ? { groups } : {}) } } : {};
}

function url(text: string, what: string): URL {
  const parsed = URL.parse(text);
  if (parsed?.protocol === "https:" || parsed?.protocol === "http:") return parsed;
  throw invalid(`${what} is not an http: or https: address`);
}

function invalid(message: string, cause?: unknown): BridgeError {
  return new BridgeError("INVALID_KUBECONFIG", message, cause === undefined ? {} : { cause });
}
