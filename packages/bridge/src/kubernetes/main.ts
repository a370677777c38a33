#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The command tenon-kubernetes-definitions.
import { BridgeError } from "../error.ts";
import { definitionUsage, readPrintOptions } from "./command/definition-options.ts";

try {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) console.log(definitionUsage);
  else {
    const options = readPrintOptions(args);
    const { printedDefinitions } = await import("./command/print-definitions.ts");
    const text = await printedDefinitions(options, { environment: process.env, onProgress: (message) => console.error(message) });
    process.stdout.write(text);
  }
} catch (error) {
  // Prints only the message of an error that the caller can fix. Any other error is a bug, and is printed with its stack.
  const isOurs = error instanceof BridgeError || (error as Error).name === "PluginHostError";
  console.error(isOurs ? `tenon-kubernetes-definitions: ${(error as Error).message}` : error);
  process.exitCode = 1;
}
