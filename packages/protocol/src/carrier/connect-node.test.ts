// SPDX-License-Identifier: Apache-2.0
import { describeCarrier } from "../../test/carrier-suite/describe-carrier.ts";
import { openCarrierClient } from "./connect-node-client.ts";
import { createCarrierServer } from "./connect-node-server.ts";

describeCarrier("connect-node's client and server", { openCarrierClient, createCarrierServer });
