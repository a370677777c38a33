// SPDX-License-Identifier: Apache-2.0

// Applies go-cty's operations to values, so that other implementations can be compared with go-cty: JSON lines in, JSON lines out.
//
//	cty-oracle [flags]
//
// The first output line is a header with the versions that determine the results. Each input line is a case,
//
//	{"id":1,"op":"value.add","args":[{"t":"number","v":{"n":"1"}},{"t":"number","v":{"n":"2"}}]}
//
// and each further output line is the response to a case, in no particular order:
//
//	{"id":1,"ok":…}                       the result of the operation
//	{"id":1,"err":{"msg":…,"path":…}}     the operation returned an error; "path" if the error has one, "arg" if it blames a function's argument
//	{"id":1,"panic":"…"}                  the operation panicked
//	{"id":1,"varies":[response,…]}        repeated runs returned different results
//	{"id":1,"refused":"…"}                the case is invalid; no operation ran
//
// notation.go defines the notation of values.
package main

func main() {
	runOracle(20, serveBench)
}
