// SPDX-License-Identifier: Apache-2.0
import type { ServedProvider } from "@tenon/provider-sdk";
import { dns } from "./dns.ts";
import { key } from "./key.ts";
import { record } from "./record.ts";
import { records } from "./records.ts";
import { zone } from "./zone.ts";
import { zones } from "./zones.ts";

export const provider: ServedProvider = dns.with([zone, record, key, zones, records]);
