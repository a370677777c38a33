// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// schemas is the response of GetProviderSchema, of either protocol.
type schemas struct {
	response protoreflect.Message
}

// largestSchemas is the largest message that the cores accept, in bytes.
const largestSchemas = 64 << 20

// readSchemas requests the schemas of a provider. The generated code of HashiCorp's library decodes them, as in a core.
func readSchemas(on *grpc.ClientConn, service protoreflect.ServiceDescriptor) (*schemas, error) {
	method := service.Methods().ByName("GetProviderSchema")
	if method == nil {
		method = service.Methods().ByName("GetSchema")
	}
	request, err := generated(method.Input())
	if err != nil {
		return nil, err
	}
	responseType, err := generated(method.Output())
	if err != nil {
		return nil, err
	}
	response := responseType.New()
	path := fmt.Sprintf("/%s/%s", service.FullName(), method.Name())
	if err := on.Invoke(context.Background(), path, request.New().Interface(), response.Interface(), grpc.MaxCallRecvMsgSize(largestSchemas)); err != nil {
		return nil, err
	}
	return &schemas{response}, nil
}

// generated returns the generated type of a message in HashiCorp's library, which encodes and decodes it without reflection.
func generated(of protoreflect.MessageDescriptor) (protoreflect.MessageType, error) {
	return protoregistry.GlobalTypes.FindMessageByName(of.FullName())
}

func field(message protoreflect.Message, name string) protoreflect.Value {
	return message.Get(message.Descriptor().Fields().ByName(protoreflect.Name(name)))
}

// block returns the block of a component: `of` is the field of the response and, if that field is a map, the component's name.
func (s *schemas) block(of []string) (protoreflect.Message, error) {
	descriptor := s.response.Descriptor().Fields().ByName(protoreflect.Name(of[0]))
	if descriptor == nil {
		return nil, fmt.Errorf("the schema has no %s", of[0])
	}
	found := s.response.Get(descriptor)
	if !descriptor.IsMap() {
		return field(found.Message(), "block").Message(), nil
	}
	entry := found.Map().Get(protoreflect.ValueOfString(of[1]).MapKey())
	if !entry.IsValid() {
		return nil, fmt.Errorf("%s has no %s", of[0], of[1])
	}
	schema := entry.Message()
	if inner := schema.Descriptor().Fields().ByName("schema"); inner != nil {
		schema = schema.Get(inner).Message()
	}
	return field(schema, "block").Message(), nil
}

// typeOfBlock returns the type of a block's values.
func typeOfBlock(block protoreflect.Message) cty.Type {
	members := typesOfAttributes(field(block, "attributes").List())
	blocks := field(block, "block_types").List()
	for index := range blocks.Len() {
		nested := blocks.Get(index).Message()
		members[field(nested, "type_name").String()] = repeated(nesting(nested), typeOfBlock(field(nested, "block").Message()))
	}
	return cty.Object(members)
}

func typesOfAttributes(attributes protoreflect.List) map[string]cty.Type {
	members := map[string]cty.Type{}
	for index := range attributes.Len() {
		attribute := attributes.Get(index).Message()
		members[field(attribute, "name").String()] = typeOfAttribute(attribute)
	}
	return members
}

func typeOfAttribute(attribute protoreflect.Message) cty.Type {
	if descriptor := attribute.Descriptor().Fields().ByName("nested_type"); descriptor != nil && attribute.Has(descriptor) {
		nested := attribute.Get(descriptor).Message()
		return repeated(nesting(nested), cty.Object(typesOfAttributes(field(nested, "attributes").List())))
	}
	found, err := ctyjson.UnmarshalType(field(attribute, "type").Bytes())
	if err != nil {
		panic(err)
	}
	return found
}

func nesting(nested protoreflect.Message) string {
	descriptor := nested.Descriptor().Fields().ByName("nesting")
	return string(descriptor.Enum().Values().ByNumber(nested.Get(descriptor).Enum()).Name())
}

func repeated(nesting string, body cty.Type) cty.Type {
	switch nesting {
	case "LIST":
		return cty.List(body)
	case "SET":
		return cty.Set(body)
	case "MAP":
		return cty.Map(body)
	default:
		return body
	}
}

// emptyBlocks returns the values of the nested blocks of an object that has none.
func emptyBlocks(block protoreflect.Message) map[string]cty.Value {
	empty := map[string]cty.Value{}
	blocks := field(block, "block_types").List()
	for index := range blocks.Len() {
		nested := blocks.Get(index).Message()
		body := field(nested, "block").Message()
		name := field(nested, "type_name").String()
		switch nesting(nested) {
		case "LIST":
			empty[name] = cty.ListValEmpty(typeOfBlock(body))
		case "SET":
			empty[name] = cty.SetValEmpty(typeOfBlock(body))
		case "MAP":
			empty[name] = cty.MapValEmpty(typeOfBlock(body))
		case "GROUP":
			empty[name] = objectOf(typeOfBlock(body), emptyBlocks(body))
		}
	}
	return empty
}

// objectOf returns an object with the given attributes; all others are null.
func objectOf(of cty.Type, some map[string]cty.Value) cty.Value {
	members := map[string]cty.Value{}
	for name, member := range of.AttributeTypes() {
		if value, given := some[name]; given {
			members[name] = value
		} else {
			members[name] = cty.NullVal(member)
		}
	}
	return cty.ObjectVal(members)
}
