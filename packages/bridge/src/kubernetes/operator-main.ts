#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The command tenon-kubernetes-operator.
import { BridgeError } from "../error.ts";
import { operatorUsage, readOperatorOptions } from "./command/operator-options.ts";

try {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) console.log(operatorUsage);
  else {
    const options = readOperatorOptions(args);
    const { printedManifest, selectedOperator } = await import("./command/selected-operator.ts");
    const onProgress = (message: string): void => console.error(message);
    const definition = await selectedOperator(options, { environment: process.env, onProgress });
    if (options.migration) {
      const { migratedDefinitions } = await import("./command/migrated-definitions.ts");
      process.stdout.write(await migratedDefinitions(definition, options.migration, process.env));
    } else if (options.install) process.stdout.write(await printedManifest(definition, options.install));
    else {
      const { runOperator } = await import("./operator/run-operator.ts");
      await runOperator(definition);
    }
  }
} catch (error) {
  // Prints only the message of an error that the caller can fix. Any other error is a bug, and is printed with its stack.
  const isOurs = error instanceof BridgeError || (error as Error).name === "PluginHostError";
  console.error(isOurs ? `tenon-kubernetes-operator: ${(error as Error).message}` : error);
  process.exitCode = 1;
}
