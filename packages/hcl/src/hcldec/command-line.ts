// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from "node:util";

/** What the command was asked for; the options are those of HCL's own `hcldec`. */
export interface CommandLine {
  /** Where the spec file is. */
  readonly spec: string;
  /** Where the result goes; standard output if absent. */
  readonly out?: string | undefined;
  /** JSON objects, and names of files, that give variables; later ones win. */
  readonly vars: readonly string[];
  /** Are diagnostics written as JSON instead of as text? */
  readonly diagnosticsAsJson: boolean;
  /** Is the result what the input refers to, instead of what it gives? */
  readonly varRefs: boolean;
  /** Does the result say its type? */
  readonly withType: boolean;
  /** Does it have the properties that are null? */
  readonly keepNulls: boolean;
  readonly help: boolean;
  readonly version: boolean;
  /** The files to decode; standard input if there are none. */
  readonly files: readonly string[];
}

/** What the caller has to mend, outside of the configuration. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export const usage = `usage: tenon-hcldec --spec=<spec-file> [options] [hcl-file ...]

Decodes HCL files by a spec file and prints the result as JSON. Without files it reads standard input.

  -s, --spec <file>           what the files may have, and what becomes of it (required)
  -V, --vars <json or file>   variables for the files; can be given several times
  -o, --out <file>            write the result there instead of to standard output
      --diags json            write diagnostics as JSON
      --with-type             print {"value": …, "type": …}
      --keep-nulls            keep properties that are null
      --var-refs              print what the files refer to instead of decoding them
  -v, --version               print the version of this command
      --help                  print this`;

/** @throws CommandError for options that there are not, or that say nothing. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parsed(args);
  const { spec = "", out, vars = [], diags = "", help = false, version = false } = values;
  if (spec === "" && !help && !version) throw new CommandError("the option --spec=… is required", 1);
  if (diags !== "" && diags !== "json") {
    throw new CommandError(`there is no diagnostics format ${JSON.stringify(diags)}: only "json" is supported`, 2);
  }
  return {
    spec,
    out: out === "" ? undefined : out,
    vars,
    diagnosticsAsJson: diags === "json",
    varRefs: values["var-refs"] ?? false,
    withType: values["with-type"] ?? false,
    keepNulls: values["keep-nulls"] ?? false,
    help,
    version,
    files: positionals,
  };
}

const options = {
  spec: { type: "string", short: "s" },
  out: { type: "string", short: "o" },
  vars: { type: "string", short: "V", multiple: true },
  diags: { type: "string" },
  "var-refs": { type: "boolean" },
  "with-type": { type: "boolean" },
  "keep-nulls": { type: "boolean" },
  version: { type: "boolean", short: "v" },
  help: { type: "boolean", short: "h" },
} as const;

// oxlint-disable-next-line typescript/explicit-function-return-type -- it follows from the options
function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(`${error.message}\n${usage}`, 2, { cause: error });
  }
}
