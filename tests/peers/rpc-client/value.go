// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// Values in requests are `{"of": ["resource_schemas", "note"], "value": {…}}`, or `{"type": "string", "value": …}` with a type in
// cty's JSON; omitted attributes of an object are null, omitted blocks empty. The message's field determines which values it accepts.
// In both directions `{"$unknown": true}` is an unknown value, and `{"$number": "…"}` a number that no double represents.

const (
	unknownMark = "$unknown"
	numberMark  = "$number"
)

// request creates a message from JSON with values in this notation.
func (s *schemas) request(of protoreflect.MessageDescriptor, text []byte) (proto.Message, error) {
	parsed, err := parse(text)
	if err != nil {
		return nil, err
	}
	encoded, err := s.encodeValues(parsed)
	if err != nil {
		return nil, err
	}
	plain, err := json.Marshal(encoded)
	if err != nil {
		return nil, err
	}
	message := dynamicpb.NewMessage(of)
	return message, protojson.Unmarshal(plain, message)
}

func parse(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var parsed any
	return parsed, decoder.Decode(&parsed)
}

// encodeValues replaces each value by its encoded bytes.
func (s *schemas) encodeValues(data any) (any, error) {
	switch data := data.(type) {
	case []any:
		return mapList(data, s.encodeValues)
	case map[string]any:
		value, isValue := data["value"]
		if of, named := data["of"].([]any); isValue && named {
			return s.encodeObject(of, value)
		}
		if named, typed := data["type"]; isValue && typed {
			text, err := json.Marshal(named)
			if err != nil {
				return nil, err
			}
			of, err := ctyjson.UnmarshalType(text)
			if err != nil {
				return nil, err
			}
			return encode(value, of)
		}
		return mapObject(data, s.encodeValues)
	default:
		return data, nil
	}
}

func (s *schemas) encodeObject(of []any, value any) (any, error) {
	names := make([]string, len(of))
	for index, name := range of {
		names[index] = fmt.Sprint(name)
	}
	block, err := s.block(names)
	if err != nil {
		return nil, err
	}
	given, isObject := value.(map[string]any)
	if !isObject || given[unknownMark] != nil {
		return encode(value, typeOfBlock(block))
	}
	blockType := typeOfBlock(block)
	members := emptyBlocks(block)
	for name, part := range given {
		if !blockType.HasAttribute(name) {
			return nil, fmt.Errorf("%v has no %s", names, name)
		}
		if members[name], err = read(part, blockType.AttributeType(name)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return pack(objectOf(blockType, members), blockType)
}

func encode(value any, of cty.Type) (any, error) {
	result, err := read(value, of)
	if err != nil {
		return nil, err
	}
	return pack(result, of)
}

func pack(value cty.Value, of cty.Type) (any, error) {
	packed, err := msgpack.Marshal(value, of)
	return map[string]any{"msgpack": base64.StdEncoding.EncodeToString(packed)}, err
}

// read creates a value of a type from JSON.
func read(data any, of cty.Type) (cty.Value, error) {
	if data == nil {
		return cty.NullVal(of), nil
	}
	marked, _ := data.(map[string]any)
	if marked[unknownMark] != nil {
		return cty.UnknownVal(of), nil
	}
	if digits, exact := marked[numberMark].(string); exact {
		return cty.ParseNumberVal(digits)
	}
	switch {
	case of.IsObjectType():
		members := map[string]cty.Value{}
		for name, member := range of.AttributeTypes() {
			part, err := read(marked[name], member)
			if err != nil {
				return cty.NilVal, fmt.Errorf("%s: %w", name, err)
			}
			members[name] = part
		}
		return cty.ObjectVal(members), nil
	case of.IsMapType():
		members := map[string]cty.Value{}
		for name, element := range marked {
			part, err := read(element, of.ElementType())
			if err != nil {
				return cty.NilVal, fmt.Errorf("%s: %w", name, err)
			}
			members[name] = part
		}
		if len(members) == 0 {
			return cty.MapValEmpty(of.ElementType()), nil
		}
		return cty.MapVal(members), nil
	case of.IsListType() || of.IsSetType():
		list, isList := data.([]any)
		if !isList {
			return cty.NilVal, fmt.Errorf("a %s is written as an array", of.FriendlyName())
		}
		elements := make([]cty.Value, 0, len(list))
		for _, element := range list {
			part, err := read(element, of.ElementType())
			if err != nil {
				return cty.NilVal, err
			}
			elements = append(elements, part)
		}
		return collection(elements, of), nil
	default:
		text, err := json.Marshal(data)
		if err != nil {
			return cty.NilVal, err
		}
		return ctyjson.Unmarshal(text, of)
	}
}

func collection(elements []cty.Value, of cty.Type) cty.Value {
	switch {
	case of.IsListType() && len(elements) == 0:
		return cty.ListValEmpty(of.ElementType())
	case of.IsListType():
		return cty.ListVal(elements)
	case len(elements) == 0:
		return cty.SetValEmpty(of.ElementType())
	default:
		return cty.SetVal(elements)
	}
}

// decodeValues replaces the encoded bytes of each value by the value; it needs no schema, because the bytes determine the type.
func decodeValues(data any) (any, error) {
	switch data := data.(type) {
	case []any:
		return mapList(data, decodeValues)
	case map[string]any:
		packed, isValue := data["msgpack"].(string)
		if !isValue || len(data) != 1 {
			return mapObject(data, decodeValues)
		}
		bytes, err := base64.StdEncoding.DecodeString(packed)
		if err != nil {
			return nil, err
		}
		of, err := msgpack.ImpliedType(bytes)
		if err != nil {
			// A value of dynamic type is encoded together with its type, from which no type can be implied.
			of = cty.DynamicPseudoType
		}
		value, err := msgpack.Unmarshal(bytes, of)
		if err != nil {
			return nil, err
		}
		return write(value), nil
	default:
		return data, nil
	}
}

func write(value cty.Value) any {
	switch {
	case !value.IsKnown():
		return map[string]any{unknownMark: true}
	case value.IsNull():
		return nil
	case value.Type() == cty.String:
		return value.AsString()
	case value.Type() == cty.Bool:
		return value.True()
	case value.Type() == cty.Number:
		number := value.AsBigFloat()
		if double, accuracy := number.Float64(); accuracy == big.Exact {
			return double
		}
		return map[string]any{numberMark: number.Text('f', -1)}
	case value.Type().IsObjectType():
		members := map[string]any{}
		for name, part := range value.AsValueMap() {
			members[name] = write(part)
		}
		return members
	default:
		elements := []any{}
		for _, element := range value.AsValueSlice() {
			elements = append(elements, write(element))
		}
		return elements
	}
}

func mapList(list []any, with func(any) (any, error)) (any, error) {
	result := make([]any, len(list))
	for index, element := range list {
		part, err := with(element)
		if err != nil {
			return nil, err
		}
		result[index] = part
	}
	return result, nil
}

func mapObject(object map[string]any, with func(any) (any, error)) (any, error) {
	result := make(map[string]any, len(object))
	for name, member := range object {
		part, err := with(member)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		result[name] = part
	}
	return result, nil
}
