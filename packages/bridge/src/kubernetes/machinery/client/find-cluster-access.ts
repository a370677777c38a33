// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { BridgeError } from "../../../error.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { TokenFile } from "./credentials.ts";

/** Options of {@link findClusterAccess}. */
export interface ClusterAccessOptions {
  /** Path of a kubeconfig file. Default: the first that exists of the files in `KUBECONFIG`, the ServiceAccount of the pod, and `~/.kube/config`. */
  readonly kubeconfig?: string | undefined;
  /** Context of the kubeconfig file. Default: its current context. */
  readonly context?: string | undefined;
  /** The environment variables. Default: `process.env`. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Folder with the token of the pod's ServiceAccount. Default: the folder in which the kubelet mounts it. */
  readonly serviceAccountFolder?: string;
}

const defaultServiceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * Finds the API server in the same places as other clients.
 *
 * @throws BridgeError `INVALID_KUBECONFIG`
 */
export async function findClusterAccess(options: ClusterAccessOptions = {}): Promise<ClusterAccess> {
  const { environment = process.env, serviceAccountFolder = defaultServiceAccountFolder } = options;
  const listed = options.kubeconfig === undefined ? environment["KUBECONFIG"]?.split(delimiter).filter(Boolean) : [options.kubeconfig];
  if (listed !== undefined && listed.length > 0) return await fromKubeconfig(listed, options, environment);
  const access = inClusterAccess(environment, serviceAccountFolder);
  if (access) return access;
  const file = join(environment["HOME"] ?? homedir(), ".kube", "config");
  if (existsSync(file)) return await fromKubeconfig([file], options, environment);
  const message = `no API server is configured: set KUBECONFIG, create ${file}, or run in a pod with a ServiceAccount`;
  throw new BridgeError("INVALID_KUBECONFIG", message);
}

async function fromKubeconfig(
  files: readonly string[],
  { context }: ClusterAccessOptions,
  environment: NodeJS.ProcessEnv,
): Promise<ClusterAccess> {
  // Loaded only here, because a pod does not need the YAML parser.
  const { readKubeconfig } = await import("./kubeconfig.ts");
  return readKubeconfig(files, { context, environment });
}

/** Access with the ServiceAccount of the pod; undefined outside a pod. */
export function inClusterAccess(environment: NodeJS.ProcessEnv, folder: string): ClusterAccess | undefined {
  const host = environment["KUBERNETES_SERVICE_HOST"];
  const port = environment["KUBERNETES_SERVICE_PORT"];
  const tokenPath = join(folder, "token");
  if (!host || !port || !existsSync(tokenPath)) return undefined;
  return {
    server: new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`),
    certificateAuthorities: readFileSync(join(folder, "ca.crt"), "utf8"),
    credentials: new TokenFile(tokenPath),
    namespace: readFileSync(join(folder, "namespace"), "utf8").trim(),
  };
}
