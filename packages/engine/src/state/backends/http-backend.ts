// SPDX-License-Identifier: Apache-2.0
import { bool, get, isNull, map, number, string, toJs, type Value } from "@tenon/cty";
import { errorDiagnostic } from "@tenon/schema";
import { EngineError } from "../../error.ts";
import { httpState } from "../stores/http-store.ts";
import { certifiedFetch } from "../stores/certified-fetch.ts";
import { schemaOf, withDefaults, type ArgumentTable } from "./argument-table.ts";
import { textAttribute, type BackendEnvironment, type BackendType } from "./backend.ts";

const argumentsByName: ArgumentTable = {
  address: { type: string, description: "The address of the REST endpoint", variable: "TF_HTTP_ADDRESS", required: true },
  update_method: {
    type: string,
    description: "HTTP method to use when updating state",
    variable: "TF_HTTP_UPDATE_METHOD",
    default: "POST",
  },
  lock_address: { type: string, description: "The address of the lock REST endpoint", variable: "TF_HTTP_LOCK_ADDRESS" },
  unlock_address: { type: string, description: "The address of the unlock REST endpoint", variable: "TF_HTTP_UNLOCK_ADDRESS" },
  lock_method: { type: string, description: "The HTTP method to use when locking", variable: "TF_HTTP_LOCK_METHOD", default: "LOCK" },
  unlock_method: {
    type: string,
    description: "The HTTP method to use when unlocking",
    variable: "TF_HTTP_UNLOCK_METHOD",
    default: "UNLOCK",
  },
  username: { type: string, description: "The username for HTTP basic authentication", variable: "TF_HTTP_USERNAME" },
  password: { type: string, description: "The password for HTTP basic authentication", variable: "TF_HTTP_PASSWORD" },
  skip_cert_verification: { type: bool, description: "Whether to skip TLS verification.", default: false },
  retry_max: { type: number, description: "The number of HTTP request retries.", variable: "TF_HTTP_RETRY_MAX", default: "2" },
  retry_wait_min: {
    type: number,
    description: "The minimum time in seconds to wait between HTTP request attempts.",
    variable: "TF_HTTP_RETRY_WAIT_MIN",
    default: "1",
  },
  retry_wait_max: {
    type: number,
    description: "The maximum time in seconds to wait between HTTP request attempts.",
    variable: "TF_HTTP_RETRY_WAIT_MAX",
    default: "30",
  },
  client_ca_certificate_pem: {
    type: string,
    description: "A PEM-encoded CA certificate chain used by the client to verify server certificates during TLS authentication.",
    variable: "TF_HTTP_CLIENT_CA_CERTIFICATE_PEM",
    default: "",
  },
  client_certificate_pem: {
    type: string,
    description: "A PEM-encoded certificate used by the server to verify the client during mutual TLS (mTLS) authentication.",
    variable: "TF_HTTP_CLIENT_CERTIFICATE_PEM",
    default: "",
  },
  client_private_key_pem: {
    type: string,
    description: "A PEM-encoded private key, required if client_certificate_pem is specified.",
    variable: "TF_HTTP_CLIENT_PRIVATE_KEY_PEM",
    default: "",
  },
  headers: {
    type: map(string),
    description: "A map of headers, when set will be included with HTTP requests sent to the HTTP backend",
  },
};

/** A server with the protocol of OpenTofu's `http` backend. @see OpenTofu internal/backend/remote-state/http */
export const httpBackend: BackendType = {
  schema: (environment) => schemaOf(argumentsByName, environment),
  prepare: (given, environment) => {
    const { config, diagnostics } = withDefaults(given, argumentsByName, environment);
    for (const [name, value] of Object.entries(headersOf(config))) {
      if (!/^[\w-]+$/.test(name)) {
        const text = `headers "${name}" name must not be empty and only contain A-Za-z0-9-_ characters`;
        diagnostics.push(errorDiagnostic(text, ""));
      }
      // eslint-disable-next-line no-control-regex
      if (!/^[\x00-\x7f]*$/.test(value) || value.trim() === "") {
        diagnostics.push(errorDiagnostic(`headers "${name}" value must not be empty and only contain ascii characters`, ""));
      }
    }
    return { config, diagnostics };
  },
  open: (config, environment) => {
    const [address, lockAddress, unlockAddress] = ["address", "lock_address", "unlock_address"].map((name) => textAttribute(config, name));
    for (const [name, url] of [
      ["address", address],
      ["lockAddress", lockAddress],
      ["unlockAddress", unlockAddress],
    ] as const) {
      const isAbsent = url === undefined || (url === "" && name !== "address");
      if (!isAbsent && !/^https?:/i.test(url)) throw new EngineError("INVALID_OPTIONS", `${name} must be HTTP or HTTPS`);
    }
    const username = textAttribute(config, "username");
    const headers = headersOf(config);
    for (const name of Object.keys(headers)) {
      const lower = name.toLowerCase();
      if (lower === "authorization" && username !== undefined && username !== "") {
        throw new EngineError("INVALID_OPTIONS", `headers "${name}" cannot be set when providing username`);
      }
      if (lower === "content-type" || lower === "content-md5") throw new EngineError("INVALID_OPTIONS", `headers "${name}" is reserved`);
    }
    const methods = ["update_method", "lock_method", "unlock_method"].map((name) => textAttribute(config, name));
    const numbers = ["retry_max", "retry_wait_min", "retry_wait_max"].map((name) => Number(toJs(get(config, name))));
    const password = textAttribute(config, "password");
    return httpState({
      address: address ?? "",
      updateMethod: methods[0]!,
      lockMethod: methods[1]!,
      unlockMethod: methods[2]!,
      ...(lockAddress && { lockAddress }),
      ...(unlockAddress && { unlockAddress }),
      ...(username && { username }),
      ...(password && { password }),
      headers,
      retryMax: numbers[0]!,
      retryWaitMinMs: numbers[1]! * 1000,
      retryWaitMaxMs: numbers[2]! * 1000,
      ...fetchOf(config, environment),
    });
  },
};

/** The `fetch` option of the store; empty if the configuration has no certificates, so that the default suffices. */
function fetchOf(config: Value, environment: BackendEnvironment): { readonly fetch?: typeof fetch } {
  if (environment.fetch !== undefined) return { fetch: environment.fetch };
  const [ca, cert, key] = ["client_ca_certificate_pem", "client_certificate_pem", "client_private_key_pem"].map(
    (name) => textAttribute(config, name) || undefined,
  );
  const skipsVerification = get(config, "skip_cert_verification").payload === true;
  if (!skipsVerification && ca === undefined && cert === undefined && key === undefined) return {};
  if (cert !== undefined && key === undefined) {
    throw new EngineError("INVALID_OPTIONS", "client_certificate_pem is set but client_private_key_pem is not");
  }
  if (key !== undefined && cert === undefined) {
    throw new EngineError("INVALID_OPTIONS", "client_private_key_pem is set but client_certificate_pem is not");
  }
  return {
    fetch: certifiedFetch({ ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), rejectUnauthorized: !skipsVerification }),
  };
}

function headersOf(config: Value): Readonly<Record<string, string>> {
  const headers = get(config, "headers");
  return isNull(headers) ? {} : (toJs(headers) as Readonly<Record<string, string>>);
}
