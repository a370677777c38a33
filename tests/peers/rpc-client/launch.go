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

// connection is the plugin from go-plugin's view; this program needs only its connection.
type connection struct {
	plugin.NetRPCUnsupportedPlugin
}

func (connection) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error {
	return fmt.Errorf("this is the client's side")
}

func (connection) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, on *grpc.ClientConn) (any, error) {
	return on, nil
}

// callInput is one line of standard input.
type callInput struct {
	ID       int               `json:"id"`
	RPC      string            `json:"rpc"`
	Requests []json.RawMessage `json:"requests"`
}

// callOutput is one line of standard output. Code is gRPC's code if the call failed.
type callOutput struct {
	ID        int    `json:"id"`
	Responses []any  `json:"responses"`
	Code      string `json:"code,omitempty"`
	Error     string `json:"error,omitempty"`
}

// launch starts a provider as a core does. The caller must kill the returned client.
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
	protocolClient, err := client.Client()
	if err != nil {
		client.Kill()
		return nil, nil, err
	}
	dispensed, err := protocolClient.Dispense("provider")
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
	return serveCalls(caller)
}

// serveCalls makes a call for each line of standard input, until the input ends.
func serveCalls(caller *caller) error {
	var group sync.WaitGroup
	var printing sync.Mutex
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var input callInput
		if err := json.Unmarshal(lines.Bytes(), &input); err != nil {
			return err
		}
		group.Go(func() {
			output := callOutput{ID: input.ID}
			responses, code, err := caller.call(input.RPC, input.Requests)
			output.Responses, output.Code = responses, code
			if err != nil {
				output.Error = err.Error()
			}
			line, err := json.Marshal(output)
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
