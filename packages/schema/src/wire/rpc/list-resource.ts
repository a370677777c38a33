// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse } from "../../messages/common.ts";
import type { ListResourceEvent, ListResourceRequest, ValidateListResourceConfigRequest } from "../../messages/list-resource.ts";
import { diagnostics, diagnosticsIn, type DiagnosticInit, type DiagnosticWire } from "../kind/diagnostics.ts";
import type { Kind } from "../kind/kind.ts";
import { flag, integer, text } from "../kind/scalar.ts";
import {
  identity,
  optionalValue,
  value,
  type DynamicValueInit,
  type DynamicValueWire,
  type IdentityInit,
  type IdentityWire,
} from "../kind/value.ts";
import type { Methods } from "../methods.ts";
import { bind, type RpcTable } from "../rpc-table.ts";
import type { Rpcs, StreamRpc } from "../rpc.ts";
import { noTypes, ofBool, ofListResource, ofNumber, ofResource } from "../types.ts";

const validateListResourceConfig = {
  named: "typeName",
  request: { typeName: text, config: value(ofListResource), includeResourceObject: value(ofBool), limit: value(ofNumber) },
  response: { diagnostics: diagnosticsIn(ofListResource) },
} as const satisfies RpcTable<ValidateListResourceConfigRequest, DiagnosticsResponse>;

interface EventWire {
  readonly identity?: IdentityWire | undefined;
  readonly displayName: string;
  readonly resourceObject?: DynamicValueWire | undefined;
  readonly diagnostic: readonly DiagnosticWire[];
}
type EventInit = { identity?: IdentityInit; displayName: string; resourceObject?: DynamicValueInit; diagnostic: DiagnosticInit[] };

const resourceObject = optionalValue(ofResource);

/** Written by hand, because the field of the message is `diagnostic`, not `diagnostics`. */
const listResourceEvent: Kind<ListResourceEvent, EventWire, EventInit> = {
  needs: "identities",
  read(wire, types) {
    const found = identity.read(wire.identity, types);
    const object = resourceObject.read(wire.resourceObject, types);
    return {
      displayName: wire.displayName,
      diagnostics: diagnostics.read(wire.diagnostic, types),
      ...(found === undefined ? {} : { identity: found }),
      ...(object === undefined ? {} : { resourceObject: object }),
    };
  },
  write(model, types) {
    const found = identity.write(model.identity, types);
    const object = resourceObject.write(model.resourceObject, types);
    return {
      displayName: model.displayName,
      diagnostic: diagnostics.write(model.diagnostics, types),
      ...(found === undefined ? {} : { identity: found }),
      ...(object === undefined ? {} : { resourceObject: object }),
    };
  },
};

const listResource = {
  named: "typeName",
  request: { typeName: text, config: value(ofListResource), includeResourceObject: flag, limit: integer },
  response: listResourceEvent,
  refuse: (reasons) => ({ diagnostic: diagnostics.write(reasons, noTypes) }),
} as const satisfies RpcTable<ListResourceRequest, ListResourceEvent>;

/** Returns the RPCs about list resources. */
export function listResourceRpcs(
  methods: Methods,
): Rpcs<"validateListResourceConfig"> & { readonly listResource: StreamRpc<"listResource"> } {
  return {
    validateListResourceConfig: bind(validateListResourceConfig, methods.validateListResourceConfig),
    listResource: bind(listResource, methods.listResource),
  };
}
