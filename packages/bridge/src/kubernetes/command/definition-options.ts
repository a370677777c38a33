// SPDX-License-Identifier: Apache-2.0
import { parseProviderArguments, providerUsage, type ProviderSelection } from "../../provider/provider-selection.ts";
import { componentFlags, componentUsage, readComponentArguments, type ComponentArguments } from "./component-flags.ts";
import { readFlags } from "./flags.ts";
import { kindFlags, kindUsage, readKindArguments, type KindArguments } from "./kind-flags.ts";

/** Options of the command `tenon-kubernetes-definitions`. */
export interface PrintOptions extends KindArguments {
  /** The provider, and the resource types to include and exclude. */
  readonly selection: ProviderSelection;
  readonly components: readonly ComponentArguments[];
  /** `yaml`: definitions. `typescript`: types for programs. */
  readonly format: "yaml" | "typescript";
}

/** Usage text of the command. */
export const definitionUsage: string = `tenon-kubernetes-definitions <provider> --group <API group> [options]

  <provider>           ${providerUsage}
${kindUsage}
${componentUsage}
  --typescript         prints TypeScript types instead of definitions`;

/**
 * Reads the arguments of the command.
 *
 * @throws BridgeError `INVALID_ARGUMENTS`
 */
export function readPrintOptions(args: readonly string[]): PrintOptions {
  const flags = readFlags(args, [...kindFlags, ...componentFlags], ["--typescript"]);
  return {
    ...readKindArguments(flags),
    components: readComponentArguments(flags),
    selection: parseProviderArguments(flags.others),
    format: flags.has("--typescript") ? "typescript" : "yaml",
  };
}
