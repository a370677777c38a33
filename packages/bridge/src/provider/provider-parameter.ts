// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../error.ts";
import type { ProviderSelection } from "./provider-selection.ts";

/**
 * Encodes a selection with an exact version as the value of a parameter, which programs store. The Go bridge can read it, too.
 *
 * @see pulumi-terraform-bridge dynamic/parameterize/value.go
 */
export function encodeParameter({
  source,
  includes,
  excludes,
  packageName,
  names = {},
  exactNumbers,
  lock,
}: ProviderSelection): Uint8Array {
  const where =
    source.kind === "file" ? { local: { path: source.path } } : { remote: { url: source.address, version: source.version ?? "" } };
  const parameter = {
    ...where,
    ...(includes.length > 0 ? { includes } : {}),
    ...(excludes.length > 0 ? { excludes } : {}),
    ...(packageName === undefined ? {} : { providerName: packageName }),
    ...(Object.keys(names).length > 0 ? { names } : {}),
    ...(exactNumbers ? { exactNumbers } : {}),
    ...(lock === undefined || lock.hashes.length === 0 ? {} : { lock }),
  };
  return new TextEncoder().encode(JSON.stringify(parameter));
}

/**
 * Decodes the value of a parameter. Unknown fields are ignored.
 *
 * @throws BridgeError `INVALID_PARAMETER`
 */
export function decodeParameter(value: Uint8Array): ProviderSelection {
  const parameter = parse(value);
  const remote = record(parameter["remote"], "remote");
  const local = record(parameter["local"], "local");
  if ((remote === undefined) === (local === undefined)) throw invalid("it must have exactly one of remote and local");
  const packageName = parameter["providerName"];
  if (packageName !== undefined && typeof packageName !== "string") throw invalid("providerName must be a string");
  const names = record(parameter["names"], "names") ?? {};
  const exactNumbers = parameter["exactNumbers"] ?? false;
  if (typeof exactNumbers !== "boolean") throw invalid("exactNumbers must be a boolean");
  return {
    source: remote
      ? { kind: "address", address: text(remote["url"], "remote.url"), version: text(remote["version"], "remote.version") }
      : { kind: "file", path: text(local?.["path"], "local.path") },
    includes: texts(parameter["includes"], "includes"),
    excludes: texts(parameter["excludes"], "excludes"),
    ...(packageName === undefined || packageName === "" ? {} : { packageName }),
    ...(Object.keys(names).length > 0 ? { names: recordedNames(names) } : {}),
    ...(exactNumbers ? { exactNumbers } : {}),
    ...lockOf(record(parameter["lock"], "lock")),
  };
}

type JsonRecord = Readonly<Record<string, unknown>>;

function parse(value: Uint8Array): JsonRecord {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(value));
  } catch (cause) {
    throw new BridgeError("INVALID_PARAMETER", "the value of the package's parameter is not JSON", { cause });
  }
  return record(parsed, "the value") ?? {};
}

function record(value: unknown, name: string): JsonRecord | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "object" || Array.isArray(value)) throw invalid(`${name} must be an object`);
  return value as JsonRecord;
}

function text(value: unknown, name: string): string {
  if (typeof value !== "string" || value === "") throw invalid(`${name} must be a non-empty string`);
  return value;
}

function lockOf(lock: JsonRecord | undefined): Pick<ProviderSelection, "lock"> {
  return lock === undefined
    ? {}
    : { lock: { platform: text(lock["platform"], "lock.platform"), hashes: texts(lock["hashes"], "lock.hashes") } };
}

function recordedNames(names: JsonRecord): Readonly<Record<string, string>> {
  for (const [subject, name] of Object.entries(names)) {
    if (typeof name !== "string" || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw invalid(`the name of ${subject} is not an identifier`);
  }
  return names as Readonly<Record<string, string>>;
}

function texts(value: unknown, name: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((element) => typeof element === "string")) throw invalid(`${name} must be a list of strings`);
  return value;
}

function invalid(problem: string): BridgeError {
  return new BridgeError("INVALID_PARAMETER", `the value of the package's parameter is invalid: ${problem}`);
}
