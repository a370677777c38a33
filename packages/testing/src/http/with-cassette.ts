// SPDX-License-Identifier: Apache-2.0
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { TestingError } from "../error.ts";
import { type Cassette, type CassetteMode, type CassetteOptions, OpenCassette } from "./cassette.ts";
import { withInterception } from "./interception.ts";

const modes: readonly CassetteMode[] = ["record", "replay", "pass"];
const recordings = new Set<string>();

/**
 * Runs a function whose HTTP requests are answered from a cassette, a JSON file: those of `fetch`, `node:http` and `node:https`, and of all that the
 * function starts. With `TENON_HTTP=record` the requests are sent, and the cassette is written when the function has succeeded. Concurrent calls do
 * not mix.
 *
 * A request gets the response to the first equal request in the cassette that has not been used: equal are the method, the URL and the body. Secrets
 * are masked before anything is written.
 *
 * @param file Path of the cassette, in the folder of the tests: `new URL("./cassettes/zone.json", import.meta.url)`.
 * @throws TestingError `REQUEST_NOT_RECORDED` for a request that the cassette lacks, with the nearest one and the differences. The request itself fails
 *   with it, and the function, also if the tested code ignores it. `REQUEST_NOT_MADE` if the function did not make all recorded requests.
 *   `CASSETTE_INVALID` if the file cannot be read or written. `REQUEST_UNSUPPORTED` for what cannot be recorded: upgrades, tunnels, trailers, unknown
 *   encodings, HTTP/2, and requests of undici that bypass the cassette.
 *
 * @example
 * test("a zone", (context) =>
 *   withCassette(new URL("./cassettes/zone.json", import.meta.url), () => runTestCase(context, { … })));
 */
export async function withCassette<T>(
  file: string | URL,
  run: (cassette: Cassette) => T | Promise<T>,
  options: CassetteOptions = {},
): Promise<T> {
  const path = file instanceof URL ? fileURLToPath(file) : resolve(file);
  const mode = options.mode ?? modeOfEnvironment();
  if (mode === "record" && recordings.has(path))
    throw new TestingError(
      "CASSETTE_INVALID",
      `the cassette ${path} is being recorded by another test: each test needs a cassette of its own`,
    );
  const cassette = new OpenCassette(path, mode, options);
  if (mode === "record") recordings.add(path);
  let hasSucceeded = false;
  try {
    const result = await withInterception(cassette, async () => run(cassette));
    hasSucceeded = true;
    return result;
  } finally {
    await cassette.close(hasSucceeded).finally(() => recordings.delete(path));
  }
}

function modeOfEnvironment(): CassetteMode {
  const text = process.env["TENON_HTTP"] ?? "";
  if (text === "") return "replay";
  const mode = modes.find((one) => one === text);
  if (mode === undefined) throw new TestingError("OPTIONS_INVALID", `TENON_HTTP must be one of ${modes.join(", ")}, and is ${text}`);
  return mode;
}
