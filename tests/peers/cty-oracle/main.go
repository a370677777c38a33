// SPDX-License-Identifier: Apache-2.0

// Answers what go-cty makes of a value, so that others can be held against it: JSON lines in, JSON lines out.
//
//	cty-oracle [flags]
//
// The first line out is a header with the versions that decide the answers. Then each line in is a case,
//
//	{"id":1,"op":"value.add","args":[{"t":"number","v":{"n":"1"}},{"t":"number","v":{"n":"2"}}]}
//
// and each line out its answer, in no particular order:
//
//	{"id":1,"ok":…}                       what the operation returned
//	{"id":1,"err":{"msg":…,"path":…}}     it returned an error; "path" if it carries one, "arg" if it blames a function's argument
//	{"id":1,"panic":"…"}                  it panicked
//	{"id":1,"varies":[answer,…]}          it answered differently when asked again
//	{"id":1,"refused":"…"}                the case is not one: nothing was asked
//
// How values are written stands in notation.go.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"runtime"
)

// version is set by the linker.
var version = "dev"

func main() {
	repeats := flag.Int("repeats", 20, "how often each case is asked; answers that are not all the same are reported as varying")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "how many cases are answered at a time")
	operations := flag.Bool("operations", false, "list the operations and what they take, then exit")
	bench := flag.Bool("bench", false, "take measurements instead of cases, see bench.go")
	flag.Parse()

	limitMemory(5 << 29)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	switch {
	case *operations:
		listOperations(out)
	case *bench:
		if err := serveBench(os.Stdin, out); err != nil {
			fail(err)
		}
	default:
		writeHeader(out, *repeats)
		if err := serve(os.Stdin, out, *repeats, *workers); err != nil {
			fail(err)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "cty-oracle:", err)
	os.Exit(1)
}
