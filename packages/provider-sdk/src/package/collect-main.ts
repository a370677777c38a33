#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from "node:util";
import { SdkError } from "../error.ts";
import { collectComponents } from "./collect-components.ts";

const usage = `tenon-collect-components <folder> --into <components.ts>

Writes a file that exports the components of a folder, as the argument for with(). The file contains the schema of each component,
and loads a component's code when it is used. Run this command again after each schema change: a provider reports an error if a
component differs from the file.`;

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { into: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  const [folder, ...more] = positionals;
  if (values.help) console.log(usage);
  else if (folder === undefined || more.length > 0 || values.into === undefined) throw new SdkError("INVALID_PACKAGE_OPTION", usage);
  else for (const name of await collectComponents({ folder, into: values.into })) console.log(name);
} catch (error) {
  // Prints only the message of an error that the caller can fix. Any other error is a bug, and is printed with its stack.
  const ours = error instanceof SdkError || (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS");
  console.error(ours ? `tenon-collect-components: ${(error as Error).message}` : error);
  process.exitCode = 1;
}
