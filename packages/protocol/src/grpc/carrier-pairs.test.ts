// SPDX-License-Identifier: Apache-2.0
import { describeCarrier } from "../../test/carrier-suite/describe-carrier.ts";
import * as referenceClient from "../connect-node/carrier-client.ts";
import * as referenceServer from "../connect-node/carrier-server.ts";
import { openCarrierClient } from "./carrier-client.ts";
import { createCarrierServer } from "./carrier-server.ts";

describeCarrier("Tenon's client and server", { openCarrierClient, createCarrierServer });
describeCarrier("Tenon's client, connect-node's server", { openCarrierClient, createCarrierServer: referenceServer.createCarrierServer });
describeCarrier("connect-node's client, Tenon's server", { openCarrierClient: referenceClient.openCarrierClient, createCarrierServer });
