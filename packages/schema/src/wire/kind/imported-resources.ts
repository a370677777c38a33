// SPDX-License-Identifier: Apache-2.0
import type { ImportedResource } from "../../messages/managed-resource.ts";
import { ofResource, type Types } from "../types.ts";
import { element } from "../wire-error.ts";
import type { Kind } from "./kind.ts";
import { identity, value, type DynamicValueInit, type DynamicValueWire, type IdentityWire } from "./value.ts";

interface ImportedResourceWire {
  readonly typeName: string;
  readonly state?: DynamicValueWire | undefined;
  readonly private: Uint8Array;
  readonly identity?: IdentityWire | undefined;
}
type ImportedResourceInit = {
  typeName: string;
  state: DynamicValueInit;
  private: Uint8Array;
  identity?: { identityData: DynamicValueInit };
};

const state = value(ofResource);

/** Imported resources. Each has a type name of its own, which gives the types of its values. */
export const importedResources: Kind<readonly ImportedResource[], readonly ImportedResourceWire[], ImportedResourceInit[]> = {
  needs: "identities",
  read: (wire, types) => wire.map((imported, index) => element(index, () => readImported(imported, types.named(imported.typeName)))),
  write: (model, types) => model.map((imported, index) => element(index, () => writeImported(imported, types.named(imported.typeName)))),
};

function readImported(wire: ImportedResourceWire, types: Types): ImportedResource {
  const identityRead = identity.read(wire.identity, types);
  return {
    typeName: wire.typeName,
    state: state.read(wire.state, types),
    private: wire.private,
    ...(identityRead === undefined ? {} : { identity: identityRead }),
  };
}

function writeImported(model: ImportedResource, types: Types): ImportedResourceInit {
  const identityWritten = identity.write(model.identity, types);
  return {
    typeName: model.typeName,
    state: state.write(model.state, types),
    private: model.private,
    ...(identityWritten === undefined ? {} : { identity: identityWritten }),
  };
}
