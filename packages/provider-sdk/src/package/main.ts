#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from "node:util";
import { SdkError } from "../error.ts";
import { oldestNode, runsBundles } from "./launcher.ts";

try {
  if (!runsBundles(process.versions.node)) {
    throw new SdkError(
      "INVALID_PACKAGE_OPTION",
      `packaging needs Node ${oldestNode.join(".")} or newer; ${process.execPath} is Node ${process.versions.node}`,
    );
  }
  // An older Node may be unable to load these.
  const { packageProvider } = await import("./package-provider.ts");
  const { readPackageOptions, usage } = await import("./package-options.ts");
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: "string" },
      name: { type: "string" },
      version: { type: "string" },
      address: { type: "string" },
      mirror: { type: "boolean" },
      zip: { type: "boolean" },
      "embed-node": { type: "boolean" },
      portable: { type: "boolean" },
      "live-schema": { type: "boolean" },
      "no-source-maps": { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(usage);
  } else {
    const { written } = await packageProvider(readPackageOptions(positionals, values));
    for (const path of written) console.log(path);
  }
} catch (error) {
  // Prints only the message of an error that the caller can fix. Any other error is a bug, and is printed with its stack.
  const ours = error instanceof SdkError || (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS");
  console.error(ours ? `tenon-package-provider: ${(error as Error).message}` : error);
  process.exitCode = 1;
}
