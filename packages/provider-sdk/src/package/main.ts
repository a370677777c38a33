#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from "node:util";
import { SdkError } from "../error.ts";
import { packageProvider } from "./package-provider.ts";
import { readPackageOptions, usage } from "./package-options.ts";

try {
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
  // What the caller can mend is said in a sentence; anything else is a bug and shows its stack.
  const ours = error instanceof SdkError || (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS");
  console.error(ours ? `tenon-package-provider: ${(error as Error).message}` : error);
  process.exitCode = 1;
}
