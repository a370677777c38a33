// SPDX-License-Identifier: Apache-2.0

// Launches a provider with the library that Terraform and OpenTofu use, in the same way, and prints its observations as one line
// of JSON. For testing provider servers that are not written in Go:
//
//	plugin-client [flags] <provider> [argument...]
//	plugin-client -serve
//
// The exit status is 1 if the line has an error. The provider's output goes to standard error.
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

// observation is the printed line; times are in milliseconds.
type observation struct {
	// ProtocolVersion is the negotiated version: 5 or 6.
	ProtocolVersion int `json:"protocolVersion,omitempty"`
	// Network is unix or tcp.
	Network string `json:"network,omitempty"`
	// TLS is whether the first call used mutual TLS; absent if there was no call.
	TLS *bool `json:"tls,omitempty"`
	// StartMs is the time from launch to the handshake line.
	StartMs float64 `json:"startMs,omitempty"`
	// FirstCallMs is the time from launch to the first schema, including the time to connect.
	FirstCallMs float64 `json:"firstCallMs,omitempty"`
	// CallMs is the median time of the further calls.
	CallMs float64 `json:"callMs,omitempty"`
	// SchemaBytes is the size of the first schema on the wire, before framing.
	SchemaBytes int `json:"schemaBytes,omitempty"`
	// Resources and Diagnostics are their numbers in the schema.
	Resources   int `json:"resources"`
	Diagnostics int `json:"diagnostics"`
	// Load has the results of the requested loads, in their order.
	Load []*load `json:"load,omitempty"`
	// Steps has the results of the script's steps.
	Steps []stepReport `json:"steps,omitempty"`
	// Shutdown is the result of a requested shutdown.
	Shutdown *ending `json:"shutdown,omitempty"`
	Error    string  `json:"error,omitempty"`
}

type ending struct {
	// ExitCode is -1 if a signal ended the process.
	ExitCode int `json:"exitCode"`
	// Killed is whether the process did not exit within the two seconds that a core waits.
	Killed bool `json:"killed"`
	// Ms is the time from the Shutdown call until the process has exited and its output is closed.
	Ms float64 `json:"ms"`
}

func main() {
	var options options
	flag.BoolVar(&options.autoMTLS, "auto-mtls", true, "offer a client certificate, as a core does unless TF_DISABLE_PLUGIN_TLS is set")
	flag.BoolVar(&options.shutdown, "shutdown", false, "end the provider with the Shutdown call and report its exit; without this flag, the provider is killed")
	flag.IntVar(&options.calls, "calls", 1, "number of requests of the schema")
	flag.DurationVar(&options.load, "load", 0, "plan a change repeatedly for this time, for each number of -in-flight")
	script := flag.String("script", "", "a JSON file with the calls to make: an array of steps, see script.go")
	inFlight := flag.String("in-flight", "1,10", "numbers of concurrent calls of -load")
	serveProvider := flag.Bool("serve", false, "serve a provider that responds to the schema and to such plans only")
	flag.DurationVar(&options.startTimeout, "start-timeout", time.Minute, "maximum wait for the handshake line; a core waits a minute")
	showVersion := flag.Bool("version", false, "print the version")
	flag.Parse()
	if *showVersion {
		fmt.Println(version)
		return
	}
	if *serveProvider {
		serve()
		return
	}
	for number := range strings.SplitSeq(*inFlight, ",") {
		parsed, err := strconv.Atoi(number)
		if err != nil || parsed < 1 {
			fmt.Fprintln(os.Stderr, "-in-flight must be positive numbers, separated by commas")
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

	observed, err := observe(options)
	if err != nil {
		observed.Error = err.Error()
	}
	if err := json.NewEncoder(os.Stdout).Encode(observed); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if observed.Error != "" {
		os.Exit(1)
	}
}
