// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

// connection is the plugin as go-plugin sees it: all we want of it is the connection.
type connection struct {
	plugin.NetRPCUnsupportedPlugin
}

func (connection) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error {
	return fmt.Errorf("this is the client's side")
}

func (connection) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, on *grpc.ClientConn) (any, error) {
	return on, nil
}

// question is one line of standard input.
type question struct {
	ID       int               `json:"id"`
	RPC      string            `json:"rpc"`
	Requests []json.RawMessage `json:"requests"`
}

// answer is one line of standard output. Code is gRPC's, where the call failed.
type answer struct {
	ID        int    `json:"id"`
	Responses []any  `json:"responses"`
	Code      string `json:"code,omitempty"`
	Error     string `json:"error,omitempty"`
}

// launch starts a provider as a core does. Whoever gets a client has to kill it.
func launch(protocol int, command []string) (*plugin.Client, *grpc.ClientConn, error) {
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			MagicCookieKey:   "TF_PLUGIN_MAGIC_COOKIE",
			MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		},
		VersionedPlugins: map[int]plugin.PluginSet{protocol: {"provider": connection{}}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		Cmd:              exec.Command(command[0], command[1:]...),
		AutoMTLS:         true,
		Logger:           hclog.NewNullLogger(),
		Stderr:           os.Stderr,
		SyncStdout:       os.Stderr,
		SyncStderr:       os.Stderr,
	})
	spoken, err := client.Client()
	if err != nil {
		client.Kill()
		return nil, nil, err
	}
	dispensed, err := spoken.Dispense("provider")
	if err != nil {
		client.Kill()
		return nil, nil, err
	}
	return client, dispensed.(*grpc.ClientConn), nil
}

func run(protocol int, command []string) error {
	client, on, err := launch(protocol, command)
	if err != nil {
		return err
	}
	defer client.Kill()
	service, err := findService(protocol)
	if err != nil {
		return err
	}
	caller, err := newCaller(on, service)
	if err != nil {
		return err
	}
	return converse(caller)
}

// converse answers questions until there are no more.
func converse(caller *caller) error {
	var group sync.WaitGroup
	var printing sync.Mutex
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}
		group.Go(func() {
			said := answer{ID: asked.ID}
			responses, code, err := caller.call(asked.RPC, asked.Requests)
			said.Responses, said.Code = responses, code
			if err != nil {
				said.Error = err.Error()
			}
			line, err := json.Marshal(said)
			if err != nil {
				panic(err)
			}
			printing.Lock()
			defer printing.Unlock()
			fmt.Println(string(line))
		})
	}
	group.Wait()
	return lines.Err()
}
