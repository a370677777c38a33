// SPDX-License-Identifier: Apache-2.0
// An operator of a provider whose creations log a line, and wait until a file exists: `kubernetes-logging-program.ts <group> <file>`.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { operatorManifest, ownSupply, runOperator, type OperatorDefinition } from "@tenon/bridge/kubernetes";
import { attr, createProvider, defineProvider } from "@tenon/provider-sdk";

const [group, file] = process.argv.slice(2) as [string, string];

const definition: OperatorDefinition = {
  name: "shelf-operator",
  group,
  rules: { shelf_book: { asynchronous: true } },
  supply: ({ onLog }) => {
    const shelf = defineProvider({ name: "shelf", version: "1.0.0", configure: () => undefined });
    const book = shelf.resource("book", {
      schema: { title: attr.string({ required: true }) },
      create: async ({ planned }) => {
        const fields = { tf_resource_type: "shelf_book", tf_rpc: "ApplyResourceChange", tf_req_id: "1" };
        onLog({ message: `binds ${planned.title}`, fields });
        while (!existsSync(file)) await sleep(20);
        return planned;
      },
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => undefined,
    });
    return ownSupply({ address: "example.org/tenon/shelf" }, () => createProvider(shelf.with([book])));
  },
};

console.log(JSON.stringify(await operatorManifest(definition, { image: "registry.example.com/shelf:1" })));
await runOperator(definition, { progressMs: 50, queue: { initialDelayMs: 50, maxDelayMs: 500 } });
