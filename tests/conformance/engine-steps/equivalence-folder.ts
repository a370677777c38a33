// SPDX-License-Identifier: Apache-2.0
// Folders of equivalence tests: a configuration, and `spec.json` with the commands whose outputs are kept. README.md of this folder says which
// commands are known.

/** A command of an equivalence test. */
export interface EquivalenceCommand {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly capture_output?: boolean;
  readonly output_file_name?: string;
  readonly streams_json_output?: boolean;
}

/** The content of `spec.json`. */
export interface EquivalenceSpec {
  /** Files that are kept beside the outputs. */
  readonly include_files?: readonly string[];
  readonly commands?: readonly EquivalenceCommand[];
}

const plan = "equivalence_test_plan";

/** The commands of a specification that has none. */
export const defaultCommands: readonly EquivalenceCommand[] = [
  { name: "init", arguments: ["init"], capture_output: false },
  { name: "plan", arguments: ["plan", `-out=${plan}`, "-no-color"], capture_output: true, output_file_name: "plan" },
  { name: "apply", arguments: ["apply", "-json", plan], capture_output: true, output_file_name: "apply.json", streams_json_output: true },
  { name: "show_state", arguments: ["show", "-no-color"], capture_output: true, output_file_name: "state" },
  { name: "show_state_json", arguments: ["show", "-json"], capture_output: true, output_file_name: "state.json" },
  { name: "show_plan", arguments: ["show", "-json", plan], capture_output: true, output_file_name: "plan.json" },
];

/** What a command does. */
export type Command =
  | { readonly kind: "init" }
  | { readonly kind: "plan"; readonly mode: "normal" | "destroy" | "refreshOnly"; readonly out: string | undefined }
  | { readonly kind: "applyPlan"; readonly plan: string }
  /** Plans and applies at once. */
  | { readonly kind: "apply"; readonly mode: "normal" | "destroy" | "refreshOnly" }
  | { readonly kind: "showState"; readonly json: boolean }
  | { readonly kind: "showPlan"; readonly plan: string; readonly json: boolean };

/** Reads the arguments of a command. @throws RangeError for a command or an option that is not known. */
export function readCommand({ arguments: [name, ...rest] }: EquivalenceCommand): Command {
  const [operands, options] = [rest.filter((one) => !one.startsWith("-")), rest.filter((one) => one.startsWith("-"))];
  const unknown = options.filter((one) => !/^-(json|no-color|auto-approve|input=false|refresh-only|destroy|out=.*)$/.test(one));
  if (unknown.length > 0) throw new RangeError(`${String(name)} has options that are not known: ${unknown.join(" ")}`);
  const out = options.find((one) => one.startsWith("-out="))?.slice("-out=".length);
  const mode = options.includes("-destroy") ? "destroy" : options.includes("-refresh-only") ? "refreshOnly" : "normal";
  const [operand] = operands;
  switch (name) {
    case "init":
      return { kind: "init" };
    case "plan":
      return { kind: "plan", mode, out };
    case "apply":
      return operand === undefined ? { kind: "apply", mode } : { kind: "applyPlan", plan: operand };
    case "destroy":
      return { kind: "apply", mode: "destroy" };
    case "show":
      return operand === undefined
        ? { kind: "showState", json: options.includes("-json") }
        : { kind: "showPlan", plan: operand, json: options.includes("-json") };
    default:
      throw new RangeError(`${String(name)} is not a command that is known`);
  }
}
