// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { test } from "vitest";
import { stateIn, stateSecret, type StateOwner } from "./state-secret.ts";
import { decodeStoredState, encodeStoredState, type StoredState } from "./stored-state.ts";

const owner: StateOwner = { apiVersion: "n.example/v1", kind: "Note", metadata: { namespace: "team", name: "one", uid: "u-1" } };
const state: StoredState = {
  provider: "registry.opentofu.org/tenon/notebook",
  typeName: "notebook_note",
  object: { schemaVersion: 3, value: '{"id":"1","size":12345678901234567890.5}', private: "AQI=", status: "ready", identity: '{"id":"1"}' },
  pending: { operation: "update", since: "2026-01-01T00:00:00Z" },
};

test("a state is the same after it was stored and read, and equal states are equal bytes", ({ expect }) => {
  expect(decodeStoredState(encodeStoredState(state))).toEqual(state);
  expect(encodeStoredState(state).equals(encodeStoredState(structuredClone(state)))).toBe(true);
});

test("its Secret belongs to its owner, and is read for no other", ({ expect }) => {
  const secret = stateSecret(owner, "team", state);
  expect(secret.metadata).toMatchObject({
    namespace: "team",
    name: "tenon-state-u-1",
    ownerReferences: [{ uid: "u-1", controller: true }],
  });
  expect(stateIn(secret, owner)).toEqual(state);
  const other = { ...owner, metadata: { ...owner.metadata, uid: "u-2" } };
  expect(() => stateIn(secret, other)).toThrow("the Secret team/tenon-state-u-1 is not the state of Note one");
});

test("the Secret of a cluster-scoped owner is owned; of an owner in another namespace, it is not", ({ expect }) => {
  const cluster = { ...owner, metadata: { name: "one", uid: "u-1" } };
  expect(stateSecret(cluster, "operators", state).metadata.ownerReferences).toHaveLength(1);
  expect(stateSecret(owner, "operators", state).metadata.ownerReferences).toBeUndefined();
});

test.for([
  ["that is no gzip", Buffer.from("hunter2"), "damaged"],
  ["that is no JSON", gzipSync("hunter2"), "damaged"],
  ["of a newer format", gzipSync('{"format":2,"value":"hunter2"}'), "format 2"],
  ["without a type", gzipSync('{"format":1,"provider":"p","value":"hunter2"}'), "no resource type"],
] as const)("data %s are refused without their content", ([, bytes, message], { expect }) => {
  const secret = { ...stateSecret(owner, "team", state), data: { state: bytes.toString("base64") } };
  expect(() => stateIn(secret, owner)).toThrow(message);
  expect(() => stateIn(secret, owner)).not.toThrow(/hunter2/);
});

test("a state that a Secret cannot hold is refused", ({ expect }) => {
  const large = { ...state, object: { ...state.object!, value: JSON.stringify(randomBytes(900_000).toString("base64")) } };
  expect(encodeStoredState(large).length).toBeGreaterThan(900_000);
  const larger = { ...state, object: { ...state.object!, value: JSON.stringify(randomBytes(1_100_000).toString("base64")) } };
  expect(() => encodeStoredState(larger)).toThrow(expect.objectContaining({ code: "STATE_TOO_LARGE" }) as Error);
});
