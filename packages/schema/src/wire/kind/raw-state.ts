// SPDX-License-Identifier: Apache-2.0
import type { RawState } from "../../messages/common.ts";
import type { Kind } from "./kind.ts";

interface RawStateWire {
  readonly json: Uint8Array;
  readonly flatmap: Readonly<Record<string, string>>;
}
type RawStateInit = { json?: Uint8Array; flatmap?: Record<string, string> };

/** State as it was stored. An absent state has neither form. */
export const rawState: Kind<RawState, RawStateWire | undefined, RawStateInit> = {
  read: (wire) => (wire === undefined ? {} : readRawState(wire)),
  write: (model) => ({
    ...(model.json === undefined ? {} : { json: model.json }),
    ...(model.flatmap === undefined ? {} : { flatmap: { ...model.flatmap } }),
  }),
};

/** State as it was stored, which may be absent. */
export const optionalRawState: Kind<RawState | undefined, RawStateWire | undefined, RawStateInit | undefined> = {
  read: (wire) => (wire === undefined ? undefined : readRawState(wire)),
  write: (model, types) => (model === undefined ? undefined : rawState.write(model, types)),
};

function readRawState(wire: RawStateWire): RawState {
  if (wire.json.length > 0) return { json: wire.json };
  return Object.keys(wire.flatmap).length > 0 ? { flatmap: wire.flatmap } : {};
}
