// SPDX-License-Identifier: Apache-2.0
import { generateKeyPairSync, hash, randomBytes, sign, X509Certificate } from "node:crypto";
import { Buffer } from "node:buffer";
import { ProtocolError } from "../error.ts";
import * as der from "./der.ts";

/** A key of one process and the certificate that shows it. Kept in memory only: make a new one for each process. */
export interface Certificate {
  /** What goes into the handshake line. */
  readonly certificateDer: Uint8Array;
  /** What goes into `PLUGIN_CLIENT_CERT` and to `node:tls`. */
  readonly certificatePem: string;
  /** PKCS #8. */
  readonly privateKeyPem: string;
}

/**
 * Makes a self-signed certificate for AutoMTLS, fit for either end.
 *
 * It has what go-plugin's own has: name and DNS name `localhost`, its own authority, for servers and clients, valid from
 * 30 seconds ago for 30 years. The key is P-256, because BoringSSL peers take no P-521, go-plugin's choice.
 *
 * @see go-plugin mtls.go, generateCert; RFC 5280
 */
export function createCertificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKeyInfo = publicKey.export({ type: "spki", format: "der" });
  const now = Date.now();
  const name = der.sequence(attribute("2.5.4.10", "Tenon"), attribute("2.5.4.3", "localhost"));
  const content = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))),
    der.integer(randomBytes(16)),
    ecdsaWithSha256,
    name,
    der.sequence(der.time(new Date(now - 30_000)), der.time(new Date(now + 262_980 * 3_600_000))),
    name,
    publicKeyInfo,
    der.explicit(3, der.sequence(...extensions(publicKeyInfo))),
  );
  const certificateDer = der.sequence(content, ecdsaWithSha256, der.bitString(sign("sha256", content, privateKey)));
  return {
    certificateDer,
    certificatePem: pemOf(certificateDer),
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

/** Of what is known to be a certificate: to have OpenSSL read it and write it again takes half a millisecond of a provider's start. */
function pemOf(certificateDer: Buffer): string {
  const lines = certificateDer.toString("base64").replaceAll(/.{64}/g, "$&\n").trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/**
 * The PEM form of a certificate, as `node:tls` wants it.
 *
 * @throws ProtocolError `CERTIFICATE_MALFORMED` when the bytes are no certificate.
 */
export function certificateToPem(certificateDer: Uint8Array): string {
  try {
    return new X509Certificate(certificateDer).toString();
  } catch (cause) {
    throw new ProtocolError("CERTIFICATE_MALFORMED", `the peer's certificate (${certificateDer.length} bytes) cannot be read`, { cause });
  }
}

const ecdsaWithSha256 = der.sequence(der.objectIdentifier("1.2.840.10045.4.3.2"));

function attribute(type: string, value: string): der.Der {
  return der.set(der.sequence(der.objectIdentifier(type), der.utf8String(value)));
}

function extensions(publicKeyInfo: Uint8Array): der.Der[] {
  const critical = der.boolean(true);
  const extension = (identifier: string, ...rest: readonly der.Der[]): der.Der =>
    der.sequence(der.objectIdentifier(identifier), ...rest.slice(0, -1), der.octetString(rest.at(-1)!));
  // digitalSignature 0, keyEncipherment 2, keyAgreement 4, keyCertSign 5: bits from the left, two of the byte unused.
  const keyUsage = der.bitString(Buffer.from([0b1010_1100]), 2);
  const serverAndClient = der.sequence(der.objectIdentifier("1.3.6.1.5.5.7.3.1"), der.objectIdentifier("1.3.6.1.5.5.7.3.2"));
  const localhost = der.sequence(der.implicit(2, Buffer.from("localhost")));
  const keyIdentifier = der.octetString(hash("sha256", publicKeyInfo, "buffer").subarray(0, 20));
  return [
    extension("2.5.29.19", critical, der.sequence(der.boolean(true))),
    extension("2.5.29.15", critical, keyUsage),
    extension("2.5.29.37", serverAndClient),
    extension("2.5.29.17", localhost),
    extension("2.5.29.14", keyIdentifier),
  ];
}
