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

const pluginName = "provider"

// schemaMethods by protocol version.
var schemaMethods = map[int]string{
	5: "/tfplugin5.Provider/GetSchema",
	6: "/tfplugin6.Provider/GetProviderSchema",
}

// largestSchema is what the cores accept.
const largestSchema = 64 << 20

// observe answers what it saw up to an error, together with the error.
func observe(options options) (seen observation, err error) {
	// go-plugin panics over a certificate that it did not ask for.
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
	defer end(client, command, options.shutdown, &seen)

	launched := time.Now()
	address, err := client.Start()
	if err != nil {
		return seen, err
	}
	seen.StartMs = since(launched)
	seen.ProtocolVersion = client.NegotiatedVersion()
	seen.Network = address.Network()

	on, err := connect(client)
	if err != nil {
		return seen, err
	}
	schema, with, err := readSchema(on, seen.ProtocolVersion)
	if err != nil {
		return seen, err
	}
	seen.FirstCallMs = since(launched)
	_, encrypted := with.AuthInfo.(credentials.TLSInfo)
	seen.TLS = &encrypted
	seen.SchemaBytes = len(schema)
	if seen.Resources, seen.Diagnostics, err = countSchema(schema); err != nil {
		return seen, err
	}

	times := make([]float64, 0, options.calls)
	for range options.calls - 1 {
		began := time.Now()
		again, _, err := readSchema(on, seen.ProtocolVersion)
		if err != nil {
			return seen, err
		}
		if len(again) != len(schema) {
			return seen, fmt.Errorf("a later schema has %d bytes, the first had %d", len(again), len(schema))
		}
		times = append(times, since(began))
	}
	if len(times) > 0 {
		slices.Sort(times)
		seen.CallMs = times[len(times)/2]
	}
	if options.load > 0 {
		for _, inFlight := range options.inFlight {
			came, err := runLoad(on, seen.ProtocolVersion, options.load, inFlight)
			if err != nil {
				return seen, err
			}
			seen.Load = append(seen.Load, came)
		}
	}
	seen.Steps, err = runScript(on, seen.ProtocolVersion, command.Process.Pid, options.script)
	return seen, err
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
		return nil, fmt.Errorf("go-plugin answered a %T", dispensed)
	}
	return on, nil
}

// readSchema needs no generated code: a message without fields keeps what it does not know as it came.
func readSchema(on *grpc.ClientConn, protocolVersion int) ([]byte, peer.Peer, error) {
	var answer emptypb.Empty
	var with peer.Peer
	err := on.Invoke(context.Background(), schemaMethods[protocolVersion], &emptypb.Empty{}, &answer, grpc.MaxCallRecvMsgSize(largestSchema), grpc.Peer(&with))
	return answer.ProtoReflect().GetUnknown(), with, err
}

// countSchema counts the fields of a schema that hold resources and diagnostics; both versions number them alike.
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

// end makes sure that the provider is gone, and reports how it went if that was asked for and it got past the handshake.
func end(client *plugin.Client, command *exec.Cmd, gracefully bool, seen *observation) {
	if command.Process == nil {
		return
	}
	if !gracefully {
		// Nothing to report, so an error can only mean that it is gone already.
		_ = command.Process.Kill()
	}
	began := time.Now()
	client.Kill()
	if gracefully && seen.ProtocolVersion != 0 && command.ProcessState != nil {
		code := command.ProcessState.ExitCode()
		seen.Shutdown = &ending{ExitCode: code, Killed: code < 0, Ms: since(began)}
	}
}

func since(began time.Time) float64 {
	return float64(time.Since(began).Microseconds()) / 1000
}
