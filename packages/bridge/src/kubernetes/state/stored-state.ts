// SPDX-License-Identifier: Apache-2.0
import { gunzipSync, gzipSync } from "node:zlib";
import type { EncodedObject } from "@tenon/schema/lifecycle";
import { BridgeError } from "../../error.ts";

/**
 * The state of one resource, as a state file would record it, and the call in progress. It is stored apart from the custom resource, whose
 * status is neither complete nor exact: it lacks private data and secrets.
 */
export interface StoredState {
  /** Source address of the provider. */
  readonly provider: string;
  /** Name of the resource type. */
  readonly typeName: string;
  /** The remote object, as the provider last returned it; absent if no object is known to exist. */
  readonly object?: EncodedObject;
  /** During a replacement: the earlier object, until it is deleted. `object` is absent until the new object exists. */
  readonly deposed?: EncodedObject;
  /** A call that was begun and whose outcome is not stored yet; absent if there is none. */
  readonly pending?: PendingCall;
  /** The time at which the last creation was begun, if it failed and nothing was created, in RFC 3339 form. */
  readonly failedCreation?: string;
  /** The time at which the resource was deleted, or found to be gone, in RFC 3339 form. Absent after the next creation has begun. */
  readonly deletedAt?: string;
  /**
   * External name that the object had when the last creation began, if the provider chooses external names. It belongs to an earlier resource, and
   * cannot find the one that was created. Absent after the creation has succeeded.
   */
  readonly earlierName?: string;
  /** Open ephemeral resource, in the place of an object. */
  readonly ephemeral?: StoredEphemeral;
}

/** An open ephemeral resource, without its values. */
export interface StoredEphemeral {
  /** When it was opened, as an RFC 3339 time. */
  readonly openedAt: string;
  /** Time before which it must be renewed; absent if it never expires. */
  readonly renewAt?: string;
  /** Time from which it is renewed. */
  readonly renewFrom?: string;
  /** Private data of the provider, as base64; absent if there is none. */
  readonly private?: string;
  /** Digest of the configuration that it was opened with. */
  readonly configuration: string;
  /** Secret with its values. */
  readonly secret: { readonly namespace: string; readonly name: string };
  /** Earlier ones that are still to be closed: their private data, as base64, or null. */
  readonly closing?: readonly (string | null)[];
}

/** A call that changes the remote object. */
export interface PendingCall {
  readonly operation: "create" | "update" | "delete";
  /** The time at which the call was begun, in RFC 3339 form. */
  readonly since: string;
  /** JSON text of the planned identity, if the plan has one. With it, the object of an interrupted creation can be found. */
  readonly identity?: string;
  readonly identitySchemaVersion?: number;
}

/** Version of the format. Code for a later version must read earlier ones, too. */
const format = 1;

/** Maximum size of a compressed state, in bytes. The API server limits the data of a Secret, including keys, to 1 MiB. */
const maxBytes = 1_048_576 - 1_024;

/**
 * Encodes a state as JSON, compressed with gzip.
 *
 * @throws BridgeError `STATE_TOO_LARGE`
 */
export function encodeStoredState(state: StoredState): Buffer {
  const bytes = gzipSync(JSON.stringify({ format, ...state }));
  if (bytes.length > maxBytes) {
    const message = `the state of a ${state.typeName} has ${bytes.length} bytes after compression, but a Secret can hold only ${maxBytes}`;
    throw new BridgeError("STATE_TOO_LARGE", message);
  }
  return bytes;
}

/**
 * Decodes the result of {@link encodeStoredState}.
 *
 * @throws BridgeError `INVALID_STATE`. The message does not contain the state.
 */
export function decodeStoredState(bytes: Buffer): StoredState {
  let decoded: StoredState & { readonly format?: unknown };
  try {
    decoded = JSON.parse(gunzipSync(bytes).toString("utf8")) as typeof decoded;
  } catch {
    throw new BridgeError("INVALID_STATE", "the stored state is malformed: it is not JSON compressed with gzip");
  }
  const { format: found, ...state } = decoded;
  if (found !== format) {
    const message = `the stored state has format ${JSON.stringify(found)}, and this version of Tenon reads format ${format}: use a newer version`;
    throw new BridgeError("INVALID_STATE", message);
  }
  if (typeof state.typeName !== "string" || typeof state.provider !== "string") {
    throw new BridgeError("INVALID_STATE", "the stored state is malformed: it has no provider or no resource type");
  }
  return state;
}
