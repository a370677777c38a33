// SPDX-License-Identifier: Apache-2.0
import { resolve } from "node:path";
import { attr, defineProvider, type Component, type ServedProvider } from "@tenon/provider-sdk";
import { dataSourceOf } from "./data-source.ts";
import type { ResourceDeclaration } from "./declaration.ts";
import { readDynamicResources } from "./dynamic-resources.ts";
import { resourceOf } from "./resource.ts";
import { complexResource, simpleResource } from "./static-resources.ts";
import { Store } from "./store.ts";

/** Options of {@link tfcoremock}. */
export interface MockOptions {
  /** The folder that relative paths start from, and that has `dynamic_resources.json`. Default: the working folder. */
  readonly folder?: string;
  /** The file that declares dynamic resources. Default: the environment variable, then `dynamic_resources.json`. */
  readonly dynamicResources?: string;
}

/**
 * Creates the provider. Its dynamic resources are read before its first response, and all its instances have those: a process that many cores
 * attach to checks each schema once.
 */
export function tfcoremock(options: MockOptions = {}): ServedProvider {
  const { folder = ".", dynamicResources = process.env["TFCOREMOCK_DYNAMIC_RESOURCES_FILE"] ?? "dynamic_resources.json" } = options;
  const mock = defineProvider({
    name: "tfcoremock",
    version: "0.1.1",
    protocols: [6],
    description: "Resource types for tests. Each object is a JSON file.",
    schema: {
      resource_directory: attr.string({ optional: true, description: "Folder of managed resources. Default: `terraform.resource`." }),
      data_directory: attr.string({ optional: true, description: "Folder that data sources read. Default: `terraform.data`." }),
      use_only_state: attr.bool({ optional: true, description: "Whether no files are written: the state is the only record." }),
      fail_on_create: attr.list(attr.string(), { optional: true, description: "Ids whose creation fails." }),
      fail_on_read: attr.list(attr.string(), { optional: true, description: "Ids whose refresh fails." }),
      fail_on_update: attr.list(attr.string(), { optional: true, description: "Ids whose update fails." }),
      fail_on_delete: attr.list(attr.string(), { optional: true, description: "Ids whose deletion fails." }),
      defer_changes: attr.list(attr.string(), { optional: true, description: "Ids whose changes are deferred." }),
    },
    configure: ({ config }) =>
      new Store(
        {
          resources: config.use_only_state === true ? undefined : resolve(folder, config.resource_directory ?? "terraform.resource"),
          data: resolve(folder, config.data_directory ?? "terraform.data"),
        },
        {
          create: config.fail_on_create ?? [],
          read: config.fail_on_read ?? [],
          update: config.fail_on_update ?? [],
          delete: config.fail_on_delete ?? [],
          defer: config.defer_changes ?? [],
        },
      ),
  });
  const both = (name: string, declared: ResourceDeclaration): readonly Component<Store>[] => [
    resourceOf(mock, name, declared),
    dataSourceOf(mock, name, declared),
  ];
  return mock.with([
    once(async () => both("simple_resource", simpleResource)),
    once(async () => both("complex_resource", complexResource)),
    once(async () => {
      const declared = await readDynamicResources(resolve(folder, dynamicResources));
      return Object.entries(declared).flatMap(([name, one]) => both(name.slice("tfcoremock_".length), one));
    }),
  ]);
}

/** A function with the result of the first call. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}

export const provider: ServedProvider = tfcoremock();
