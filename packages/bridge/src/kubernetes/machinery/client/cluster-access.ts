// SPDX-License-Identifier: Apache-2.0
import type { CredentialSource } from "./credentials.ts";

/** The address of an API server, and the credentials of a client. */
export interface ClusterAccess {
  readonly server: URL;
  /** Certificates of the accepted certificate authorities, as PEM. Default: those of Node.js. */
  readonly certificateAuthorities?: string | undefined;
  /** Expected name in the certificate of the server. Default: the host of `server`. */
  readonly serverName?: string | undefined;
  /** Whether to accept the certificate of the server without verification. Default: false. */
  readonly insecure?: boolean;
  /** Address of an HTTP proxy. Default: none. */
  readonly proxy?: URL | undefined;
  readonly credentials: CredentialSource;
  /** User as whom requests are made, which needs the permission to impersonate. Default: the user of the credentials. */
  readonly impersonation?: Impersonation | undefined;
  /** Default namespace of the client: the namespace of its pod, or of the kubeconfig context. */
  readonly namespace: string;
}

/** The user as whom requests are made. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
}
