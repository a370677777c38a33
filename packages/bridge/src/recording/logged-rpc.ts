// SPDX-License-Identifier: Apache-2.0
import type { GrpcLogEntry } from "./grpc-log.ts";

/** RPCs by the function of the Go bridge that calls them. Its log has the name of that function if the compiler has inlined the call. */
const callers: Readonly<Record<string, string>> = {
  ConfigureWithContext: "ConfigureProvider",
  plan: "PlanResourceChange",
  CreateWithContext: "ApplyResourceChange",
  UpdateWithContext: "ApplyResourceChange",
  DeleteWithContext: "ApplyResourceChange",
  importResource: "ImportResourceState",
  // Names of protocol 5.
  GetSchema: "GetProviderSchema",
  PrepareProviderConfig: "ValidateProviderConfig",
  Configure: "ConfigureProvider",
  ValidateResourceTypeConfig: "ValidateResourceConfig",
  ValidateDataSourceConfig: "ValidateDataResourceConfig",
  Stop: "StopProvider",
};

/** Fields that identify an RPC, because only its request or its response has them. */
const requestFields: readonly (readonly [field: string, rpc: string])[] = [
  ["planned_state", "ApplyResourceChange"],
  ["proposed_new_state", "PlanResourceChange"],
  ["current_state", "ReadResource"],
  ["terraform_version", "ConfigureProvider"],
  ["raw_state", "UpgradeResourceState"],
  ["raw_identity", "UpgradeResourceIdentity"],
  ["source_state", "MoveResourceState"],
];
const responseFields: readonly (readonly [field: string, rpc: string])[] = [
  ["resource_schemas", "GetProviderSchema"],
  ["data_source_schemas", "GetProviderSchema"],
  ["provider", "GetProviderSchema"],
  ["imported_resources", "ImportResourceState"],
  ["identity_schemas", "GetResourceIdentitySchemas"],
];

/** The name of the RPC of an entry, in protocol 6; undefined if it cannot be determined. */
export function loggedRpc({ name, request, response }: GrpcLogEntry, rpcs: ReadonlySet<string>): string | undefined {
  const last = name.slice(name.lastIndexOf(".") + 1);
  const candidates = [last, callers[last] ?? "", `${last.charAt(0).toUpperCase()}${last.slice(1)}`];
  const named = candidates.find((candidate) => rpcs.has(candidate));
  if (named !== undefined) return named;
  const byRequest = requestFields.find(([field]) => new RegExp(`(?:^|\\s)${field}\\s*[:{]`).test(request));
  return (byRequest ?? responseFields.find(([field]) => response.includes(`"${field}":`)))?.[1];
}
