// SPDX-License-Identifier: Apache-2.0
import type { DescService } from "@bufbuild/protobuf";
import type { Diagnostic } from "../diagnostic.ts";
import type { GetProviderSchemaResponse } from "../messages/provider.ts";
import type { Methods } from "./methods.ts";
import { actionRpcs } from "./rpc/action.ts";
import { dataSourceRpcs } from "./rpc/data-source.ts";
import { ephemeralResourceRpcs } from "./rpc/ephemeral-resource.ts";
import { functionRpcs } from "./rpc/function.ts";
import { listResourceRpcs } from "./rpc/list-resource.ts";
import { managedResourceRpcs } from "./rpc/managed-resource.ts";
import { providerRpcs } from "./rpc/provider.ts";
import type { StateStoreRpcs } from "./rpc/state-store.ts";
import type { SchemaMessages } from "./schema/provider-schema.ts";

/** Version of the protocol. */
export interface Protocol {
  readonly version: 5 | 6;
  readonly service: DescService;
  /** RPCs by the names of `Provider`'s methods. */
  readonly rpcs: ProtocolRpcs;
  /** Returns an error for each attribute that this version cannot represent. Absent where the version represents every schema. */
  readonly schemaErrors?: (schema: GetProviderSchemaResponse) => readonly Diagnostic[];
}

/** All RPCs of a version. Only version 6 has those about state stores. */
export type ProtocolRpcs = SharedRpcs & Partial<StateStoreRpcs>;

type SharedRpcs = ReturnType<typeof providerRpcs> &
  ReturnType<typeof managedResourceRpcs> &
  ReturnType<typeof dataSourceRpcs> &
  ReturnType<typeof ephemeralResourceRpcs> &
  ReturnType<typeof functionRpcs> &
  ReturnType<typeof listResourceRpcs> &
  ReturnType<typeof actionRpcs>;

/** Returns the RPCs that both versions have. */
export function sharedRpcs(methods: Methods, messages: SchemaMessages): SharedRpcs {
  return {
    ...providerRpcs(methods, messages),
    ...managedResourceRpcs(methods),
    ...dataSourceRpcs(methods),
    ...ephemeralResourceRpcs(methods),
    ...functionRpcs(methods),
    ...listResourceRpcs(methods),
    ...actionRpcs(methods),
  };
}
