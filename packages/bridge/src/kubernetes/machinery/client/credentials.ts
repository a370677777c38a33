// SPDX-License-Identifier: Apache-2.0
import { readFile } from "node:fs/promises";
import { BridgeError } from "../../../error.ts";

/** Client certificate with its key, as PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** What a client authenticates with. Either part may be absent. */
export interface Credential {
  /** Value of the `Authorization` header. */
  readonly authorization?: string;
  readonly certificate?: ClientCertificate;
}

/** Source of a client's credentials. */
export interface CredentialSource {
  /** Returns the current credential, from a cache where it is valid. */
  current(): Promise<Credential>;
  /** Drops the cached credential, because the server refused it. */
  invalidate(): void;
}

/** Credentials that do not change. */
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

/** Time after which a token file is read again: the kubelet replaces tokens before they expire. */
const tokenFileMs = 60_000;

/** Bearer token in a file that is replaced from time to time, such as that of a ServiceAccount in a pod. */
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
