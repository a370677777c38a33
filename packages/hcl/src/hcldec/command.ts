// SPDX-License-Identifier: Apache-2.0
/*
 * The command, from the files to the text of the result. It is compatible with HCL's own `hcldec`, so that its test suites can run it: same
 * exit codes, same JSON, and same suppression of errors after a syntax error.
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

/** Streams and terminal of the command. */
export interface CommandEnvironment {
  readonly stdin: () => Uint8Array;
  /** Stream for diagnostics, which determines whether they have colours. */
  readonly stderr: NodeJS.WritableStream;
  /** Maximum line length of a diagnostic's detail, in characters. */
  readonly columns: number;
}

/** Result of the command. */
export interface Outcome {
  /** 2 if the diagnostics include an error. */
  readonly exitCode: 0 | 2;
  /** Text for standard error. */
  readonly diagnostics: string;
  readonly result?: string;
}

/** Recovery of the Go library, because its test suites count errors. */
const recovery = { recovery: "first-error" } as const;

/** Runs the command. @throws CtyError for an unknown result, which JSON cannot represent. @throws HclError for an invalid spec. */
export function run(commandLine: CommandLine, { stdin, stderr, columns }: CommandEnvironment): Outcome {
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
  // Without any variables, the error of a reference says that variables are not allowed.
  const scope = {
    ...(variables.size > 0 ? { variables } : {}),
    ...(specFile.functions.size > 0 ? { functions: specFile.functions } : {}),
  };

  const bodies = commandLine.files.length > 0 ? commandLine.files.map(load) : [standardInput(stdin, sources, diagnostics)];
  if (hasErrors(diagnostics)) return failed();
  const [first, ...others] = bodies.filter((one) => one !== undefined);
  // Merged bodies have no range for missing items, so a single body is not merged.
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
