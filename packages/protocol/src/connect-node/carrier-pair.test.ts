// SPDX-License-Identifier: Apache-2.0
import { describeCarrier } from "../../test/carrier-suite/describe-carrier.ts";
import { openCarrierClient } from "./carrier-client.ts";
import { createCarrierServer } from "./carrier-server.ts";

describeCarrier("connect-node's client and server", { openCarrierClient, createCarrierServer });
