// SPDX-License-Identifier: Apache-2.0
import type { Provider as Provider5 } from "@tenon/protocol/tfplugin5";
import type { Provider as Provider6 } from "@tenon/protocol/tfplugin6";

type Methods5 = (typeof Provider5)["method"];
type Methods6 = (typeof Provider6)["method"];

/** Methods that have another name in protocol 5. */
interface OldNames {
  readonly getProviderSchema: "getSchema";
  readonly validateProviderConfig: "prepareProviderConfig";
  readonly validateResourceConfig: "validateResourceTypeConfig";
  readonly validateDataResourceConfig: "validateDataSourceConfig";
  readonly configureProvider: "configure";
  readonly stopProvider: "stop";
}

type OldName<Name> = Name extends keyof OldNames ? OldNames[Name] : Name;

/** Methods that both protocol versions have, under the names of version 6. */
export type Methods = {
  readonly [Name in keyof Methods6 as OldName<Name> extends keyof Methods5 ? Name : never]:
    | Methods6[Name]
    | Methods5[OldName<Name> & keyof Methods5];
};

/** Methods that only protocol 6 has. */
export type StateStoreMethods = Pick<
  Methods6,
  | "validateStateStoreConfig"
  | "configureStateStore"
  | "readStateBytes"
  | "writeStateBytes"
  | "lockState"
  | "unlockState"
  | "getStates"
  | "deleteState"
>;
