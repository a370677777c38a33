// SPDX-License-Identifier: Apache-2.0
/*
 * What the command does, from the files to the text of the result. It goes by HCL's own `hcldec`, so that suites which run that can
 * run this: the same exit codes, the same JSON, and after an error in the syntax the same silence about others.
 */
import type { Body } from "../body/body.ts";
import { mergeBodies } from "../body/merged-body.ts";
import { nativeBody } from "../body/native-body.ts";
import { decode } from "../decode/decode.ts";
import { specVariables } from "../decode/spec-variables.ts";
import { diskFiles } from "../files/file-system.ts";
import { loadFiles } from "../files/load.ts";
import { parseConfig } from "../parse/parse.ts";
import { formatDiagnostics } from "../report/format.ts";
import { hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";
import type { CommandLine } from "./command-line.ts";
import { diagnosticsJson } from "./diagnostics-json.ts";
import { givenVariables } from "./given-variables.ts";
import { resultJson } from "./result-json.ts";
import { readSpecFile } from "./spec-file.ts";
import { variableReferencesJson } from "./variable-references-json.ts";

/** What is around the command. */
export interface Surroundings {
  readonly stdin: () => Uint8Array;
  /** Where diagnostics will be written: it decides about colours. */
  readonly stderr: NodeJS.WritableStream;
  /** Characters in a line of a diagnostic's explanation. */
  readonly columns: number;
}

export interface Outcome {
  /** 2 where diagnostics tell of errors. */
  readonly exitCode: 0 | 2;
  /** Text for standard error. */
  readonly diagnostics: string;
  readonly result?: string;
}

/** As the Go library goes on after an error, because its suites count errors. */
const recovery = { recovery: "first-error" } as const;

/** @throws CtyError for a result that JSON cannot hold, because it is not known. */
export function run(commandLine: CommandLine, { stdin, stderr, columns }: Surroundings): Outcome {
  const sources = new Map<string, string | Uint8Array>();
  const diagnostics: Diagnostic[] = [];
  const failed = (): Outcome => ({
    exitCode: 2,
    diagnostics: commandLine.diagnosticsAsJson
      ? diagnosticsJson(diagnostics)
      : formatDiagnostics(diagnostics, sources, { width: columns, stream: stderr }),
  });
  const load = (path: string): Body | undefined => {
    const loaded = loadFiles([path], diskFiles, recovery);
    for (const [name, source] of loaded.sources) sources.set(name, source);
    diagnostics.push(...loaded.diagnostics);
    return hasErrors(loaded.diagnostics) ? undefined : loaded.files[0]?.body;
  };

  const specBody = load(commandLine.spec);
  const specFile = specBody && readSpecFile(specBody);
  diagnostics.push(...(specFile?.diagnostics ?? []));
  if (specFile === undefined || hasErrors(diagnostics)) return failed();

  const given = givenVariables(commandLine.vars, load);
  diagnostics.push(...given.diagnostics);
  const variables = new Map([...specFile.variables, ...given.variables]);
  // Where there are none at all, a reference is told so instead of that its variable is missing.
  const scope = {
    ...(variables.size > 0 ? { variables } : {}),
    ...(specFile.functions.size > 0 ? { functions: specFile.functions } : {}),
  };

  const bodies = commandLine.files.length > 0 ? commandLine.files.map(load) : [standardInput(stdin, sources, diagnostics)];
  if (hasErrors(diagnostics)) return failed();
  const [first, ...others] = bodies.filter((one) => one !== undefined);
  // What is merged is missing nowhere in particular.
  const body = first !== undefined && others.length === 0 ? first : mergeBodies(first === undefined ? [] : [first, ...others]);

  if (commandLine.varRefs) {
    return { exitCode: 0, diagnostics: "", result: variableReferencesJson(specVariables(body, specFile.spec), scope) };
  }
  const decoded = decode(body, specFile.spec, scope);
  diagnostics.push(...decoded.diagnostics);
  if (hasErrors(diagnostics)) return failed();
  return { exitCode: 0, diagnostics: "", result: resultJson(decoded.value, commandLine) };
}

function standardInput(stdin: () => Uint8Array, sources: Map<string, string | Uint8Array>, diagnostics: Diagnostic[]): Body {
  const name = "<stdin>";
  const source = stdin();
  sources.set(name, source);
  const parsed = parseConfig(source, name, recovery);
  diagnostics.push(...parsed.diagnostics);
  return nativeBody(parsed.body);
}
