// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { SourceRange } from "@tenon/hcl";
import { modulePathOf, type ModulePath } from "../address/module.ts";
import type { AbsoluteResource } from "../address/resource.ts";
import type { ModuleSource } from "./module-source.ts";
import { resourceBlock, type Module } from "./module.ts";
import type { ResourceBlock } from "./resource.ts";
import type { StaticModuleCall } from "./static-call.ts";
import type { StaticScope } from "./static-scope.ts";

/** A node of the tree of a configuration: the root module, or a module that another module calls. */
export interface Configuration {
  readonly path: ModulePath;
  readonly module: Module;
  /** Absent for the root module. */
  readonly parent?: Configuration;
  /** The called modules, by the names of their calls. */
  readonly children: ReadonlyMap<string, Configuration>;
  /** The source of the module; absent for the root module. */
  readonly source?: ModuleSource;
  /** The range of the `module` block that calls the module; absent for the root module. */
  readonly callRange?: SourceRange;
  /** The version of a module from a registry. */
  readonly version?: string;
  /** Source and version of the module's calls, by the name of the call. */
  readonly calls: ReadonlyMap<string, StaticModuleCall>;
  /** The instances of each provider configuration with `for_each`, by its name in the module: `each.value` by `each.key`. */
  readonly providerInstances: ReadonlyMap<string, ReadonlyMap<string, Value>>;
  /** Evaluates static expressions of the module: those needed before planning, such as the arguments of a backend. */
  readonly staticScope: StaticScope;
}

/** The module at a path below a configuration; undefined if there is none. */
export function descendant(configuration: Configuration, path: ModulePath): Configuration | undefined {
  let at: Configuration | undefined = configuration;
  for (const name of path) at = at?.children.get(name);
  return at;
}

/** The block that declares the resource of an object; undefined if the configuration does not declare it. */
export function declaredBlock(root: Configuration, { module, resource }: AbsoluteResource): ResourceBlock | undefined {
  const declaring = descendant(root, modulePathOf(module));
  return declaring && resourceBlock(declaring.module, resource);
}

/** Yields all modules of the tree, each before the modules that it calls. */
export function* allModules(configuration: Configuration): Generator<Configuration> {
  yield configuration;
  for (const child of configuration.children.values()) yield* allModules(child);
}

/** Whether the module, or one of those that it is called through, is from outside the configuration. @see OpenTofu configs, Config.IsRemoteModule */
export function isRemoteModule(configuration: Configuration): boolean {
  for (let at: Configuration | undefined = configuration; at !== undefined; at = at.parent) {
    if (at.source !== undefined && at.source.kind !== "local") return true;
  }
  return false;
}
