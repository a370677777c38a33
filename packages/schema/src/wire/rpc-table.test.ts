// SPDX-License-Identifier: Apache-2.0
import { Provider as Provider5 } from "@tenon/protocol/tfplugin5";
import { Provider as Provider6 } from "@tenon/protocol/tfplugin6";
import { describe, test } from "vitest";
import type { DiagnosticsResponse } from "../messages/common.ts";
import type { ValidateDataSourceConfigRequest } from "../messages/data-source.ts";
import type { PlanActionRequest } from "../messages/action.ts";
import { clientCapabilities } from "./kind/capabilities.ts";
import { diagnostics, diagnosticsIn } from "./kind/diagnostics.ts";
import { flag, integer, text } from "./kind/scalar.ts";
import { optionalValue, value } from "./kind/value.ts";
import { bind, type Fields, type RpcTable } from "./rpc-table.ts";
import { ofDataSource } from "./types.ts";

type Table = RpcTable<ValidateDataSourceConfigRequest, DiagnosticsResponse>;
const request = { typeName: text, config: value(ofDataSource) };
const response = { diagnostics: diagnosticsIn(ofDataSource) };
const methods = [Provider5.method.validateDataSourceConfig, Provider6.method.validateDataResourceConfig] as const;

// The compiler rejects these tables: `npm run check` fails if an expected error does not occur.
describe("a table does not compile", () => {
  test("if it does not fit the model", () => {
    // @ts-expect-error a field is missing
    const missing = { request: { typeName: text }, response } satisfies Table;
    // @ts-expect-error a field is misspelt
    const misspelt = { request: { typename: text, config: value(ofDataSource) }, response } satisfies Table;
    // @ts-expect-error a kind is of the wrong model
    const wrong = { request: { typeName: flag, config: value(ofDataSource) }, response } satisfies Table;
    // @ts-expect-error a kind that may be absent is used for a field that may not be absent
    const optional = { request: { typeName: text, config: optionalValue(ofDataSource) }, response } satisfies Table;
    // @ts-expect-error a kind that is never absent is used for a field that may be absent
    const required: Fields<PlanActionRequest> = { actionType: text, config: value(ofDataSource), clientCapabilities: value(ofDataSource) };
    // @ts-expect-error the request has no such field for the type name
    const named = { named: "name", request, response } as const satisfies Table;
    void [missing, misspelt, wrong, optional, required, named];
  });

  test("if it does not fit the messages of a protocol version", ({ expect }) => {
    for (const method of methods) {
      expect(bind({ request, response }, method).method).toBe(method);
      // @ts-expect-error a field of the message is missing
      bind({ request: { typeName: text }, response }, method);
      // @ts-expect-error a field is not in the message
      bind({ request: { ...request, clientCapabilities }, response }, method);
      // @ts-expect-error a kind cannot read the message
      bind({ request: { ...request, typeName: integer }, response }, method);
      // @ts-expect-error the response has a missing field
      bind({ request, response: {} }, method);
      // @ts-expect-error a kind of the whole message cannot read it
      bind({ request, response: diagnostics }, method);
    }
    // @ts-expect-error a field that only one of the versions has: the response of protocol 5 also has the configuration
    bind({ request: { config: value(ofDataSource) }, response: { diagnostics } }, Provider5.method.prepareProviderConfig);
    bind({ request: { config: value(ofDataSource) }, response: { diagnostics } }, Provider6.method.validateProviderConfig);
  });

  test("if a kind writes another type than the message has", () => {
    const loud = { ...text, write: (model: string) => [model] };
    // @ts-expect-error text is written as a list
    bind({ request: { ...request, typeName: loud }, response }, Provider6.method.validateDataResourceConfig);
  });
});
