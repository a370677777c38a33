#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from "node:util";
import { SdkError } from "../error.ts";
import { collectComponents } from "./collect-components.ts";

const usage = `tenon-collect-components <folder> --into <components.ts>

Writes a file that exports the components of a folder, to hand to with(): what each is stands in it, and its code is loaded when it
is used. Write it anew whenever a schema has changed; a provider that finds its components otherwise than told says so.`;

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
  // What the caller can mend is said in a sentence; anything else is a bug and shows its stack.
  const ours = error instanceof SdkError || (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS");
  console.error(ours ? `tenon-collect-components: ${(error as Error).message}` : error);
  process.exitCode = 1;
}
