#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The command tenon-package-pulumi-provider.
import { parseArgs } from "node:util";
import { BridgeError } from "../../error.ts";
import { packageUsage, readPackageOptions } from "./package-options.ts";

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      main: { type: "boolean" },
      out: { type: "string" },
      name: { type: "string" },
      version: { type: "string" },
      archive: { type: "boolean" },
      "embed-node": { type: "boolean" },
      portable: { type: "boolean" },
      "no-source-maps": { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(packageUsage);
  } else {
    const options = readPackageOptions(positionals, values);
    const { packagePulumiProvider } = await import("./package-provider.ts");
    for (const path of (await packagePulumiProvider(options)).written) console.log(path);
  }
} catch (error) {
  // Prints only the message of an error that the caller can fix. Any other error is a bug, and is printed with its stack.
  const { name, code = "" } = error as NodeJS.ErrnoException;
  const ours = error instanceof BridgeError || name === "SdkError" || code.startsWith("ERR_PARSE_ARGS");
  console.error(ours ? `tenon-package-pulumi-provider: ${(error as Error).message}` : error);
  process.exitCode = 1;
}
