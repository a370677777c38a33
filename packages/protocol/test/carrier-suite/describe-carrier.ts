// SPDX-License-Identifier: Apache-2.0
import { describe } from "vitest";
import { type CarrierPair, linkKinds } from "../probe-link.ts";
import { admissionTests } from "./admission.ts";
import { callTests } from "./calls.ts";
import { endingTests } from "./endings.ts";
import { flowTests } from "./flow-control.ts";
import { linkTests } from "./links.ts";

/** Tests, over real sockets, that every pair of a client and a server must pass. */
export function describeCarrier(name: string, pair: CarrierPair): void {
  describe(name, () => {
    for (const link of linkKinds) {
      describe(`over ${link.network}, ${link.secure ? "TLS" : "plaintext"}`, () => {
        linkTests(pair, link);
      });
    }
    describe("calls", () => {
      callTests(pair);
    });
    describe("limits and flow control", () => {
      flowTests(pair);
    });
    describe("admission", () => {
      admissionTests(pair);
    });
    describe("endings", () => {
      endingTests(pair);
    });
  });
}
