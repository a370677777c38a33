// SPDX-License-Identifier: Apache-2.0
import { toBinary, type DescMethodUnary, type Message } from "@bufbuild/protobuf";
import { type Transport, type UnaryResponse } from "@connectrpc/connect";
import { attributeStep, indexStep, nullOf, of, string, unknown, type Type } from "@tenon/cty";
import { expect, test } from "vitest";
import { transportTo } from "../../test/wire/joined-provider.ts";
import { recordingProvider } from "../../test/wire/recording-provider.ts";
import { errorDiagnostic } from "../diagnostic.ts";
import { createAttribute, createSchema } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import { emptyProviderSchema } from "./schema/provider-schema.ts";
import * as v5 from "./v5/index.ts";
import * as v6 from "./v6/index.ts";

// The expected bytes are written by hand from the protocol's field numbers: `tag length content`, a line for each field.
const schema = createSchema({ attributes: { id: createAttribute({ type: string, computed: true }) } }, 1);
const type: Type = impliedType(schema.block);
const idA = "81 a2 69 64 a1 61"; // {"id": "a"}
const idUnknown = "81 a2 69 64 d4 00 00"; // {"id": unknown}

const planRequest = `
  0a 04 6e 6f 74 65
  12 03 0a 01 c0
  1a 09 0a 07 ${idUnknown}
  22 08 0a 06 ${idA}
  2a 02 01 02
  3a 02 10 01`;
const planResponse = `
  0a 09 0a 07 ${idUnknown}
  12 06 0a 04 0a 02 69 64
  1a 01 07
  22 13 08 01 12 01 73 1a 01 64 22 09 0a 03 0a 01 78 0a 02 18 05
  28 01
  32 02 08 02`;
const schemaResponse = `
  12 1e 0a 04 6e 6f 74 65
        12 16 08 01
              12 12 12 10 0a 02 69 64
                          12 08 22 73 74 72 69 6e 67 22
                          30 01
  32 00`;

const request = {
  typeName: "note",
  priorState: nullOf(type),
  proposedNewState: of(type, { id: unknown(string) }),
  config: of(type, { id: "a" }),
  priorPrivate: Uint8Array.of(1, 2),
  clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
};
const response = {
  plannedState: of(type, { id: unknown(string) }),
  requiresReplace: [[attributeStep("id")]],
  plannedPrivate: Uint8Array.of(7),
  diagnostics: [errorDiagnostic("s", "d", [attributeStep("x"), indexStep(5)])],
  legacyTypeSystem: true,
  deferred: { reason: "providerConfigUnknown" as const },
};

/** Wraps a transport, and records the bytes of the last request and response. */
function tapped(transport: Transport): { transport: Transport; seen: { request: string; response: string } } {
  const seen = { request: "", response: "" };
  return {
    seen,
    transport: {
      stream: (...call) => transport.stream(...call),
      async unary(method: DescMethodUnary, signal, timeoutMs, header, input, values) {
        const result = await transport.unary(method, signal, timeoutMs, header, input, values);
        seen.request = hex(toBinary(method.input, input as Message));
        seen.response = hex(toBinary(method.output, result.message));
        return result as UnaryResponse<never, never>;
      },
    },
  };
}

test.for([
  [5, v5],
  [6, v6],
] as const)("protocol %i encodes messages to the expected bytes", async ([version, { createProviderClient }]) => {
  const { provider } = recordingProvider({
    getProviderSchema: { ...emptyProviderSchema, resources: new Map([["note", schema]]) },
    getResourceIdentitySchemas: { identitySchemas: new Map(), diagnostics: [] },
    planResourceChange: response,
  });
  const { transport, seen } = tapped(transportTo(version, provider));
  const client = createProviderClient(transport, { close: () => Promise.resolve() });
  await client.getProviderSchema({});
  expect(seen).toEqual({ request: "", response: spaced(schemaResponse) });
  await client.planResourceChange(request);
  expect(seen).toEqual({ request: spaced(planRequest), response: spaced(planResponse) });
});

function spaced(text: string): string {
  return text.trim().split(/\s+/).join(" ");
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
}
