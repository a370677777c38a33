// SPDX-License-Identifier: Apache-2.0
import { attributeStep, CtyError, dynamic, indexStep, type Path, type PathStep } from "@tenon/cty";
import { decode, encode } from "@tenon/cty/json";
import { stateError, type StateDiagnostic } from "./state-diagnostic.ts";
import { formatJsonTree, parseJsonTree, type JsonTree } from "./json-tree.ts";

/** Writes the paths of sensitive attributes in the notation of state files. */
export function encodeSensitivePaths(paths: readonly Path[]): JsonTree {
  return paths.map((path) => path.map(encodeStep));
}

function encodeStep(step: PathStep): JsonTree {
  if (step.kind === "attribute") return { type: "get_attr", value: step.name };
  return { type: "index", value: parseJsonTree(encode(step.key, dynamic)) };
}

/** Reads the paths of sensitive attributes. A path with a malformed step is reported and omitted. */
export function decodeSensitivePaths(tree: JsonTree): {
  readonly paths: readonly Path[];
  readonly diagnostics: readonly StateDiagnostic[];
} {
  const diagnostics: StateDiagnostic[] = [];
  if (!Array.isArray(tree))
    return { paths: [], diagnostics: [stateError("Error unmarshaling path steps", "The value is not an array of paths.")] };
  const paths = (tree as readonly JsonTree[]).flatMap((path) => {
    const steps = (Array.isArray(path) ? (path as readonly JsonTree[]) : []).map(decodeStep);
    const problem = steps.find((step) => "problem" in step);
    if (problem !== undefined && "problem" in problem) diagnostics.push(problem.problem);
    return problem === undefined ? [steps as readonly PathStep[]] : [];
  });
  return { paths, diagnostics };
}

function decodeStep(step: JsonTree): PathStep | { readonly problem: StateDiagnostic } {
  const { type = null, value = null } = typeof step === "object" && step !== null ? (step as Readonly<Record<string, JsonTree>>) : {};
  if (type === "get_attr") {
    if (typeof value === "string") return attributeStep(value);
    return { problem: stateError("Error unmarshaling path step", "Failed to unmarshal get attr step name: the name is not a string") };
  }
  if (type !== "index") return { problem: stateError("Unsupported path step", `Unsupported path step type ${JSON.stringify(type)}`) };
  try {
    return indexStep(decode(formatJsonTree(value), dynamic));
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return { problem: stateError("Error unmarshaling path step", `Failed to unmarshal index step key: ${error.message}`) };
  }
}
