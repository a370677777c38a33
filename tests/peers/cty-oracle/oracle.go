// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// version is set by the linker.
var version = "dev"

// memoryLimit is the limit in bytes for operations on cases.
const memoryLimit = 5 << 29

// runOracle is the main function of each oracle: it reads the flags, then serves cases until the input ends. repeats is the default of
// -repeats. bench makes measurements for -bench; nil if the oracle has none.
func runOracle(repeats int, bench func(io.Reader, *bufio.Writer) error) {
	repeated := flag.Int("repeats", repeats, "number of runs of each case; different results are reported as varies")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "number of cases that run concurrently")
	operations := flag.Bool("operations", false, "list the operations and their parameters, then exit")
	measuring := new(bool)
	if bench != nil {
		flag.BoolVar(measuring, "bench", false, "make measurements instead of running cases, see bench.go")
	}
	flag.Parse()

	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	var err error
	switch {
	case *operations:
		listOperations(out)
	case *measuring:
		err = bench(os.Stdin, out)
	default:
		limitMemory(memoryLimit)
		writeHeader(out, *repeated)
		err = serve(os.Stdin, out, *repeated, *workers)
	}
	if err != nil {
		fail(err)
	}
}

// fail ends the process with an error.
func fail(err error) {
	fmt.Fprintf(os.Stderr, "%s: %v\n", filepath.Base(os.Args[0]), err)
	os.Exit(1)
}
