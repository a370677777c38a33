// SPDX-License-Identifier: Apache-2.0
import { packageBuild } from "../../tsup.base.ts";

export default packageBuild(import.meta.dirname);
