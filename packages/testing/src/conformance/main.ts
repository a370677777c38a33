#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The command tenon-check-provider.
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { TestingError } from "../error.ts";
import { readCommandLine, usage } from "./command-line.ts";

try {
  const commandLine = readCommandLine(process.argv.slice(2));
  if (commandLine === undefined) console.log(usage);
  else {
    const { checkProvider } = await import("./check-provider.ts");
    const { allFindings, reportJson, reportText } = await import("./report.ts");
    const { provider, json, strict, ...options } = commandLine;
    const [first, ...rest] = provider;
    const file = isAbsolute(first!) || first!.startsWith(".") || !existsSync(first!) ? first! : `./${first!}`;
    const report = await checkProvider(rest.length === 0 ? file : [file, ...rest], {
      ...options,
      onResource: (typeName) => console.error(`checking ${typeName}`),
    });
    console.log(json ? reportJson(report) : reportText(report));
    process.exitCode = allFindings(report).some(({ weight }) => strict || weight === "error") ? 1 : 0;
  }
} catch (error) {
  // Prints only the message of an error that the caller can fix. Any other error is a bug, and is printed with its stack.
  const isOurs = error instanceof TestingError || ["PluginHostError", "ProviderError"].includes((error as Error).name);
  console.error(isOurs ? `tenon-check-provider: ${(error as Error).message}` : error);
  process.exitCode = 2;
}
