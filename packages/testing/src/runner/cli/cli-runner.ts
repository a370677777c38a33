// SPDX-License-Identifier: Apache-2.0
import { tmpdir } from "node:os";
import type { Feature } from "../../checks/check.ts";
import { TestingError } from "../../error.ts";
import { compareVersions } from "../version.ts";
import type { Core, Runner, RunnerSession, SessionSetup } from "../runner.ts";
import { runCommand } from "./cli-command.ts";

/** The first versions with a feature, by product. A feature without an entry needs the runner in process. */
const firstVersions: Readonly<Record<Feature, Partial<Record<Core["product"], string>>>> = {
  identity: { opentofu: "1.12.0", terraform: "1.12.0" },
  deferral: {},
  list: {},
  stateStore: {},
};

const cores = new Map<string, Promise<Core>>();

/**
 * Runs cases with a command line, which attaches to the providers in this process.
 *
 * @param command `tofu`, `terraform`, or the path of one.
 * @throws TestingError `RUNNER_FAILED` if it cannot be started.
 */
export async function cliRunner(command: string): Promise<Runner> {
  let known = cores.get(command);
  if (known === undefined) cores.set(command, (known = readCore(command)));
  const core = await known;
  const name = `${core.product === "opentofu" ? "tofu" : "terraform"} ${core.version}`;
  const open = async (setup: SessionSetup): Promise<RunnerSession> => {
    const { CliSession } = await import("./cli-session.ts");
    return CliSession.open(command, setup);
  };
  return { name, core, lacks: (feature) => lackReason(feature, core, name), open };
}

function lackReason(feature: Feature, { product, version }: Core, name: string): string | undefined {
  const first = firstVersions[feature][product];
  if (first === undefined) return `${name} is not used for the feature ${feature}: run the case in process`;
  return compareVersions(version, first) >= 0 ? undefined : `${name} lacks the feature ${feature}, which ${product} has since ${first}`;
}

async function readCore(command: string): Promise<Core> {
  const { stdout, stderr } = await runCommand(command, ["version"], { folder: tmpdir(), environment: {} });
  const [, product, version] = /^(OpenTofu|Terraform) v(\S+)/m.exec(stdout) ?? [];
  if (version === undefined) throw new TestingError("RUNNER_FAILED", `${command} is neither tofu nor terraform: ${stdout}${stderr}`);
  return { product: product === "OpenTofu" ? "opentofu" : "terraform", version };
}
