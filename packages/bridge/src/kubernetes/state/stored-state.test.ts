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

test("a stored state is read unchanged, and equal states have equal bytes", ({ expect }) => {
  expect(decodeStoredState(encodeStoredState(state))).toEqual(state);
  expect(encodeStoredState(state).equals(encodeStoredState(structuredClone(state)))).toBe(true);
});

test("the Secret of a state belongs to its owner, and is rejected for another one", ({ expect }) => {
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

test("the Secret has an owner reference to a cluster-scoped owner, but not to an owner in another namespace", ({ expect }) => {
  const cluster = { ...owner, metadata: { name: "one", uid: "u-1" } };
  expect(stateSecret(cluster, "operators", state).metadata.ownerReferences).toHaveLength(1);
  expect(stateSecret(owner, "operators", state).metadata.ownerReferences).toBeUndefined();
});

test.for([
  ["not in gzip form", Buffer.from("hunter2"), "malformed"],
  ["not in JSON form", gzipSync("hunter2"), "malformed"],
  ["of a newer format", gzipSync('{"format":2,"value":"hunter2"}'), "format 2"],
  ["without a type", gzipSync('{"format":1,"provider":"p","value":"hunter2"}'), "no resource type"],
] as const)("rejects data %s, without their content in the error", ([, bytes, message], { expect }) => {
  const secret = { ...stateSecret(owner, "team", state), data: { state: bytes.toString("base64") } };
  expect(() => stateIn(secret, owner)).toThrow(message);
  expect(() => stateIn(secret, owner)).not.toThrow(/hunter2/);
});

test("rejects a state that is too large for a Secret", ({ expect }) => {
  const large = { ...state, object: { ...state.object!, value: JSON.stringify(randomBytes(900_000).toString("base64")) } };
  expect(encodeStoredState(large).length).toBeGreaterThan(900_000);
  const larger = { ...state, object: { ...state.object!, value: JSON.stringify(randomBytes(1_100_000).toString("base64")) } };
  expect(() => encodeStoredState(larger)).toThrow(expect.objectContaining({ code: "STATE_TOO_LARGE" }) as Error);
});
