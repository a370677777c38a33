// SPDX-License-Identifier: Apache-2.0
// `npm start`: the notebook's whole life. `npm start -- <path or command of any provider>`: what that one offers.
import { resolve } from "node:path";
import { launchProvider, PluginHostError } from "@tenon/plugin-host";
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
    await using provider = await screen.during(
      `starting ${file}`,
      () => launchProvider({ command: [asTyped(file), ...args] }),
      ({ pid }) => `process ${pid}`,
    );
    await showOffer(screen, [file, ...args].join(" "), provider);
  }
} catch (error) {
  if (error instanceof Refused) {
    for (const diagnostic of error.diagnostics) screen.block(diagnosticText(error.address, diagnostic));
  } else if (error instanceof PluginHostError) {
    process.stderr.write(`${error.message}\n`);
  } else {
    throw error;
  }
  process.exitCode = 1;
}

/** A relative path starts where the command was typed, which npm leaves in INIT_CWD; a bare name is looked for on PATH. */
function asTyped(path: string): string {
  return path.includes("/") ? resolve(process.env["INIT_CWD"] ?? ".", path) : path;
}
