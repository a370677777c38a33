// SPDX-License-Identifier: Apache-2.0
import { attr, createProvider, defineProvider, replaceInstead } from "@tenon/provider-sdk";
import { resourceType } from "@tenon/schema/lifecycle";
import { valueOf } from "@tenon/cty/unstable/payload";
import { emptyValue, impliedType } from "@tenon/schema";
import { test } from "vitest";
import type { StoredState } from "../state/stored-state.ts";
import { mapProviderKinds } from "../mapping/map-kinds.ts";
import { annotations, type ManagedResource } from "./managed-resource.ts";
import { observeResource } from "./observe-resource.ts";

const definition = defineProvider({ name: "x", version: "1.0.0", configure: () => undefined });
const host = definition.resource("host", {
  schema: { id: attr.string({ computed: true }) },
  create: () => ({ id: "1" }),
  read: () => undefined,
  update: replaceInstead,
  delete: () => undefined,
  importState: () => {
    throw new Error("the provider was asked to import");
  },
});

test("only a creation whose request was not sent is repeated", async ({ expect }) => {
  await using provider = createProvider(definition.with([host]));
  const { provider: schema } = await provider.getProviderSchema({});
  await provider.configureProvider({ terraformVersion: "1.12.6", config: emptyValue(schema!.block) });
  const type = await resourceType(provider, "x_host", { providerAddress: "example.com/tenon/x" });
  const [kind] = await mapProviderKinds(provider, { group: "x.example.org", resources: ["x_host"], rules: {} });
  const time = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  const observe = async (pending: number, succeeded: number, call: Pick<StoredState, "pending" | "failedCreation">): Promise<string> => {
    const owner: ManagedResource = {
      apiVersion: "x.example.org/v1alpha1",
      kind: "Host",
      metadata: {
        name: "first",
        uid: "u",
        annotations: {
          [annotations.externalName]: "vanished",
          [annotations.createPending]: time(pending),
          [annotations.createSucceeded]: time(succeeded),
        },
      },
      spec: { forProvider: {} },
    };
    const state = {
      provider: type.providerAddress,
      typeName: type.typeName,
      ...call,
    };
    const configuration = valueOf(impliedType(type.schema.block), null);
    return await observeResource({ type, kind: kind!, owner, state, configuration, options: {} }).then(
      ({ by }) => by,
      ({ message }: Error) => message,
    );
  };
  const begun = (second: number) => ({ pending: { operation: "create", since: time(second) } }) as const;
  // The annotations are about an earlier creation, which has ended.
  expect(await observe(1, 2, begun(3))).toBe("none");
  // They are about this creation, which has not ended.
  expect(await observe(3, 2, begun(3))).toContain("the provider was asked to import");
  // They are about a later creation, which has not ended, by a replica that has taken over.
  expect(await observe(3, 2, begun(4))).toContain("the provider was asked to import");
  // This creation has failed, which its annotations do not say yet.
  expect(await observe(3, 2, { failedCreation: time(3) })).toBe("none");
  // An earlier creation has failed.
  expect(await observe(3, 2, { failedCreation: time(1) })).toContain("the provider was asked to import");
});
