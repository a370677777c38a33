// SPDX-License-Identifier: Apache-2.0
import type { Case } from "../notation.ts";

export const pickedCases: Case[] = [];
