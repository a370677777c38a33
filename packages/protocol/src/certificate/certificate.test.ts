// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { certificateToPem, createCertificate } from "./certificate.ts";

function hasOpenssl(): boolean {
  try {
    return execFileSync("openssl", ["version"], { encoding: "utf8" }).startsWith("OpenSSL 3");
  } catch {
    return false;
  }
}

/** Runs openssl on a certificate file and returns its output. */
function openssl(certificatePem: string, args: (file: string) => string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  try {
    const file = join(folder, "certificate.pem");
    writeFileSync(file, certificatePem);
    return execFileSync("openssl", args(file), { encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("createCertificate", () => {
  test("signs the certificate with its own key", ({ expect }) => {
    const { certificateDer, certificatePem, privateKeyPem } = createCertificate();
    const certificate = new X509Certificate(certificateDer);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(privateKeyPem))).toBe(true);
    expect(new X509Certificate(certificatePem).raw.equals(certificateDer)).toBe(true);
    expect(createPrivateKey(privateKeyPem).asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
  });

  test("creates a certificate authority for localhost, for servers and clients (pitfall 5)", ({ expect }) => {
    const certificate = new X509Certificate(createCertificate().certificateDer);
    expect(certificate.subject).toBe("O=Tenon\nCN=localhost");
    expect(certificate.issuer).toBe(certificate.subject);
    expect(certificate.subjectAltName).toBe("DNS:localhost");
    expect(certificate.checkHost("localhost")).toBe("localhost");
    expect(certificate.checkHost("example.com")).toBe(undefined);
    expect(certificate.ca).toBe(true);
    expect([...certificate.keyUsage].sort()).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
  });

  test("creates a certificate valid from 30 seconds ago for 30 years", ({ expect }) => {
    const before = Date.now();
    const { validFromDate, validToDate } = new X509Certificate(createCertificate().certificateDer);
    const after = Date.now();
    // Times in certificates are whole seconds.
    expect(validFromDate.getTime()).toBeGreaterThan(before - 31_000);
    expect(validFromDate.getTime()).toBeLessThanOrEqual(after - 30_000);
    expect(validToDate.getTime() - validFromDate.getTime()).toBeCloseTo(262_980 * 3_600_000 + 30_000, -4);
  });

  test("uses a random serial number", ({ expect }) => {
    const serials = new Set(Array.from({ length: 50 }, () => new X509Certificate(createCertificate().certificateDer).serialNumber));
    expect(serials.size).toBe(50);
  });

  test("creates a certificate that passes OpenSSL's strict check for both purposes", ({ expect, skip }) => {
    skip(!hasOpenssl(), "OpenSSL 3 is not installed");
    for (const purpose of ["sslserver", "sslclient"]) {
      const verify = (file: string): string[] => [
        "verify",
        "-x509_strict",
        "-purpose",
        purpose,
        "-verify_hostname",
        "localhost",
        "-CAfile",
        file,
        file,
      ];
      expect(openssl(createCertificate().certificatePem, verify)).toMatch(/: OK\n$/);
    }
  });

  test("creates a certificate with the same fields and extensions as go-plugin's", ({ expect, skip }) => {
    skip(!hasOpenssl(), "OpenSSL 3 is not installed");
    const text = openssl(createCertificate().certificatePem, (file) => [
      "x509",
      "-noout",
      "-text",
      "-certopt",
      "no_sigdump,no_pubkey,no_serial",
      "-in",
      file,
    ]);
    const stable = text.replaceAll(/Not (Before|After ?): .*/g, "Not $1: …").replaceAll(/([0-9A-F]{2}:){19}[0-9A-F]{2}/g, "…");
    expect(stable).toMatchInlineSnapshot(`
      "Certificate:
          Data:
              Version: 3 (0x2)
              Signature Algorithm: ecdsa-with-SHA256
              Issuer: O = Tenon, CN = localhost
              Validity
                  Not Before: …
                  Not After : …
              Subject: O = Tenon, CN = localhost
              X509v3 extensions:
                  X509v3 Basic Constraints: critical
                      CA:TRUE
                  X509v3 Key Usage: critical
                      Digital Signature, Key Encipherment, Key Agreement, Certificate Sign
                  X509v3 Extended Key Usage: 
                      TLS Web Server Authentication, TLS Web Client Authentication
                  X509v3 Subject Alternative Name: 
                      DNS:localhost
                  X509v3 Subject Key Identifier: 
                      …
      "
    `);
  });
});

describe("certificateToPem", () => {
  test("returns the form that node:tls expects", ({ expect }) => {
    const { certificateDer, certificatePem } = createCertificate();
    expect(certificateToPem(certificateDer)).toBe(certificatePem);
    expect(certificatePem).toMatch(/^-----BEGIN CERTIFICATE-----\n[\s\S]+\n-----END CERTIFICATE-----\n$/);
  });

  test("rejects bytes that are not a certificate", ({ expect }) => {
    const whole = createCertificate().certificateDer;
    for (const bytes of [Buffer.alloc(0), Buffer.from("hello"), whole.subarray(0, -1)]) {
      expect(() => certificateToPem(bytes)).toThrow(expect.objectContaining({ code: "CERTIFICATE_MALFORMED" }));
    }
  });
});
