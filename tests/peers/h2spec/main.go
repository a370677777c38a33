// SPDX-License-Identifier: Apache-2.0

// Command http2-server serves HTTP/2 with prior knowledge on a free port of the loopback interface, with Go's net/http. It prints the
// port, and exits when its standard input closes.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
)

// version is set by the linker.
var version string

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	server := http.Server{Protocols: protocols, ErrorLog: log.New(io.Discard, "", 0), Handler: http.HandlerFunc(respond)}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(server.Serve(listener))
}

func respond(response http.ResponseWriter, _ *http.Request) {
	fmt.Fprintln(response, "a response with a body")
}
