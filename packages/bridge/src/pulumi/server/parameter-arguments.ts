// SPDX-License-Identifier: Apache-2.0
import { parseProviderArguments, type ProviderSelection } from "../../provider/provider-selection.ts";

/** The flag with which numbers that a double cannot hold exactly are strings in outputs. */
const exactNumbersFlag = "--exact-numbers";

/** Parses the arguments of Parameterize: the selection of a provider, and `--exact-numbers`. @throws BridgeError `INVALID_ARGUMENTS` */
export function parseParameterArguments(args: readonly string[]): ProviderSelection {
  const selection = parseProviderArguments(args.filter((arg) => arg !== exactNumbersFlag));
  return args.includes(exactNumbersFlag) ? { ...selection, exactNumbers: true } : selection;
}
