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

// schemas is the answer of GetProviderSchema, of either protocol.
type schemas struct {
	answer protoreflect.Message
}

// largestSchemas is what the cores accept, in bytes.
const largestSchemas = 64 << 20

// readSchemas asks a provider for its schemas. They are read by the code that HashiCorp's library has for them, as a core reads them.
func readSchemas(on *grpc.ClientConn, service protoreflect.ServiceDescriptor) (*schemas, error) {
	method := service.Methods().ByName("GetProviderSchema")
	if method == nil {
		method = service.Methods().ByName("GetSchema")
	}
	request, err := generated(method.Input())
	if err != nil {
		return nil, err
	}
	answer, err := generated(method.Output())
	if err != nil {
		return nil, err
	}
	made := answer.New()
	path := fmt.Sprintf("/%s/%s", service.FullName(), method.Name())
	if err := on.Invoke(context.Background(), path, request.New().Interface(), made.Interface(), grpc.MaxCallRecvMsgSize(largestSchemas)); err != nil {
		return nil, err
	}
	return &schemas{made}, nil
}

// generated finds the type that a message has in HashiCorp's library, which reads and writes it without reflection.
func generated(of protoreflect.MessageDescriptor) (protoreflect.MessageType, error) {
	return protoregistry.GlobalTypes.FindMessageByName(of.FullName())
}

func field(message protoreflect.Message, name string) protoreflect.Value {
	return message.Get(message.Descriptor().Fields().ByName(protoreflect.Name(name)))
}

// block finds the block of a component: `of` is the field of the answer and, where that has many, the component's name.
func (s *schemas) block(of []string) (protoreflect.Message, error) {
	descriptor := s.answer.Descriptor().Fields().ByName(protoreflect.Name(of[0]))
	if descriptor == nil {
		return nil, fmt.Errorf("the schema has no %s", of[0])
	}
	found := s.answer.Get(descriptor)
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

// typeOfBlock is what values of a block are.
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

// emptyBlocks are the blocks of an object whose author wrote none.
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

// objectOf is an object whose attributes are null but for some.
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
