// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isArray, isObject, type Json, parseJson } from "../documents/json.ts";
import { TestingError } from "../error.ts";
import type { Exchange } from "./exchange.ts";

/** The contents of a cassette. */
export interface CassetteContents {
  /** Values that a recording and its replays share, by name. */
  readonly values: Readonly<Record<string, Json>>;
  readonly exchanges: readonly Exchange[];
}

const version = 1;

/** Reads a cassette. @throws TestingError `CASSETTE_INVALID` */
export function readCassette(path: string): CassetteContents {
  let data: Json;
  try {
    data = parseJson(readFileSync(path, "utf8"));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT")
      throw invalid(`the cassette ${path} does not exist: record it with TENON_HTTP=record`, cause);
    throw invalid(`the cassette ${path} cannot be read: ${(cause as Error).message}`, cause);
  }
  if (!isObject(data) || data["cassette"] !== version || !isArray(data["exchanges"]) || !isObject(data["values"] ?? {}))
    throw invalid(`${path} is not a cassette of version ${version}: record it again with TENON_HTTP=record`);
  for (const [index, exchange] of data["exchanges"].entries())
    if (!isExchange(exchange)) throw invalid(`the cassette ${path} has a malformed exchange at exchanges[${index}]`);
  return { values: (data["values"] ?? {}) as CassetteContents["values"], exchanges: data["exchanges"] as unknown as readonly Exchange[] };
}

/** Writes a cassette, whole or not at all. @throws TestingError `CASSETTE_INVALID` */
export function writeCassette(path: string, { values, exchanges }: CassetteContents): void {
  const partial = `${path}.${process.pid}.partial`;
  const remembered = Object.keys(values).length > 0 ? { values } : {};
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(partial, `${JSON.stringify({ cassette: version, ...remembered, exchanges }, undefined, 2)}\n`);
    renameSync(partial, path);
  } catch (cause) {
    rmSync(partial, { force: true });
    throw invalid(`the cassette ${path} cannot be written: ${(cause as Error).message}`, cause);
  }
}

function isExchange(exchange: Json): boolean {
  if (!isObject(exchange)) return false;
  const { request, response } = exchange;
  return (
    isObject(request) &&
    typeof request["method"] === "string" &&
    typeof request["url"] === "string" &&
    URL.canParse(request["url"]) &&
    isObject(request["headers"]) &&
    isObject(response) &&
    (response["end"] !== undefined || (typeof response["status"] === "number" && isObject(response["headers"])))
  );
}

function invalid(message: string, cause?: unknown): TestingError {
  return new TestingError("CASSETTE_INVALID", message, { cause });
}
