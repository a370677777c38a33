// SPDX-License-Identifier: Apache-2.0

// The program pulumi-engine calls a Pulumi provider with the engine's own client: the package plugin of Pulumi's SDK, which starts the
// provider, sends and receives its messages, and checks the responses.
//
//	pulumi-engine PLUGIN
//
// Reads requests as lines of JSON, and writes a line for each response and each message of the provider to the engine.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync"
)

// request is a line of the input. Properties are objects as the engine sends them, with signatures for secrets and other special values.
type request struct {
	ID   int             `json:"id"`
	Call string          `json:"call"`
	Args json.RawMessage `json:"args"`
}

// response is a line of the output: a response to a request, or a message of the provider.
type response struct {
	ID      int      `json:"id,omitempty"`
	OK      any      `json:"ok,omitempty"`
	Error   *failure `json:"error,omitempty"`
	Message *message `json:"message,omitempty"`
}

type output struct {
	mutex   sync.Mutex
	encoder *json.Encoder
}

func (o *output) write(line response) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if err := o.encoder.Encode(line); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pulumi-engine PLUGIN")
		os.Exit(2)
	}
	out := &output{encoder: json.NewEncoder(os.Stdout)}
	session, err := start(os.Args[1], func(m message) { out.write(response{Message: &m}) })
	if err != nil {
		out.write(response{Error: failureOf(err)})
		os.Exit(1)
	}
	out.write(response{OK: "started"})
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	var running sync.WaitGroup
	for {
		line, err := input.ReadBytes('\n')
		if len(line) > 1 {
			var r request
			if err := json.Unmarshal(line, &r); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(2)
			}
			running.Add(1)
			go func() {
				defer running.Done()
				out.write(session.answer(r))
			}()
		}
		if err != nil {
			break
		}
	}
	running.Wait()
	session.close()
}
