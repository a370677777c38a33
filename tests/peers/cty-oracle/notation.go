// SPDX-License-Identifier: Apache-2.0

package main

// The notation of values. A type is written in go-cty's own JSON of types. A value is {"t":type,"v":payload}; the payload depends on
// the type, and a JSON object in it is always one of the special forms, so that nothing needs escaping:
//
//	string, bool       a JSON string, a JSON bool
//	number             {"n":"0.1","p":512,"x":"0x.cccc…p-3"}: text, precision, exact bits; -0 and +Inf as Go spells them
//	list, set, tuple   an array; the elements of a set are in the set's own order
//	map, object        an array of [key, payload], sorted by key
//	null               {"$":"null"}
//	unknown            {"$":"unknown"}, refined with "r":{"null":false,"prefix":"a","min":[number,inclusive],
//	                   "max":[number,inclusive],"lenMin":"0","lenMax":"5"}
//	marked             {"$":"marked","m":["a","b"],"v":payload}
//	dynamic            {"$":"typed","t":type,"v":payload}, wherever the type is dynamic
//
// A path is [["attr","name"],["index",value]]; bytes are hexadecimal. Output has every part. A number in the input may omit "x" if
// reading its text at that precision as go-cty does gives its bits (512 for text, 64 for integers, 53 for doubles), or it may omit "n". If
// both are present, they must agree.

// mark is the type of every mark in the notation.
type mark string
