// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { attr, importById, isUnknown, type Component, type ProviderDefinition } from "@tenon/provider-sdk";
import { requiresReplace, useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import type { ResourceDeclaration } from "./declaration.ts";
import { schemaOf } from "./schema.ts";
import type { Store } from "./store.ts";
import { completedObject, loadedObject, storedObject, type ObjectValue } from "./stored-value.ts";

/** Creates the managed resource of a declaration. */
export function resourceOf(provider: ProviderDefinition<Store>, name: string, declared: ResourceDeclaration): Component<Store> {
  const withId = { ...declared, attributes: { ...declared.attributes, id: { type: "string" } } } as const;
  const typeName = `tfcoremock_${name}`;
  const stored = (values: ObjectValue): { readonly resource_type: string; readonly values: ReturnType<typeof storedObject> } => ({
    resource_type: typeName,
    values: storedObject(values, withId),
  });
  const id = attr.string({ optional: true, computed: true, planModifiers: [useStateForUnknown(), requiresReplace()] });
  return provider.resource(name, {
    schema: { ...schemaOf(declared, "resource"), id },
    plan: ({ planned, client, defer }) => {
      if (typeof planned.id === "string" && client.exceptions.defer.includes(planned.id)) defer("resourceConfigUnknown");
    },
    create: async ({ planned, client }) => {
      const id = isUnknown(planned.id) ? randomUUID() : planned.id;
      const values = { ...completedObject(planned, declared), id };
      client.failIfTold("create", id);
      await client.create(id, stored(values));
      return values;
    },
    read: async ({ state, client }) => {
      client.failIfTold("read", state.id);
      if (!client.hasFiles) return state;
      const object = await client.read(state.id);
      return object && { ...loadedObject(object.values, declared), id: state.id };
    },
    update: async ({ state, planned, client }) => {
      const values = { ...completedObject(planned, declared), id: state.id };
      client.failIfTold("update", state.id);
      await client.update(state.id, stored(values));
      return values;
    },
    delete: async ({ state, client }) => {
      client.failIfTold("delete", state.id);
      await client.delete(state.id);
    },
    importState: importById("id"),
  });
}
