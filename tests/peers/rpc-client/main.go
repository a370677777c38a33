// SPDX-License-Identifier: Apache-2.0

// Calls any RPC of a provider that it launches as Terraform and OpenTofu do. The messages are those of HashiCorp's own protocol library:
//
//	rpc-client [-protocol 5|6] <provider> [argument...]
//	rpc-client [-protocol 5|6] -measure <file> <provider> [argument...]
//	rpc-client -list
//
// Calls are lines of JSON on standard input; responses go to standard output, a line for each call:
//
//	{"id": 1, "rpc": "GetMetadata", "requests": [{}]}
//	{"id": 1, "responses": [{…}]}
//
// Messages are in Protobuf's JSON, except for values: see value.go. A call starts as soon as its line is read, whether or not the
// earlier calls have ended. The provider's output goes to standard error.
//
// With -measure it plans one change repeatedly, as measure.go describes, and prints the measured times.
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
	measurement := flag.String("measure", "", "a JSON file that describes the measurement, see measure.go")
	list := flag.Bool("list", false, "print the names of the RPCs of both protocols, then exit")
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
