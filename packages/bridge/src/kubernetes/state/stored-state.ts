// SPDX-License-Identifier: Apache-2.0
import { gunzipSync, gzipSync } from "node:zlib";
import type { EncodedObject } from "@tenon/schema/lifecycle";
import { BridgeError } from "../../error.ts";

/**
 * What a state file would hold of one resource, and the call that is being made. Stored beside the resource, since what its status shows
 * is neither complete nor exact: it has no private data and no secrets.
 */
export interface StoredState {
  /** Address of the provider. */
  readonly provider: string;
  /** Resource type of the provider. */
  readonly typeName: string;
  /** The remote object as the provider returned it last; absent where none is known to exist. */
  readonly object?: EncodedObject;
  /** The object that `object` replaces and that still has to be deleted; while there is no `object`, the one that is being replaced. */
  readonly deposed?: EncodedObject;
  /** Call that was begun and whose outcome is not stored; absent where there is none. */
  readonly pending?: PendingCall;
}

/** A call that changes the remote object. */
export interface PendingCall {
  readonly operation: "create" | "update" | "delete";
  /** When the call was begun, as an RFC 3339 time. */
  readonly since: string;
  /** JSON text of the planned identity, where the plan has one: it finds an object whose creation was interrupted. */
  readonly identity?: string;
  readonly identitySchemaVersion?: number;
}

/** Version of the format. A later version reads earlier ones. */
const format = 1;

/** Largest compressed state, in bytes: the API server limits the data of a Secret to 1 MiB, of which keys take a part. */
const maxBytes = 1_048_576 - 1_024;

/**
 * Encodes a state: JSON, compressed with gzip.
 *
 * @throws BridgeError `STATE_TOO_LARGE`
 */
export function encodeStoredState(state: StoredState): Buffer {
  const bytes = gzipSync(JSON.stringify({ format, ...state }));
  if (bytes.length > maxBytes) {
    const message = `the state of a ${state.typeName} has ${bytes.length} bytes after compression, and a Secret can hold ${maxBytes}`;
    throw new BridgeError("STATE_TOO_LARGE", message);
  }
  return bytes;
}

/**
 * Decodes the result of {@link encodeStoredState}.
 *
 * @throws BridgeError `INVALID_STATE`, without the content.
 */
export function decodeStoredState(bytes: Buffer): StoredState {
  let decoded: StoredState & { readonly format?: unknown };
  try {
    decoded = JSON.parse(gunzipSync(bytes).toString("utf8")) as typeof decoded;
  } catch {
    throw new BridgeError("INVALID_STATE", "the stored state is damaged: it is no JSON compressed with gzip");
  }
  const { format: found, ...state } = decoded;
  if (found !== format) {
    const message = `the stored state has format ${JSON.stringify(found)}, and this version of Tenon reads format ${format}: use a newer version`;
    throw new BridgeError("INVALID_STATE", message);
  }
  if (typeof state.typeName !== "string" || typeof state.provider !== "string") {
    throw new BridgeError("INVALID_STATE", "the stored state is damaged: it has no provider or no resource type");
  }
  return state;
}
