// SPDX-License-Identifier: Apache-2.0

// Calls any RPC of a provider that it launches as Terraform and OpenTofu do, with the messages of HashiCorp's own protocol library:
//
//	rpc-client [-protocol 5|6] <provider> [argument...]
//	rpc-client [-protocol 5|6] -measure <file> <provider> [argument...]
//	rpc-client -list
//
// What to call comes as lines of JSON on standard input, and what was answered goes to standard output, a line for each call:
//
//	{"id": 1, "rpc": "GetMetadata", "requests": [{}]}
//	{"id": 1, "responses": [{…}]}
//
// Messages are in Protobuf's JSON, but for values: see value.go. A call is made as soon as its line is read, whether or not those before
// it have been answered. What the provider writes goes to standard error.
//
// With -measure it plans one change again and again, as measure.go says, and prints what that took.
package main

import (
	"flag"
	"fmt"
	"os"
)

// version is set by the linker.
var version = "dev"

func main() {
	protocol := flag.Int("protocol", 6, "the protocol version to offer: 5 or 6")
	measurement := flag.String("measure", "", "a file that says what to measure, in JSON")
	list := flag.Bool("list", false, "print the names of the RPCs of both protocols and end")
	showVersion := flag.Bool("version", false, "print the version")
	flag.Parse()
	switch {
	case *showVersion:
		fmt.Println(version)
	case *list:
		fail(printServices(os.Stdout))
	case flag.NArg() == 0 || *protocol != 5 && *protocol != 6:
		fmt.Fprintln(os.Stderr, "usage: rpc-client [-protocol 5|6] <provider> [argument...]")
		os.Exit(2)
	case *measurement != "":
		fail(printMeasured(os.Stdout, *protocol, flag.Args(), *measurement))
	default:
		fail(run(*protocol, flag.Args()))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
