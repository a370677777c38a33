// SPDX-License-Identifier: Apache-2.0

// Applies OpenTofu's core to cases, so that the engine can be compared with it: JSON lines in, JSON lines out.
//
//	engine-oracle [flags]
//
// The module's path is below OpenTofu's, which lets it import OpenTofu's internal packages. The formats of cases and responses are those
// of cty-oracle, whose serving code it shares (see ../build.mjs). Each subject has a file op_*.go.
package main

func main() {
	runOracle(2, nil)
}
