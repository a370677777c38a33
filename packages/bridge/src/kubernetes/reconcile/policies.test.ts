// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import type { ManagementPolicy } from "../crd/management-policies.ts";
import { available, reconcileError, reconcileSuccess, withConditions } from "./conditions.ts";
import { isCreateIncomplete, pollIntervalOf, replacementPolicyOf, type ManagedResource } from "./managed-resource.ts";
import { permissionsOf } from "./policies.ts";

const actions: readonly ManagementPolicy[] = ["Observe", "Create", "Update", "Delete", "LateInitialize"];

/** Every set of Crossplane's policies. */
function allSets(): readonly (readonly ManagementPolicy[])[] {
  const subsets = Array.from({ length: 32 }, (_, bits) => actions.filter((_, index) => bits & (1 << index)));
  return [...subsets, ["*"]];
}

test("fifteen sets of policies are valid, as for Crossplane", ({ expect }) => {
  const valid = allSets().filter((managementPolicies) => permissionsOf({ forProvider: {}, managementPolicies }) !== "invalid");
  expect(valid).toHaveLength(15);
  expect(valid).toContainEqual([]);
  expect(valid).toContainEqual(["Observe"]);
  expect(valid).not.toContainEqual(["Observe", "Delete"]);
});

test("policies allow what they name", ({ expect }) => {
  const all = { create: true, update: true, delete: true, lateInitialize: true, planOnly: false };
  const none = { create: false, update: false, delete: false, lateInitialize: false, planOnly: false };
  const permissions = (managementPolicies?: ManagementPolicy[], deletionPolicy?: "Orphan"): unknown =>
    permissionsOf({
      forProvider: {},
      ...(managementPolicies ? { managementPolicies } : {}),
      ...(deletionPolicy ? { deletionPolicy } : {}),
    });
  expect(permissions()).toEqual(all);
  expect(permissions(["*"], "Orphan")).toEqual({ ...all, delete: false });
  expect(permissions([])).toBe("paused");
  expect(permissions(["Observe", "Create"])).toEqual({ ...none, create: true });
  expect(permissions(["Observe", "Plan"])).toEqual({ ...none, planOnly: true });
  expect(permissions(["Observe", "Plan", "Create"])).toBe("invalid");
  expect(permissions(["*", "Observe"])).toBe("invalid");
});

function withAnnotations(annotations: Readonly<Record<string, string>>): ManagedResource {
  return { apiVersion: "a/v1", kind: "A", metadata: { name: "a", annotations }, spec: { forProvider: {} } };
}

test("a creation is incomplete until it has succeeded or failed", ({ expect }) => {
  const of = (suffixes: Readonly<Record<string, string>>): boolean =>
    isCreateIncomplete(
      withAnnotations(Object.fromEntries(Object.entries(suffixes).map(([key, value]) => [`crossplane.io/external-create-${key}`, value]))),
    );
  expect(of({})).toBe(false);
  expect(of({ pending: "2026-01-01T00:00:00Z" })).toBe(true);
  expect(of({ pending: "2026-01-01T00:00:00Z", succeeded: "2026-01-01T00:00:00Z" })).toBe(false);
  expect(of({ pending: "2026-01-01T00:00:01Z", failed: "2026-01-01T00:00:00Z" })).toBe(true);
  expect(of({ pending: "2026-01-01T00:00:01Z", failed: "2026-01-01T00:00:00Z", succeeded: "2026-01-01T00:00:02Z" })).toBe(false);
});

test("annotations give the poll interval and the replacement policy", ({ expect }) => {
  const interval = (text: string): number | undefined => pollIntervalOf(withAnnotations({ "crossplane.io/poll-interval": text }));
  expect([interval("90s"), interval("1h30m"), interval("1.5s250ms")]).toEqual([90_000, 5_400_000, 1_750]);
  expect([interval(""), interval("10"), interval("0s"), interval("-1m")]).toEqual([undefined, undefined, undefined, undefined]);
  const policy = (text: string): string => replacementPolicyOf(withAnnotations({ "tenon.dev/replacement-policy": text }));
  expect([policy("DeleteFirst"), policy("CreateFirst"), policy("other"), policy("")]).toEqual([
    "DeleteFirst",
    "CreateFirst",
    "Refuse",
    "Refuse",
  ]);
});

test("a condition keeps its time until its status or reason changes", ({ expect }) => {
  const first = withConditions([], [available, reconcileSuccess], 1, "t1");
  expect(withConditions(first, [available, reconcileSuccess], 1, "t2")).toBe(first);
  const second = withConditions(first, [reconcileError("no quota")], 2, "t3");
  expect(second).toEqual([
    { ...available, lastTransitionTime: "t1", observedGeneration: 1 },
    { ...reconcileError("no quota"), lastTransitionTime: "t3", observedGeneration: 2 },
  ]);
  const third = withConditions(second, [reconcileError("no right")], 2, "t4");
  expect(third[1]).toMatchObject({ message: "no right", lastTransitionTime: "t3" });
});
