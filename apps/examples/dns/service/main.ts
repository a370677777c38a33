// SPDX-License-Identifier: Apache-2.0
// The service by itself, to try the provider by hand: `node service/main.ts`.
import { startService } from "./service.ts";

const { url } = await startService({ token: "letmein", troubleEvery: 5 });
console.log(`endpoint = "${url}"\ntoken    = "letmein"`);
