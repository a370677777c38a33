// SPDX-License-Identifier: Apache-2.0
import type { FileKind } from "./frame-file.ts";

/** What `recording` writes and `replaying` reads. docs/recordings.md describes the format. */
export const recordingFile: FileKind = { magic: "TENONREC", version: 1 };
