// SPDX-License-Identifier: Apache-2.0
// By itself: what is imported late is there with all its exports, and each message of the protocol costs.
export { Provider as service } from "@tenon/protocol/lean/tfplugin5";
