// SPDX-License-Identifier: Apache-2.0
import { hasErrors } from "@tenon/hcl";
import { ConsoleScope } from "../console/console.ts";
import { StateManager } from "../state/state-manager.ts";
import type { ConsoleParts } from "./console-session.ts";
import { givenVariables } from "./run-variables.ts";
import type { WorkspaceContext } from "./workspace-context.ts";
import type { RunOptions } from "./workspace-options.ts";

/** Opens a console for the configuration and the stored state. If the configuration has errors that prevent that, all expressions have them. */
export async function openConsole(
  context: WorkspaceContext,
  { variables = {}, signal }: Pick<RunOptions, "variables" | "signal">,
): Promise<ConsoleParts> {
  signal?.throwIfAborted();
  const { workspace, workingFolder, environment } = context;
  const { configuration, diagnostics, sources } = await context.load(variables, signal);
  const loadable = configuration !== undefined && !hasErrors(diagnostics) ? configuration : undefined;
  const pool = await context.openPool(loadable, { signal });
  const close = (): Promise<void> => pool[Symbol.asyncDispose]();
  if (loadable === undefined) return { scope: undefined, diagnostics, sources, close };
  const selected = context.stores.select(loadable);
  try {
    const problems = [...diagnostics, ...selected.diagnostics];
    if (hasErrors(problems)) return { scope: undefined, diagnostics: problems, sources, close };
    const { state } = (await StateManager.open(selected.store.workspace(workspace), selected.store.layout, signal ? { signal } : {})).file;
    const given = givenVariables(variables);
    const scope = await ConsoleScope.open({
      configuration: loadable,
      state,
      pool,
      workspace,
      workingFolder,
      environment,
      variables: given,
    });
    return { scope, diagnostics: [...problems, ...scope.diagnostics], sources, close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    await selected.close();
  }
}
