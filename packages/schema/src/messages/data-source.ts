// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import type { ClientCapabilities, Deferred } from "./common.ts";

export interface ValidateDataSourceConfigRequest {
  readonly typeName: string;
  readonly config: Value;
}

export interface ReadDataSourceRequest {
  readonly typeName: string;
  readonly config: Value;
  readonly providerMeta?: Value;
  readonly clientCapabilities?: ClientCapabilities;
}

export interface ReadDataSourceResponse {
  readonly state: Value;
  readonly diagnostics: readonly Diagnostic[];
  readonly deferred?: Deferred;
}
