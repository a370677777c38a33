// SPDX-License-Identifier: Apache-2.0
// Finds peers that are installed on the machine. Plain JavaScript with types in installed.d.mts, because the build runs on any Node.
import { execFileSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { tmpdir } from "node:os";

/** Command that prints the version of each installed peer, and where the output contains it. */
const installed = {
  terraform: { command: "terraform", args: ["version", "-json"], version: (text) => JSON.parse(text).terraform_version },
  kubectl: {
    command: "kubectl",
    args: ["version", "--client", "--output=json"],
    version: (text) => JSON.parse(text).clientVersion.gitVersion.replace(/^v/, ""),
  },
  pulumi: { command: "pulumi", args: ["version"], version: (text) => /^v?(\d+\.\d+\.\S+)/.exec(text.trim())?.[1] },
};

export function findInstalled(name) {
  const { command, args, version } = installed[name];
  const path = onPath(command);
  if (path === undefined) return undefined;
  try {
    const stdout = execFileSync(path, args, {
      cwd: tmpdir(),
      env: quiet(process.env),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const found = version(stdout);
    return found === undefined ? undefined : { name, version: found, path };
  } catch {
    // A program on PATH that does not run (built for another platform, a version manager's shim without a version) counts as absent.
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

/** Returns the environment without the TF_ variables, which would change the output, and without the check for updates. */
function quiet(environment) {
  const kept = Object.entries(environment).filter(([key]) => !key.startsWith("TF_"));
  return { ...Object.fromEntries(kept), CHECKPOINT_DISABLE: "1", PULUMI_SKIP_UPDATE_CHECK: "true" };
}
