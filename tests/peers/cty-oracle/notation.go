// SPDX-License-Identifier: Apache-2.0

package main

// How values travel. A type is go-cty's own JSON of types. A value is {"t":type,"v":payload}; the payload depends on the
// type, and a JSON object in it is always one of the special forms, so that nothing needs escaping:
//
//	string, bool       a JSON string, a JSON bool
//	number             {"n":"0.1","p":512,"x":"0x.cccc…p-3"}: text, precision, exact bits; -0 and +Inf as Go spells them
//	list, set, tuple   an array; of a set in its own order
//	map, object        an array of [key, payload], sorted by key
//	null               {"$":"null"}
//	unknown            {"$":"unknown"}, refined with "r":{"null":false,"prefix":"a","min":[number,inclusive],
//	                   "max":[number,inclusive],"lenMin":"0","lenMax":"5"}
//	marked             {"$":"marked","m":["a","b"],"v":payload}
//	anywhere dynamic   {"$":"typed","t":type,"v":payload}
//
// A path is [["attr","name"],["index",value]]; bytes are hexadecimal. What comes out has every part; a number that goes in
// may leave out "x", when it is read from its text as go-cty reads one of that precision (512 text, 64 integer, 53 double),
// or "n". Where both stand they must agree.

// mark is what every mark is here.
type mark string
