// SPDX-License-Identifier: Apache-2.0
import { ProtocolError } from "../error.ts";

/** Name of the optional peer dependency that the reference carrier is built on. */
const packageName = "@connectrpc/connect-node";

/**
 * Imports a module that depends on connect-node.
 *
 * @throws ProtocolError `DEPENDENCY_MISSING` when connect-node is not installed.
 */
export async function importWithConnectNode<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    if (!isMissingPackage(cause)) throw cause;
    throw new ProtocolError(
      "DEPENDENCY_MISSING",
      `the reference carrier needs the package ${packageName}, which is not installed: ` +
        `run \`npm install ${packageName}\`, or use @tenon/protocol/carrier/client and @tenon/protocol/carrier/server instead`,
      { cause },
    );
  }
}

function isMissingPackage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND" && error.message.includes(`'${packageName}'`);
}
