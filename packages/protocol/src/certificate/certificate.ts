// SPDX-License-Identifier: Apache-2.0
import { generateKeyPairSync, hash, randomBytes, sign, X509Certificate } from "node:crypto";
import { Buffer } from "node:buffer";
import { ProtocolError } from "../error.ts";
import * as der from "./der.ts";

/** A self-signed certificate and its private key. Create one for each process, and keep it in memory only. */
export interface Certificate {
  /** The certificate in DER, for the handshake line. */
  readonly certificateDer: Uint8Array;
  /** The certificate in PEM, for `PLUGIN_CLIENT_CERT` and `node:tls`. */
  readonly certificatePem: string;
  /** The private key in PEM, as PKCS #8. */
  readonly privateKeyPem: string;
}

/**
 * Creates a self-signed certificate for AutoMTLS, for a server or a client.
 *
 * Its contents are those of go-plugin's certificates: common name and DNS name `localhost`, a certificate authority, usable by servers and
 * clients, valid from 30 seconds ago for 30 years. The key is P-256; go-plugin uses P-521, which BoringSSL does not support.
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

/** Converts a valid certificate to PEM without OpenSSL, which would add half a millisecond to the start of a provider. */
function pemOf(certificateDer: Buffer): string {
  const lines = certificateDer.toString("base64").replaceAll(/.{64}/g, "$&\n").trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/**
 * Converts a certificate from DER to PEM, as `node:tls` expects it.
 *
 * @throws ProtocolError `CERTIFICATE_MALFORMED` when the bytes are not a certificate.
 */
export function certificateToPem(certificateDer: Uint8Array): string {
  try {
    return new X509Certificate(certificateDer).toString();
  } catch (cause) {
    throw new ProtocolError("CERTIFICATE_MALFORMED", `the peer's certificate (${certificateDer.length} bytes) is malformed`, { cause });
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
