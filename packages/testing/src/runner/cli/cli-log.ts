// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticJson } from "@tenon/hcl/report";
import { errorTexts } from "../diagnostic-text.ts";
import type { CommandResult } from "./cli-command.ts";

/** The texts of the errors that a command with `-json` reported. A failed command has at least one. */
export function errorsInLog(result: CommandResult): readonly string[] {
  const diagnostics = result.stdout.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    const { diagnostic } = JSON.parse(line) as { readonly diagnostic?: DiagnosticJson };
    return diagnostic === undefined ? [] : [diagnostic];
  });
  const errors = errorTexts(diagnostics);
  if (errors.length > 0) return errors;
  return result.code === 0 || result.code === 2 ? [] : errorsInText(result);
}

/** The texts of the errors that a command without `-json` printed. A failed command has at least one. */
export function errorsInText({ code, stdout, stderr }: CommandResult): readonly string[] {
  if (code === 0) return [];
  const plain = `${stderr}\n${stdout}`.replaceAll(/^[╷│╵] ?/gm, "");
  const errors = plain.split(/^(?=Error: )/m).filter((part) => part.startsWith("Error: "));
  return errors.length > 0 ? errors.map((error) => error.trim()) : [plain.trim() || `the command ended with ${code ?? "a signal"}`];
}
