// SPDX-License-Identifier: Apache-2.0
// `npm start`: the notebook's whole life. `npm start -- <provider>`: what any provider offers. It is a path, a command with its
// arguments, or a source address, and perhaps which versions will do: `npm start -- hashicorp/time "~> 0.14"`.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { launchProvider, PluginHostError } from "@tenon/plugin-host";
import { ProviderError } from "@tenon/schema";
import { acquire, showFile } from "./acquire.ts";
import { Refused } from "./estate.ts";
import { liveNotebook } from "./notebook-life.ts";
import { showOffer } from "./offer.ts";
import { diagnosticText } from "./plan-text.ts";
import { Screen } from "./screen.ts";

// A reader that has seen enough (`npm start | head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const screen = new Screen();
const [file, ...args] = process.argv.slice(2);
try {
  if (file === undefined) {
    await liveNotebook(screen);
  } else {
    const command = isSourceAddress(file) ? (await acquire(screen, file, args[0])).executable : ([asTyped(file), ...args] as const);
    await using provider = await screen.during(
      `starting ${file}`,
      () => launchProvider({ command }),
      ({ name, pid }) => `started ${name}, process ${pid}`,
    );
    if (typeof command !== "string") await showFile(screen, command[0]);
    await showOffer(screen, [file, ...args].join(" "), provider);
  }
} catch (error) {
  if (error instanceof Refused) {
    for (const diagnostic of error.diagnostics) screen.block(diagnosticText(error.address, diagnostic));
  } else if (error instanceof PluginHostError || error instanceof ProviderError) {
    process.stderr.write(`${error.message}\n`);
  } else {
    throw error;
  }
  process.exitCode = 1;
}

/** `namespace/type`, perhaps with a host in front, unless there is such a file. */
function isSourceAddress(text: string): boolean {
  return /^[^./\\][^/\\]*(?:\/[^/\\]+){1,2}$/.test(text) && !existsSync(asTyped(text));
}

/** A relative path starts where the command was typed, which npm leaves in INIT_CWD; a bare name is looked for on PATH. */
function asTyped(path: string): string {
  return path.includes("/") ? resolve(process.env["INIT_CWD"] ?? ".", path) : path;
}
