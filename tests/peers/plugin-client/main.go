// SPDX-License-Identifier: Apache-2.0

// Launches a provider as Terraform and OpenTofu do, with the library they do it with, and prints what it saw as one line
// of JSON. For testing provider servers that are not written in Go:
//
//	plugin-client [flags] <provider> [argument...]
//	plugin-client -serve
//
// The exit status is 1 when the line has an error. What the provider writes goes to standard error.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// version is set by the linker.
var version = "dev"

// observation is what is printed; times are milliseconds.
type observation struct {
	// ProtocolVersion is the one agreed on: 5 or 6.
	ProtocolVersion int `json:"protocolVersion,omitempty"`
	// Network is unix or tcp.
	Network string `json:"network,omitempty"`
	// TLS tells whether the first call went over mutual TLS; absent when there was none.
	TLS *bool `json:"tls,omitempty"`
	// StartMs is the time from launch to the handshake line.
	StartMs float64 `json:"startMs,omitempty"`
	// FirstCallMs is the time from launch to the first schema; connecting is part of it.
	FirstCallMs float64 `json:"firstCallMs,omitempty"`
	// CallMs is the median of the further calls.
	CallMs float64 `json:"callMs,omitempty"`
	// SchemaBytes is the size of the first schema on the wire, before framing.
	SchemaBytes int `json:"schemaBytes,omitempty"`
	// Resources and Diagnostics count what stands in it.
	Resources   int `json:"resources"`
	Diagnostics int `json:"diagnostics"`
	// Load is what many calls came to, in the order they were asked for.
	Load []*load `json:"load,omitempty"`
	// Steps are what those of the script came to.
	Steps []stepReport `json:"steps,omitempty"`
	// Shutdown is how it ended; present when asked for.
	Shutdown *ending `json:"shutdown,omitempty"`
	Error    string  `json:"error,omitempty"`
}

type ending struct {
	// ExitCode is -1 when a signal ended the process.
	ExitCode int `json:"exitCode"`
	// Killed: it did not go by itself within the two seconds that a core grants.
	Killed bool `json:"killed"`
	// Ms is the time from the Shutdown call until the process was gone and its output closed.
	Ms float64 `json:"ms"`
}

func main() {
	var options options
	flag.BoolVar(&options.autoMTLS, "auto-mtls", true, "offer a client certificate, as a core does unless TF_DISABLE_PLUGIN_TLS is set")
	flag.BoolVar(&options.shutdown, "shutdown", false, "end the provider with the Shutdown call and report how it went; else it is killed")
	flag.IntVar(&options.calls, "calls", 1, "how many times to ask for the schema")
	flag.DurationVar(&options.load, "load", 0, "plan a change again and again for so long, for each number of -in-flight")
	script := flag.String("script", "", "a file with calls to make, a JSON list of what script.go calls steps")
	inFlight := flag.String("in-flight", "1,10", "how many of these calls to have under way at a time")
	served := flag.Bool("serve", false, "be a provider instead, one that answers such calls and nothing else")
	flag.DurationVar(&options.startTimeout, "start-timeout", time.Minute, "how long to wait for the handshake line; a core waits a minute")
	showVersion := flag.Bool("version", false, "print the version")
	flag.Parse()
	if *showVersion {
		fmt.Println(version)
		return
	}
	if *served {
		serve()
		return
	}
	for number := range strings.SplitSeq(*inFlight, ",") {
		parsed, err := strconv.Atoi(number)
		if err != nil || parsed < 1 {
			fmt.Fprintln(os.Stderr, "-in-flight takes numbers with commas between them")
			os.Exit(2)
		}
		options.inFlight = append(options.inFlight, parsed)
	}
	if flag.NArg() == 0 || options.calls < 1 {
		fmt.Fprintln(os.Stderr, "usage: plugin-client [flags] <provider> [argument...]")
		flag.PrintDefaults()
		os.Exit(2)
	}
	options.command = flag.Args()
	if *script != "" {
		var err error
		if options.script, err = readScript(*script); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}

	seen, err := observe(options)
	if err != nil {
		seen.Error = err.Error()
	}
	if err := json.NewEncoder(os.Stdout).Encode(seen); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if seen.Error != "" {
		os.Exit(1)
	}
}
