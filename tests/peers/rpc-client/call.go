// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	// These packages register the descriptors of both protocols.
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
)

// findService returns the provider service of a protocol version.
func findService(protocol int) (protoreflect.ServiceDescriptor, error) {
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(fmt.Sprintf("tfplugin%d.Provider", protocol)))
	if err != nil {
		return nil, err
	}
	return found.(protoreflect.ServiceDescriptor), nil
}

func printServices(to io.Writer) error {
	names := map[int][]string{}
	for _, protocol := range []int{5, 6} {
		service, err := findService(protocol)
		if err != nil {
			return err
		}
		for index := range service.Methods().Len() {
			names[protocol] = append(names[protocol], string(service.Methods().Get(index).Name()))
		}
	}
	return json.NewEncoder(to).Encode(names)
}

// caller calls RPCs of one provider.
type caller struct {
	on      *grpc.ClientConn
	service protoreflect.ServiceDescriptor
	schema  *schemas
}

// newCaller requests the schemas, which have the types of the values.
func newCaller(on *grpc.ClientConn, service protoreflect.ServiceDescriptor) (*caller, error) {
	schema, err := readSchemas(on, service)
	if err != nil {
		return nil, err
	}
	return &caller{on: on, service: service, schema: schema}, nil
}

func (c *caller) path(rpc string) string {
	return fmt.Sprintf("/%s/%s", c.service.FullName(), rpc)
}

// call makes one call; it returns gRPC's code with an error, unless the error is this program's own.
func (c *caller) call(rpc string, requests []json.RawMessage) ([]any, string, error) {
	method := c.service.Methods().ByName(protoreflect.Name(rpc))
	if method == nil {
		return nil, "", fmt.Errorf("%s has no RPC %s", c.service.FullName(), rpc)
	}
	messages := make([]proto.Message, 0, len(requests))
	for _, request := range requests {
		message, err := c.schema.request(method.Input(), request)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", rpc, err)
		}
		messages = append(messages, message)
	}
	responses, err := c.exchange(method, rpc, messages)
	if err != nil {
		return responses, status.Code(err).String(), err
	}
	return responses, "", nil
}

// exchange treats every call as a stream: a unary call has a single message in each direction.
func (c *caller) exchange(method protoreflect.MethodDescriptor, rpc string, messages []proto.Message) ([]any, error) {
	context, cancel := context.WithCancel(context.Background())
	defer cancel()
	kind := &grpc.StreamDesc{ClientStreams: method.IsStreamingClient(), ServerStreams: method.IsStreamingServer()}
	stream, err := c.on.NewStream(context, kind, c.path(rpc))
	if err != nil {
		return nil, err
	}
	for _, message := range messages {
		if err := stream.SendMsg(message); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
	}
	if err := stream.CloseSend(); err != nil {
		return nil, err
	}
	responses := []any{}
	for {
		response := dynamicpb.NewMessage(method.Output())
		if err := stream.RecvMsg(response); errors.Is(err, io.EOF) {
			return responses, nil
		} else if err != nil {
			return responses, err
		}
		decoded, err := decodeMessage(response)
		if err != nil {
			return responses, err
		}
		responses = append(responses, decoded)
		if !method.IsStreamingServer() {
			return responses, nil
		}
	}
}

// decodeMessage returns a message as JSON, with its values decoded.
func decodeMessage(message proto.Message) (any, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(message)
	if err != nil {
		return nil, err
	}
	parsed, err := parse(text)
	if err != nil {
		return nil, err
	}
	return decodeValues(parsed)
}
