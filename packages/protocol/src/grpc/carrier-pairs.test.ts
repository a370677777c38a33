// SPDX-License-Identifier: Apache-2.0
import { describeCarrier } from "../../test/carrier-suite/describe-carrier.ts";
import * as referenceClient from "../carrier/connect-node-client.ts";
import * as referenceServer from "../carrier/connect-node-server.ts";
import { openCarrierClient } from "./carrier-client.ts";
import { createCarrierServer } from "./carrier-server.ts";

describeCarrier("our own client and server", { openCarrierClient, createCarrierServer });
describeCarrier("our own client, connect-node's server", { openCarrierClient, createCarrierServer: referenceServer.createCarrierServer });
describeCarrier("connect-node's client, our own server", { openCarrierClient: referenceClient.openCarrierClient, createCarrierServer });
