// SPDX-License-Identifier: Apache-2.0
// `npm start`: the lifecycle of the notebook's resources. `npm start -- <provider>`: the schema of any provider, given as a path, as a
// command with arguments, or as a source address with optional version constraints: `npm start -- hashicorp/time "~> 0.14"`.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { launchProvider, PluginHostError } from "@tenon/plugin-host";
import { ProviderError } from "@tenon/schema";
import { acquire, showFile } from "./acquire.ts";
import { ResourceError } from "./managed-resources.ts";
import { runNotebook } from "./notebook-life.ts";
import { showSchema } from "./provider-schema.ts";
import { diagnosticText } from "./plan-text.ts";
import { Screen } from "./screen.ts";

// A reader that closes the pipe (`npm start | head`) is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const screen = new Screen();
const [file, ...args] = process.argv.slice(2);
try {
  if (file === undefined) {
    await runNotebook(screen);
  } else {
    const command = isSourceAddress(file) ? (await acquire(screen, file, args[0])).executable : ([asTyped(file), ...args] as const);
    await using provider = await screen.during(
      `starting ${file}`,
      () => launchProvider({ command }),
      ({ name, pid }) => `started ${name}, process ${pid}`,
    );
    if (typeof command !== "string") await showFile(screen, command[0]);
    await showSchema(screen, [file, ...args].join(" "), provider);
  }
} catch (error) {
  if (error instanceof ResourceError) {
    for (const diagnostic of error.diagnostics) screen.block(diagnosticText(error.address, diagnostic));
  } else if (error instanceof PluginHostError || error instanceof ProviderError) {
    process.stderr.write(`${error.message}\n`);
  } else {
    throw error;
  }
  process.exitCode = 1;
}

/** Whether the text is a source address: `[host/]namespace/type`, and not a file. */
function isSourceAddress(text: string): boolean {
  return /^[^./\\][^/\\]*(?:\/[^/\\]+){1,2}$/.test(text) && !existsSync(asTyped(text));
}

/** Resolves a relative path in the folder where the user ran npm (INIT_CWD); a bare name is searched on PATH. */
function asTyped(path: string): string {
  return path.includes("/") ? resolve(process.env["INIT_CWD"] ?? ".", path) : path;
}
