// SPDX-License-Identifier: Apache-2.0

// Applies the HCL library for Go to texts, so that other implementations can be compared with it: JSON lines in, JSON lines out.
//
//	hcl-oracle [flags]
//
// The formats of cases and responses are those of cty-oracle, whose code this program shares: it serves the cases and defines the
// notation of values (../build.mjs lists the shared files). syntax_notation.go defines the rest of the notation.
package main

func main() {
	runOracle(8, serveBench)
}
