// SPDX-License-Identifier: Apache-2.0
import { constants } from "node:crypto";

/** OpenSSL option that refuses renegotiation of TLS 1.2, which HTTP/2 forbids. @see RFC 9113, section 9.2.1 */
export const noRenegotiation: number = constants.SSL_OP_NO_RENEGOTIATION;
