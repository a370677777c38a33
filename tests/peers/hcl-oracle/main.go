// SPDX-License-Identifier: Apache-2.0

// Answers what the HCL library for Go makes of a text, so that others can be held against it: JSON lines in, JSON lines out.
//
//	hcl-oracle [flags]
//
// Cases and answers travel as those of cty-oracle do, and what serves them, and how values are written, is its code: the
// files that ../build.mjs says are shared. What is written otherwise than there stands in syntax_notation.go.
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
	repeats := flag.Int("repeats", 8, "how often each case is asked; answers that are not all the same are reported as varying")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "how many cases are answered at a time")
	operations := flag.Bool("operations", false, "list the operations and what they take, then exit")
	bench := flag.Bool("bench", false, "take measurements instead of cases, see bench.go")
	flag.Parse()

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
		limitMemory(5 << 29)
		writeHeader(out, *repeats)
		if err := serve(os.Stdin, out, *repeats, *workers); err != nil {
			fail(err)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "hcl-oracle:", err)
	os.Exit(1)
}
