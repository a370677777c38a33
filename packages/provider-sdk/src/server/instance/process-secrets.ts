// SPDX-License-Identifier: Apache-2.0
import { InFlightSecrets } from "@tenon/schema/observability";

/** Secrets of all provider instances in this process: output of the process may contain any of them. */
export const processSecrets: InFlightSecrets = new InFlightSecrets();
