// SPDX-License-Identifier: Apache-2.0
import type { CredentialSource } from "./credentials.ts";

/** Address of an API server, and how a client proves who it is. */
export interface ClusterAccess {
  readonly server: URL;
  /** Certificates of authorities that may have issued the server's certificate, as PEM. Default: those of Node.js. */
  readonly certificateAuthorities?: string | undefined;
  /** Name that the server's certificate must have. Default: the host of `server`. */
  readonly serverName?: string | undefined;
  /** Whether the server's certificate is accepted without verification. Default: false. */
  readonly insecure?: boolean;
  /** Address of an HTTP proxy. Default: none. */
  readonly proxy?: URL | undefined;
  readonly credentials: CredentialSource;
  /** User that requests are made for; needs the permission to impersonate. Default: the user of the credentials. */
  readonly impersonation?: Impersonation | undefined;
  /** Namespace of the client: that of its pod, or that of the kubeconfig context. */
  readonly namespace: string;
}

/** User that requests are made for. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
}
