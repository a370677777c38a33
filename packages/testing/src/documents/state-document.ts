// SPDX-License-Identifier: Apache-2.0
import type { Json, JsonObject } from "./json.ts";

/** A state, as `tofu show -json` prints it. */
export interface StateDocument {
  readonly values?: {
    readonly outputs?: Readonly<Record<string, OutputDocument>>;
    readonly root_module?: ModuleDocument;
  };
}

/** An output of the root module. */
export interface OutputDocument {
  readonly value: Json;
  readonly sensitive: boolean;
}

/** The resources of a module, and the modules that it calls. */
export interface ModuleDocument {
  readonly resources?: readonly ResourceDocument[];
  readonly child_modules?: readonly ModuleDocument[];
}

/** A resource in a state. */
export interface ResourceDocument {
  readonly address: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly values: JsonObject;
  /** Has `true` in the place of each sensitive value. */
  readonly sensitive_values?: Json;
  /** Absent if the provider or the core has no identities. */
  readonly identity?: JsonObject;
  readonly tainted?: boolean;
  readonly deposed_key?: string;
}

/** All resources of a state, including those of child modules. */
export function resourcesOf(state: StateDocument): readonly ResourceDocument[] {
  const inModule = ({ resources = [], child_modules: modules = [] }: ModuleDocument): readonly ResourceDocument[] => [
    ...resources,
    ...modules.flatMap(inModule),
  ];
  return inModule(state.values?.root_module ?? {});
}

/** The resource at an address; not a deposed object. */
export function resourceAt(state: StateDocument, address: string): ResourceDocument | undefined {
  return resourcesOf(state).find((resource) => resource.address === address && resource.deposed_key === undefined);
}
