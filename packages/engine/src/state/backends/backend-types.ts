// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "@tenon/cty/unstable/payload";
import type { BackendType } from "./backend.ts";
import { httpBackend } from "./http-backend.ts";
import { inmemBackend } from "./inmem-backend.ts";
import { localBackend } from "./local-backend.ts";
import { pgBackend } from "./pg-backend.ts";
import { s3Backend } from "./s3-backend.ts";

/** The types of backends that are built in, by the name of the block. */
export const backendTypes: ReadonlyMap<string, BackendType> = new Map([
  ["local", localBackend],
  ["http", httpBackend],
  ["s3", s3Backend],
  ["pg", pgBackend],
  ["inmem", inmemBackend],
]);

/** The backends of OpenTofu that are not available here: the difference `absent-backend`. */
const otherBackends: readonly string[] = ["azurerm", "consul", "cos", "gcs", "kubernetes", "oss", "remote"];

const withdrawn = "backend is not supported in OpenTofu v1.3 or later.";
const removedBackends: ReadonlyMap<string, string> = new Map([
  ["artifactory", `The "artifactory" ${withdrawn}`],
  ["azure", 'The "azure" backend name has been removed, please use "azurerm".'],
  ["etcd", `The "etcd" ${withdrawn}`],
  ["etcdv3", `The "etcdv3" ${withdrawn}`],
  ["manta", `The "manta" ${withdrawn}`],
  ["swift", `The "swift" ${withdrawn}`],
]);

/** The detail of the error about a backend type that does not exist here. @see OpenTofu internal/backend/init */
export function absentBackendDetail(name: string, known: ReadonlyMap<string, BackendType>): string {
  const removed = removedBackends.get(name);
  if (removed !== undefined) return removed;
  if (!otherBackends.includes(name)) return `There is no backend type named ${goQuote(name)}.`;
  const names = [...known.keys()].sort().map((each) => `"${each}"`);
  return `The backend type "${name}" of OpenTofu is not available here. The available types are ${names.join(", ")}.`;
}
