// SPDX-License-Identifier: Apache-2.0
// Starts only the service, to try the provider by hand: `node service/main.ts`.
import { startService } from "./service.ts";

const { url } = await startService({ token: "letmein", failEvery: 5 });
console.log(`endpoint = "${url}"\ntoken    = "letmein"`);
