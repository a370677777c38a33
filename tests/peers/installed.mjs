// SPDX-License-Identifier: Apache-2.0
// Peers we do not build but use when the machine has them. Typed by installed.d.mts; plain JavaScript because the
// build runs on any Node.
import { execFileSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { tmpdir } from "node:os";

/** How an installed peer is asked for its version, and where in the answer it stands. */
const installed = {
  terraform: { command: "terraform", args: ["version", "-json"], version: (text) => JSON.parse(text).terraform_version },
};

export function findInstalled(name) {
  const { command, args, version } = installed[name];
  const path = onPath(command);
  if (path === undefined) return undefined;
  try {
    const answer = execFileSync(path, args, {
      cwd: tmpdir(),
      env: quiet(process.env),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const found = version(answer);
    return found === undefined ? undefined : { name, version: found, path };
  } catch {
    // On PATH but not runnable (another platform's binary, a version manager's shim with nothing behind it): as good as absent.
    return undefined;
  }
}

function onPath(command) {
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    for (const ending of endings) {
      const path = join(folder, command + ending);
      if (isExecutable(path)) return path;
    }
  }
  return undefined;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A caller's TF_CLI_ARGS or log settings would change what is printed, and a check for updates would cost seconds. */
function quiet(environment) {
  const kept = Object.entries(environment).filter(([key]) => !key.startsWith("TF_"));
  return { ...Object.fromEntries(kept), CHECKPOINT_DISABLE: "1" };
}
