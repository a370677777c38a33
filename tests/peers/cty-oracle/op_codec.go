// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

func init() {
	define("json.marshal", func(args []any) (any, error) {
		encoded, err := ctyjson.Marshal(args[0].(cty.Value), args[1].(cty.Type))
		return string(encoded), err
	}, aValue, aType)
	define("json.unmarshal", func(args []any) (any, error) {
		return ctyjson.Unmarshal([]byte(args[0].(string)), args[1].(cty.Type))
	}, aString, aType)
	define("json.unmarshalBytes", func(args []any) (any, error) {
		return ctyjson.Unmarshal(args[0].([]byte), args[1].(cty.Type))
	}, bytesInHex, aType)
	define("json.impliedType", func(args []any) (any, error) { return ctyjson.ImpliedType([]byte(args[0].(string))) }, aString)
	define("msgpack.marshal", func(args []any) (any, error) {
		return msgpack.Marshal(args[0].(cty.Value), args[1].(cty.Type))
	}, aValue, aType)
	define("msgpack.unmarshal", func(args []any) (any, error) {
		return msgpack.Unmarshal(args[0].([]byte), args[1].(cty.Type))
	}, bytesInHex, aType)
	define("msgpack.impliedType", func(args []any) (any, error) { return msgpack.ImpliedType(args[0].([]byte)) }, bytesInHex)
}
