// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import type { ClientCapabilities, Deferred } from "./common.ts";

/** Request of ValidateDataResourceConfig. The configuration may hold unknown values. */
export interface ValidateDataSourceConfigRequest {
  readonly typeName: string;
  readonly config: Value;
}

/** Request of ReadDataSource. The configuration is wholly known. */
export interface ReadDataSourceRequest {
  readonly typeName: string;
  readonly config: Value;
  readonly providerMeta?: Value;
  readonly clientCapabilities?: ClientCapabilities;
}

/** Response of ReadDataSource. */
export interface ReadDataSourceResponse {
  readonly state: Value;
  readonly diagnostics: readonly Diagnostic[];
  readonly deferred?: Deferred;
}
