// SPDX-License-Identifier: Apache-2.0
import { createClient } from "@connectrpc/connect";
import { describe, test } from "vitest";
import { openLink } from "../../test/probe-link.ts";
import { createCarrierServer } from "../grpc/carrier-server.ts";
import { openCarrierClient } from "../grpc/carrier-client.ts";
import { ErrorResourceInitFailedSchema, ResourceProvider } from "../pulumi.ts";
import { callErrorCode, callErrorDetail, createCallError } from "./call-error.ts";
import { registration } from "./carrier.ts";
import { createServiceClient } from "./service-client.ts";

describe("createCallError", () => {
  test("fails a call with a code, a text and details that the client decodes", async ({ expect }) => {
    const detail = callErrorDetail(ErrorResourceInitFailedSchema, { id: "é", reasons: ["half"], properties: { a: [1, null] } });
    const service = registration(ResourceProvider, {
      create: () => {
        throw createCallError("failedPrecondition", "created, but not complete", { details: [detail] });
      },
    });
    await using link = await openLink({ openCarrierClient, createCarrierServer }, { secure: false, server: { services: [service] } });
    const error = await createServiceClient(ResourceProvider, link.client)
      .create({})
      .catch((thrown: unknown) => thrown);
    expect(callErrorCode(error)).toBe("failedPrecondition");
    expect(error).toMatchObject({ rawMessage: "created, but not complete" });
    const [received] = (error as { findDetails(schema: typeof ErrorResourceInitFailedSchema): readonly unknown[] }).findDetails(
      ErrorResourceInitFailedSchema,
    );
    expect(received).toMatchObject({ id: "é", reasons: ["half"], properties: { a: [1, null] } });
    expect(
      callErrorCode(
        await createClient(ResourceProvider, link.client.transport)
          .read({})
          .catch((thrown: unknown) => thrown),
      ),
    ).toBe("unimplemented");
    expect(callErrorCode(new Error("another"))).toBeUndefined();
  });
});
