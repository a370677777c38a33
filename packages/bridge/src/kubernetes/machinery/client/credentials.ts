// SPDX-License-Identifier: Apache-2.0
import { readFile } from "node:fs/promises";
import { BridgeError } from "../../../error.ts";

/** A client certificate and its key, as PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The credential of a client. Either part may be absent. */
export interface Credential {
  /** Value of the `Authorization` header. */
  readonly authorization?: string;
  readonly certificate?: ClientCertificate;
}

/** A source of credentials. */
export interface CredentialSource {
  /** Returns the current credential, from a cache while it is valid. */
  current(): Promise<Credential>;
  /** Drops the cached credential, because the server rejected it. */
  invalidate(): void;
}

/** A credential that never changes. */
export class FixedCredential implements CredentialSource {
  readonly #credential: Credential;

  constructor(credential: Credential) {
    this.#credential = credential;
  }

  async current(): Promise<Credential> {
    return this.#credential;
  }

  invalidate(): void {
    // Another attempt would use the same credential.
  }
}

/** Time after which a token file is read again, in milliseconds. The kubelet replaces a token long before it expires. */
const tokenFileMs = 60_000;

/** A bearer token in a file that is replaced from time to time, such as the token of a pod's ServiceAccount. */
export class TokenFile implements CredentialSource {
  readonly #path: string;
  readonly #certificate: ClientCertificate | undefined;
  readonly #now: () => number;
  #cached: { readonly credential: Credential; readonly readAt: number } | undefined;

  constructor(path: string, certificate?: ClientCertificate, now: () => number = () => performance.now()) {
    this.#path = path;
    this.#certificate = certificate;
    this.#now = now;
  }

  async current(): Promise<Credential> {
    if (this.#cached && this.#now() - this.#cached.readAt < tokenFileMs) return this.#cached.credential;
    const credential = await this.#read();
    this.#cached = { credential, readAt: this.#now() };
    return credential;
  }

  invalidate(): void {
    this.#cached = undefined;
  }

  async #read(): Promise<Credential> {
    let token: string;
    try {
      token = (await readFile(this.#path, "utf8")).trim();
    } catch (cause) {
      throw new BridgeError("CREDENTIALS_FAILED", `the token file ${this.#path} cannot be read: ${(cause as Error).message}`, { cause });
    }
    if (token === "") throw new BridgeError("CREDENTIALS_FAILED", `the token file ${this.#path} is empty`);
    return { authorization: `Bearer ${token}`, ...(this.#certificate ? { certificate: this.#certificate } : {}) };
  }
}
