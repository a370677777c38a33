// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from "node:util";

/** Options and arguments of the command, equal to those of HCL's own `hcldec`. */
export interface CommandLine {
  /** Path of the spec file. */
  readonly spec: string;
  /** Path for the result; standard output if absent. */
  readonly out?: string | undefined;
  /** Variables as JSON objects or names of files; later ones take precedence. */
  readonly vars: readonly string[];
  /** Whether diagnostics are written as JSON instead of text. */
  readonly diagnosticsAsJson: boolean;
  /** Whether the result lists the references in the input instead of its value. */
  readonly varRefs: boolean;
  /** Whether the result includes its type. */
  readonly withType: boolean;
  /** Whether the result includes properties that are null. */
  readonly keepNulls: boolean;
  readonly help: boolean;
  readonly version: boolean;
  /** The files to decode; standard input if there are none. */
  readonly files: readonly string[];
}

/** An error of the caller outside of the configuration, such as an invalid option. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Help text. */
export const usage = `usage: tenon-hcldec --spec=<spec-file> [options] [hcl-file ...]

Decodes HCL files by a spec file and prints the result as JSON. Without files it reads standard input.

  -s, --spec <file>           the spec that the files are decoded by (required)
  -V, --vars <json or file>   variables for the files; can be given several times
  -o, --out <file>            write the result there instead of to standard output
      --diags json            write diagnostics as JSON
      --with-type             print {"value": …, "type": …}
      --keep-nulls            keep properties that are null
      --var-refs              print the references in the files instead of decoding them
  -v, --version               print the version of this command
      --help                  print this`;

/** Parses the arguments of the command. @throws CommandError for unknown or invalid options. */
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

// oxlint-disable-next-line typescript/explicit-function-return-type -- the type follows from the options
function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(`${error.message}\n${usage}`, 2, { cause: error });
  }
}
