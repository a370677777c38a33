// SPDX-License-Identifier: Apache-2.0
import { attr, createProvider, defineProvider, replaceInstead } from "@tenon/provider-sdk";
import { resourceType } from "@tenon/schema/lifecycle";
import { valueOf } from "@tenon/cty/unstable/payload";
import { emptyValue, impliedType, ProviderError, type Provider } from "@tenon/schema";
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

const time = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** How an object is observed, or why it cannot be. */
type Observe = (pending: number, succeeded: number, stored: Partial<StoredState> | undefined) => Promise<string>;

/**
 * Prepares observations of an object whose external name is `vanished`, and whose last creations began and succeeded at these seconds.
 *
 * @param override - Replaces calls of the provider.
 */
async function preparedObserve(override: Partial<Provider> = {}): Promise<Observe> {
  const provider: Provider = Object.assign(createProvider(definition.with([host])), override);
  const { provider: schema } = await provider.getProviderSchema({});
  await provider.configureProvider({ terraformVersion: "1.12.6", config: emptyValue(schema!.block) });
  const type = await resourceType(provider, "x_host", { providerAddress: "example.com/tenon/x" });
  const [kind] = await mapProviderKinds(provider, { group: "x.example.org", resources: ["x_host"], rules: {} });
  return async (pending, succeeded, stored) => {
    const owner: ManagedResource = {
      apiVersion: "x.example.org/v1alpha1",
      kind: "Host",
      metadata: {
        name: "first",
        uid: "u",
        annotations: {
          [annotations.externalName]: "vanished",
          ...(Number.isNaN(pending) ? {} : { [annotations.createPending]: time(pending) }),
          [annotations.createSucceeded]: time(succeeded),
        },
      },
      spec: { forProvider: {} },
    };
    const state = stored && { provider: type.providerAddress, typeName: type.typeName, ...stored };
    const configuration = valueOf(impliedType(type.schema.block), null);
    return await observeResource({ type, kind: kind!, owner, state, configuration, options: {} }).then(
      ({ by }) => by,
      ({ message }: Error) => message,
    );
  };
}

const begun = (second: number) => ({ pending: { operation: "create", since: time(second) } }) as const;

test("only a creation whose request was not sent is repeated", async ({ expect }) => {
  const observe = await preparedObserve();
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

test("a resource whose deletion is stored does not exist, whatever has its external name", async ({ expect }) => {
  const observe = await preparedObserve();
  expect(await observe(1, 2, { deletedAt: time(3) })).toBe("none");
  expect(await observe(1, 2, {})).toContain("the provider was asked to import");
});

test("the external name of an earlier resource does not find an interrupted creation", async ({ expect }) => {
  const observe = await preparedObserve();
  const replaced = { ...begun(3), earlierName: "vanished" };
  expect(await observe(3, 2, replaced)).toContain("set the annotation crossplane.io/external-name to its identifier");
  expect(await observe(3, 2, { ...begun(3), earlierName: "another" })).toContain("the provider was asked to import");
  // A person has removed the annotation of the begin, because nothing was created.
  expect(await observe(Number.NaN, 2, replaced)).toBe("none");
});

test("if the provider cannot import, a lost state and an unknown creation need a person, and other states do not", async ({ expect }) => {
  const observe = await preparedObserve({
    importResourceState: () => Promise.reject(new ProviderError("UNIMPLEMENTED", "no import", { requestSent: true })),
  });
  expect(await observe(1, 2, undefined)).toContain("its stored state is gone and the provider cannot import it");
  expect(await observe(3, 2, begun(3))).toContain("the provider cannot import the resource, so if it exists, delete it there");
  expect(await observe(3, 4, { failedCreation: time(3) })).toBe("none");
  expect(await observe(3, 4, {})).toBe("none");
});
