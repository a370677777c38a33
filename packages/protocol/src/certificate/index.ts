// SPDX-License-Identifier: Apache-2.0
/**
 * Certificates for AutoMTLS.
 *
 * @module
 */
export { type Certificate, certificateToPem, createCertificate } from "./certificate.ts";
export { ProtocolError, type ProtocolErrorCode } from "../error.ts";
