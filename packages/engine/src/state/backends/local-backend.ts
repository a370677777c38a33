// SPDX-License-Identifier: Apache-2.0
import { resolve } from "node:path";
import { string } from "@tenon/cty";
import { createAttribute, createBlock, errorDiagnostic } from "@tenon/schema";
import { EngineError } from "../../error.ts";
import { localState } from "../stores/local-store.ts";
import { textAttribute, type BackendType } from "./backend.ts";

const schema = createBlock({
  attributes: {
    path: createAttribute({ type: string, optional: true }),
    workspace_dir: createAttribute({ type: string, optional: true }),
  },
});

/** Files on this machine. @see OpenTofu internal/backend/local */
export const localBackend: BackendType = {
  schema: () => schema,
  prepare: (config) => {
    const faults = [
      ["path", "state file"],
      ["workspace_dir", "workspace directory"],
    ] as const;
    const diagnostics = faults
      .filter(([name]) => textAttribute(config, name) === "")
      .map(([name, noun]) =>
        errorDiagnostic(`Invalid local ${noun} path`, `The "${name}" attribute value must not be empty.`, [{ kind: "attribute", name }]),
      );
    return { config, diagnostics };
  },
  open(config, { workingDirectory, checkReadable }) {
    const workspaceFolder = textAttribute(config, "workspace_dir");
    const options = {
      path: resolve(workingDirectory, textAttribute(config, "path") ?? "terraform.tfstate"),
      workspaceFolder: resolve(workingDirectory, workspaceFolder ?? "terraform.tfstate.d"),
    };
    for (const path of [options.path, ...(workspaceFolder === undefined ? [] : [options.workspaceFolder])]) {
      try {
        checkReadable?.(path);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new EngineError("INVALID_OPTIONS", `the state at ${path} may not be read: ${reason}`, { cause: error });
      }
    }
    return localState(options);
  },
};
