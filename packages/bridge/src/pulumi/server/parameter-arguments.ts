// SPDX-License-Identifier: Apache-2.0
import { parseProviderArguments, type ProviderSelection } from "../../provider/provider-selection.ts";

/** Flag by which outputs have numbers that a double cannot hold as texts. */
const exactNumbersFlag = "--exact-numbers";

/** Parses the arguments of Parameterize: those that select a provider, and `--exact-numbers`. @throws BridgeError `INVALID_ARGUMENTS` */
export function parseParameterArguments(args: readonly string[]): ProviderSelection {
  const selection = parseProviderArguments(args.filter((arg) => arg !== exactNumbersFlag));
  return args.includes(exactNumbersFlag) ? { ...selection, exactNumbers: true } : selection;
}
