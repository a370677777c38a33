// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/emptypb"
)

type options struct {
	command      []string
	autoMTLS     bool
	shutdown     bool
	calls        int
	startTimeout time.Duration
	load         time.Duration
	inFlight     []int
	script       []step
}

var handshake = plugin.HandshakeConfig{
	MagicCookieKey:   "TF_PLUGIN_MAGIC_COOKIE",
	MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
}

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

const pluginName = "provider"

// schemaMethods has the schema's RPC by protocol version.
var schemaMethods = map[int]string{
	5: "/tfplugin5.Provider/GetSchema",
	6: "/tfplugin6.Provider/GetProviderSchema",
}

// largestSchema is the largest message that the cores accept, in bytes.
const largestSchema = 64 << 20

// observe returns the observations up to an error, together with the error.
func observe(options options) (observed observation, err error) {
	// go-plugin panics if the plugin sends a certificate that it did not request.
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the host crashed: %v", cause)
		}
	}()
	command := exec.Command(options.command[0], options.command[1:]...)
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig:  handshake,
		VersionedPlugins: map[int]plugin.PluginSet{5: {pluginName: connection{}}, 6: {pluginName: connection{}}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		Cmd:              command,
		AutoMTLS:         options.autoMTLS,
		StartTimeout:     options.startTimeout,
		Logger:           hclog.NewNullLogger(),
		Stderr:           os.Stderr,
		SyncStdout:       os.Stderr,
		SyncStderr:       os.Stderr,
	})
	defer end(client, command, options.shutdown, &observed)

	launched := time.Now()
	address, err := client.Start()
	if err != nil {
		return observed, err
	}
	observed.StartMs = since(launched)
	observed.ProtocolVersion = client.NegotiatedVersion()
	observed.Network = address.Network()

	on, err := connect(client)
	if err != nil {
		return observed, err
	}
	schema, with, err := readSchema(on, observed.ProtocolVersion)
	if err != nil {
		return observed, err
	}
	observed.FirstCallMs = since(launched)
	_, encrypted := with.AuthInfo.(credentials.TLSInfo)
	observed.TLS = &encrypted
	observed.SchemaBytes = len(schema)
	if observed.Resources, observed.Diagnostics, err = countSchema(schema); err != nil {
		return observed, err
	}

	times := make([]float64, 0, options.calls)
	for range options.calls - 1 {
		start := time.Now()
		again, _, err := readSchema(on, observed.ProtocolVersion)
		if err != nil {
			return observed, err
		}
		if len(again) != len(schema) {
			return observed, fmt.Errorf("a later schema has %d bytes, the first had %d", len(again), len(schema))
		}
		times = append(times, since(start))
	}
	if len(times) > 0 {
		slices.Sort(times)
		observed.CallMs = times[len(times)/2]
	}
	if options.load > 0 {
		for _, inFlight := range options.inFlight {
			result, err := runLoad(on, observed.ProtocolVersion, options.load, inFlight)
			if err != nil {
				return observed, err
			}
			observed.Load = append(observed.Load, result)
		}
	}
	observed.Steps, err = runScript(on, observed.ProtocolVersion, command.Process.Pid, options.script)
	return observed, err
}

func connect(client *plugin.Client) (*grpc.ClientConn, error) {
	protocol, err := client.Client()
	if err != nil {
		return nil, err
	}
	dispensed, err := protocol.Dispense(pluginName)
	if err != nil {
		return nil, err
	}
	on, ok := dispensed.(*grpc.ClientConn)
	if !ok {
		return nil, fmt.Errorf("go-plugin returned a %T", dispensed)
	}
	return on, nil
}

// readSchema needs no generated code: a message without fields keeps all fields as unknown bytes.
func readSchema(on *grpc.ClientConn, protocolVersion int) ([]byte, peer.Peer, error) {
	var response emptypb.Empty
	var with peer.Peer
	err := on.Invoke(context.Background(), schemaMethods[protocolVersion], &emptypb.Empty{}, &response, grpc.MaxCallRecvMsgSize(largestSchema), grpc.Peer(&with))
	return response.ProtoReflect().GetUnknown(), with, err
}

// countSchema counts the fields of a schema with resources and with diagnostics; both versions have the same field numbers.
func countSchema(schema []byte) (resources, diagnostics int, err error) {
	for len(schema) > 0 {
		number, _, length := protowire.ConsumeField(schema)
		if length < 0 {
			return 0, 0, fmt.Errorf("the schema is not a message: %w", protowire.ParseError(length))
		}
		schema = schema[length:]
		switch number {
		case 2:
			resources++
		case 4:
			diagnostics++
		}
	}
	return resources, diagnostics, nil
}

// end ends the provider, and reports the shutdown if that was requested and the handshake succeeded.
func end(client *plugin.Client, command *exec.Cmd, gracefully bool, observed *observation) {
	if command.Process == nil {
		return
	}
	if !gracefully {
		// An error can only mean that the process has exited already.
		_ = command.Process.Kill()
	}
	start := time.Now()
	client.Kill()
	if gracefully && observed.ProtocolVersion != 0 && command.ProcessState != nil {
		code := command.ProcessState.ExitCode()
		observed.Shutdown = &ending{ExitCode: code, Killed: code < 0, Ms: since(start)}
	}
}

func since(start time.Time) float64 {
	return float64(time.Since(start).Microseconds()) / 1000
}
