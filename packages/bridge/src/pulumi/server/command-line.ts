// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";

/** The command line of a plugin. */
export interface CommandLine {
  /** Address of the engine, `127.0.0.1:<port>`; undefined if the process waits for engines to attach. */
  readonly engineAddress: string | undefined;
  /** Verbosity of logs: 0 for none. */
  readonly verbosity: number;
}

/**
 * Parses the arguments with which the engine starts a plugin: `[--logtostderr] [-v=N] [--tracing URL] ENGINE_ADDRESS`. Other flags are
 * ignored, because newer engines may add some.
 *
 * @throws BridgeError `INVALID_ARGUMENTS`
 * @see pulumi sdk/go/common/resource/plugin/plugin.go, buildPluginArguments
 */
export function parseCommandLine(args: readonly string[]): CommandLine {
  let verbosity = 0;
  let engineAddress: string | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const [flag = "", ...inline] = args[at]!.replace(/^--/, "-").split("=");
    if (!flag.startsWith("-")) {
      if (engineAddress !== undefined) throw new BridgeError("INVALID_ARGUMENTS", "there is more than one engine address");
      parseEngineAddress(args[at]!);
      engineAddress = args[at]!;
    } else if (flag === "-v" || flag === "-tracing") {
      const value = inline.length > 0 ? inline.join("=") : args[(at += 1)];
      if (flag === "-v") verbosity = Number(value);
    }
  }
  return { engineAddress, verbosity: Number.isInteger(verbosity) && verbosity > 0 ? verbosity : 0 };
}

/** Host and port of an address. @throws BridgeError `INVALID_ARGUMENTS` */
export function parseEngineAddress(address: string): { readonly host: string; readonly port: number } {
  const colon = address.lastIndexOf(":");
  const port = Number(address.slice(colon + 1));
  if (colon <= 0 || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new BridgeError("INVALID_ARGUMENTS", `${JSON.stringify(address)} is not the address of an engine: use host:port`);
  }
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ""), port };
}
