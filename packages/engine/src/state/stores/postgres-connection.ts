// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import type { ClientConfig } from "pg";
import { EngineError } from "../../error.ts";

/** The parameters of a connection, by their names in connection strings: `host`, `dbname`, `sslmode`. */
type Parameters = Readonly<Record<string, string>>;

/** Environment variables with the default of a parameter. */
const variablesByParameter: Readonly<Record<string, string>> = {
  host: "PGHOST",
  port: "PGPORT",
  dbname: "PGDATABASE",
  user: "PGUSER",
  password: "PGPASSWORD",
  sslmode: "PGSSLMODE",
  sslcert: "PGSSLCERT",
  sslkey: "PGSSLKEY",
  sslrootcert: "PGSSLROOTCERT",
  application_name: "PGAPPNAME",
  connect_timeout: "PGCONNECT_TIMEOUT",
  options: "PGOPTIONS",
};

/**
 * Reads a connection string as OpenTofu does: a `postgres://` URL, or `host=… dbname=…`. Without `sslmode`, the connection is encrypted but
 * the server's certificate is not verified; a connection to a Unix socket is not encrypted.
 *
 * @throws EngineError `INVALID_OPTIONS` for a malformed string; the error does not contain it, because it may have a password.
 * @see github.com/lib/pq
 */
export function readConnectionString(text: string, variables: Readonly<Record<string, string | undefined>>): ClientConfig {
  const given = /^postgres(ql)?:\/\//.test(text) ? parametersOfUrl(text) : parametersOfWords(text);
  const parameter = (name: string): string | undefined => given[name] || variables[variablesByParameter[name] ?? ""] || undefined;
  const [host = "localhost", port, user, password, database] = ["host", "port", "user", "password", "dbname"].map(parameter);
  const [name, timeout, options] = ["application_name", "connect_timeout", "options"].map(parameter);
  return {
    host,
    ...(port && { port: Number(port) }),
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
    ...(name && { application_name: name }),
    ...(timeout && { connectionTimeoutMillis: Number(timeout) * 1000 }),
    ...(options && { options }),
    ssl: host.startsWith("/") ? false : encryption(parameter),
  };
}

function malformed(reason: string): EngineError {
  return new EngineError("INVALID_OPTIONS", `the connection string of the PostgreSQL store is malformed: ${reason}`);
}

/** Placeholder for the host of a URL without one. */
const absentHost = "absent.invalid";

/** Reads the parameters of a URL. The host may be in the query, because the authority cannot contain the path of a socket. */
function parametersOfUrl(text: string): Parameters {
  // Unlike Go's parser, this one rejects a user without a host.
  const url = URL.parse(text.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#]|$)/, `$1${absentHost}`));
  if (url === null) throw malformed("it is not a URL");
  const decode = (part: string): string => {
    try {
      return decodeURIComponent(part);
    } catch {
      throw malformed("it has an invalid percent-encoding");
    }
  };
  const host = url.hostname === absentHost ? "" : url.hostname.replace(/^\[|\]$/g, "");
  const parts = { host: decode(host), port: url.port, user: decode(url.username), password: decode(url.password) };
  return { ...parts, dbname: decode(url.pathname.slice(1)), ...Object.fromEntries(url.searchParams) };
}

/** Reads `key=value` pairs with spaces between them. A value may be in single quotes; a backslash escapes one character. */
function parametersOfWords(text: string): Parameters {
  const parameters: Record<string, string> = {};
  const word = /\s*([^\s=]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s\\]|\\.)*))(?=\s|$)/gsy;
  let end = 0;
  for (let match = word.exec(text); match !== null; match = word.exec(text)) {
    parameters[match[1]!] = (match[2] ?? match[3] ?? "").replace(/\\(.)/gs, "$1");
    end = word.lastIndex;
  }
  if (text.slice(end).trim() !== "") throw malformed('expected a "postgres://" URL, or "key=value" with spaces between them');
  return parameters;
}

/** The TLS settings; false for a connection without encryption. @see github.com/lib/pq ssl.go */
function encryption(parameter: (name: string) => string | undefined): NonNullable<ClientConfig["ssl"]> {
  const mode = parameter("sslmode") ?? "require";
  if (mode === "disable") return false;
  if (!["require", "verify-ca", "verify-full"].includes(mode)) {
    throw new EngineError(
      "INVALID_OPTIONS",
      `unsupported sslmode ${JSON.stringify(mode)}; only "require" (default), "verify-full", "verify-ca", and "disable" supported`,
    );
  }
  const [ca, cert, key] = ["sslrootcert", "sslcert", "sslkey"].map((name) => certificate(name, parameter(name)));
  // With a certificate of the authority, `require` verifies the chain, as in libpq.
  const verifiesChain = mode !== "require" || ca !== undefined;
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    rejectUnauthorized: verifiesChain,
    ...(mode !== "verify-full" && { checkServerIdentity: () => undefined }),
  };
}

function certificate(name: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError("INVALID_OPTIONS", `cannot read ${name} of the PostgreSQL store: ${reason}`, { cause: error });
  }
}
