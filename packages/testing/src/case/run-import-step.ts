// SPDX-License-Identifier: Apache-2.0
import type { ResourceChangeDocument } from "../documents/plan-document.ts";
import { type ResourceDocument, resourceAt, resourcesOf } from "../documents/state-document.ts";
import { readConfiguration } from "../configuration/configuration-source.ts";
import { TestingError } from "../error.ts";
import type { RunnerSession } from "../runner/runner.ts";
import { hclText } from "../configuration/hcl-text.ts";
import { importDifferences } from "./import-difference.ts";
import { checkPlan } from "./run-config-step.ts";
import type { ImportStepOptions, StepOf } from "./step.ts";
import type { StepRun } from "./step-run.ts";

/** One import of a step. */
interface ImportWork {
  readonly run: StepRun;
  /** The session with the state that the import changes. */
  readonly session: RunnerSession;
  readonly address: string;
  readonly options: ImportStepOptions;
  /** The resource in the state before the import; undefined if the state does not have it. */
  readonly prior: ResourceDocument | undefined;
}

/** Runs a step that imports a resource. */
export async function runImportStep(run: StepRun, { address, options }: StepOf<"import">): Promise<void> {
  const { state } = run;
  if (options.config !== undefined) state.files = state.addProviders(readConfiguration(options.config));
  state.variables = options.variables ?? state.variables;
  const prior = resourceAt(await run.session.state(), address);
  if (options.persist === true) await importAndVerify({ run, session: run.session, address, options, prior });
  else {
    await using session = await run.session.fork();
    await importAndVerify({ run, session, address, options, prior });
  }
}

async function importAndVerify(work: ImportWork): Promise<void> {
  const { run, address, options, prior } = work;
  const { kind = "command", persist = false, verify = !persist } = options;
  if (verify && prior === undefined)
    throw await run.failure("import", `the import of ${address} cannot be verified: it is not in the state`);
  const resource = kind === "command" ? await importByCommand(work) : await importByBlock(work);
  if (resource === undefined || !verify) return;
  const differences = importDifferences(prior!, resource, options.verifyIgnore ?? []);
  if (differences.length > 0) {
    throw await run.failure("import", `the imported ${address} differs from the one in the state:\n${differences.join("\n")}`);
  }
}

/** Imports with the command `import`. Returns undefined if the step ends with an expected error. */
async function importByCommand(work: ImportWork): Promise<ResourceDocument | undefined> {
  const { run, session, address, options } = work;
  const { state } = run;
  if (!(await run.accept("init", await session.configure(state.files, state.variables)))) return undefined;
  const id = await idOf(work);
  if (options.persist === true) state.applied = { files: state.files, variables: state.variables };
  if (!(await run.accept(`import ${address}`, await session.importObject(address, id)))) return undefined;
  const after = await session.state();
  await options.check?.(resourcesOf(after).filter(({ mode }) => mode === "managed"));
  const found = resourceAt(after, address);
  if (found === undefined) throw await run.failure("import", `the import of ${address} succeeds, but the state does not have it`);
  return found;
}

/** Imports with an `import` block. Returns undefined if the step ends with an expected error. */
async function importByBlock(work: ImportWork): Promise<ResourceDocument | undefined> {
  const { run, session, address, options, prior } = work;
  const { state } = run;
  const name = options.kind === "identityBlock" ? "identity" : "id";
  const value = name === "id" ? await idOf(work) : identityOf(work);
  const block = `import {\n  to = ${address}\n  ${name} = ${hclText(value)}\n}\n`;
  const without = state.files;
  state.files = new Map([...state.files, ["tenon_import.tf", block]]);
  if (!(await run.accept("init", await session.configure(state.files, state.variables)))) return undefined;
  await using plan = await session.plan({ generateConfiguration: options.generateConfiguration ?? false });
  run.show(plan);
  if (!(await run.accept("plan with the import", plan))) return undefined;
  const { resource_changes: changes } = await plan.document();
  const change = changes?.find((one) => one.address === address);
  if (change?.change.importing === undefined) throw await run.failure("plan with the import", `the plan does not import ${address}`);
  if (options.expectNonEmptyPlan !== true && change.change.actions.join() !== "no-op") {
    const actions = change.change.actions.join(", ");
    throw await run.failure("plan with the import", `the import of ${address} must change nothing, but has these actions: ${actions}`);
  }
  await checkPlan(run, options.planChecks ?? [], plan, "import");
  const { generatedConfiguration } = plan;
  if (generatedConfiguration !== undefined) await options.checkGenerated?.(generatedConfiguration);
  const afterwards = generatedConfiguration === undefined ? without : new Map([...without, ["tenon_generated.tf", generatedConfiguration]]);
  if (options.persist === true) {
    state.applied = { files: afterwards, variables: state.variables };
    if (!(await run.accept("apply", await plan.apply()))) return undefined;
  }
  const resource = importedResource(change, prior);
  await options.check?.([resource]);
  state.files = options.persist === true ? afterwards : without;
  return resource;
}

/** Returns the object that a plan imports, in the form of a resource in a state. */
function importedResource({ address, mode, type, change }: ResourceChangeDocument, prior: ResourceDocument | undefined): ResourceDocument {
  return {
    address,
    mode,
    type,
    name: prior?.name ?? address.split(".").at(-1)!,
    values: (change.before ?? {}) as ResourceDocument["values"],
    ...(change.before_sensitive !== undefined && { sensitive_values: change.before_sensitive }),
    ...(change.before_identity && { identity: change.before_identity }),
  };
}

async function idOf({ run, address, options: { id, idPrefix = "" }, prior }: ImportWork): Promise<string> {
  const found = typeof id === "function" ? await id(await run.session.state()) : (id ?? prior?.values["id"]);
  if (typeof found === "string") return idPrefix + found;
  throw new TestingError("CASE_INVALID", `the import of ${address} needs an id: the state has no attribute id of it`);
}

function identityOf({ address, options: { identity }, prior }: ImportWork): Readonly<Record<string, unknown>> {
  const found = identity ?? prior?.identity;
  if (found !== undefined) return found;
  throw new TestingError("CASE_INVALID", `the import of ${address} by identity needs one: the state has no identity of it`);
}
