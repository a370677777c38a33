// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { errorDiagnostic } from "../diagnostic.ts";
import type { GetProviderSchemaResponse, GetResourceIdentitySchemasResponse } from "../messages/provider.ts";
import { sharedIdentities, sharedSchema, type SharedSchemas } from "./schema-store.ts";

function schemas(isOptional: boolean, diagnostics: GetProviderSchemaResponse["diagnostics"] = []): GetProviderSchemaResponse {
  return { diagnostics, serverCapabilities: { getProviderSchemaOptional: isOptional } } as GetProviderSchemaResponse;
}

const identities: GetResourceIdentitySchemasResponse = { diagnostics: [], identitySchemas: new Map() };

describe("shared schemas", () => {
  test.for<[title: string, response: GetProviderSchemaResponse, requests: number]>([
    ["are requested once from a provider that allows their reuse", schemas(true), 1],
    ["are requested from each process of a provider that does not allow their reuse", schemas(false), 2],
    ["are requested again after an error", schemas(true, [errorDiagnostic("No", "Not today.")]), 2],
  ])("%s", async ([, response, requests], { expect }) => {
    const shared: SharedSchemas = {};
    let count = 0;
    const request = async (): Promise<GetProviderSchemaResponse> => (count++, response);
    let identityCount = 0;
    const requestIdentities = async (): Promise<GetResourceIdentitySchemasResponse> => (identityCount++, identities);
    for (let run = 0; run < 2; run += 1) {
      // The request for identities may end before that for schemas.
      expect(await sharedIdentities(shared, requestIdentities)).toBe(identities);
      expect(await sharedSchema(shared, request)).toBe(response);
    }
    expect([count, identityCount]).toEqual([requests, requests]);
  });
});
