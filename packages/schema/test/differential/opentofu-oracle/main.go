// SPDX-License-Identifier: Apache-2.0

// Returns the results of OpenTofu's change rules for a schema and values of it: JSON lines in, JSON lines out. It imports internal
// packages of OpenTofu, so it is built inside a copy of its source: copy this folder there as cmd/tenon-oracle and run
// `go build ./cmd/tenon-oracle`.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/mitchellh/colorstring"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	ctymsgpack "github.com/zclconf/go-cty/cty/msgpack"

	"github.com/opentofu/opentofu/internal/addrs"
	"github.com/opentofu/opentofu/internal/command/jsonformat"
	"github.com/opentofu/opentofu/internal/command/jsonplan"
	"github.com/opentofu/opentofu/internal/command/jsonprovider"
	"github.com/opentofu/opentofu/internal/configs/configschema"
	"github.com/opentofu/opentofu/internal/plans"
	"github.com/opentofu/opentofu/internal/plans/objchange"
	"github.com/opentofu/opentofu/internal/providers"
	"github.com/opentofu/opentofu/internal/terminal"
	"github.com/opentofu/opentofu/internal/tfdiags"
	"github.com/opentofu/opentofu/internal/tofu"
)

type attr struct {
	Type                                               json.RawMessage
	Nested                                             *object
	Required, Optional, Computed, Sensitive, WriteOnly bool
}
type object struct {
	Nesting    string
	Attributes map[string]attr
}
type nestedBlock struct {
	Nesting            string
	Block              block
	MinItems, MaxItems int
}
type block struct {
	Attributes map[string]attr
	Blocks     map[string]nestedBlock
}
type request struct {
	Op              string
	Schema          block
	Values          []string
	RequiresReplace [][]any
	Action          string
}

var modes = map[string]configschema.NestingMode{"single": configschema.NestingSingle, "group": configschema.NestingGroup, "list": configschema.NestingList, "set": configschema.NestingSet, "map": configschema.NestingMap}

func toAttrs(in map[string]attr) map[string]*configschema.Attribute {
	out := map[string]*configschema.Attribute{}
	for n, a := range in {
		o := &configschema.Attribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly}
		if a.Nested != nil {
			o.NestedType = &configschema.Object{Nesting: modes[a.Nested.Nesting], Attributes: toAttrs(a.Nested.Attributes)}
		} else {
			t, err := ctyjson.UnmarshalType(a.Type)
			if err != nil {
				panic(err)
			}
			o.Type = t
		}
		out[n] = o
	}
	return out
}
func toBlock(in block) *configschema.Block {
	out := &configschema.Block{Attributes: toAttrs(in.Attributes), BlockTypes: map[string]*configschema.NestedBlock{}}
	for n, b := range in.Blocks {
		out.BlockTypes[n] = &configschema.NestedBlock{Nesting: modes[b.Nesting], Block: *toBlock(b.Block), MinItems: b.MinItems, MaxItems: b.MaxItems}
	}
	return out
}
func errs(list []error) []string {
	out := []string{}
	for _, e := range list {
		out = append(out, tfdiags.FormatError(e))
	}
	sort.Strings(out)
	return out
}

func handle(req request) (result any) {
	b := toBlock(req.Schema)
	ty := b.ImpliedType()
	var vals []cty.Value
	for _, s := range req.Values {
		raw, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			panic(err)
		}
		v, err := ctymsgpack.Unmarshal(raw, ty)
		if err != nil {
			return map[string]any{"undecodable": err.Error()}
		}
		vals = append(vals, v)
	}
	enc := func(v cty.Value) string {
		raw, err := ctymsgpack.Marshal(v, ty)
		if err != nil {
			panic(err)
		}
		return base64.StdEncoding.EncodeToString(raw)
	}
	switch req.Op {
	case "proposedNew":
		return enc(objchange.ProposedNew(b, vals[0], vals[1]))
	case "plannedUnknownObject":
		return enc(objchange.PlannedUnknownObject(b, vals[0]))
	case "assertPlanValid":
		return errs(objchange.AssertPlanValid(b, vals[0], vals[1], vals[2]))
	case "assertObjectCompatible":
		return errs(objchange.AssertObjectCompatible(b, vals[0], vals[1]))
	case "normalize":
		return enc(objchange.NormalizeObjectFromLegacySDK(vals[0], b))
	case "render":
		return render(req, b, vals[0], vals[1])
	}
	panic("unknown op " + req.Op)
}

func render(req request, b *configschema.Block, before, after cty.Value) string {
	providerAddr := addrs.NewDefaultProvider("test")
	addr := addrs.Resource{Mode: addrs.ManagedResourceMode, Type: "test_thing", Name: "x"}.Instance(addrs.NoKey).Absolute(addrs.RootModuleInstance)
	schema := providers.Schema{Block: b}
	reqRep := cty.NewPathSet()
	for _, p := range req.RequiresReplace {
		var path cty.Path
		for _, s := range p {
			switch s := s.(type) {
			case string:
				path = path.GetAttr(s)
			case float64:
				path = path.IndexInt(int(s))
			case map[string]any:
				path = path.IndexString(s["key"].(string))
			}
		}
		reqRep.Add(path)
	}
	action := map[string]plans.Action{"create": plans.Create, "update": plans.Update, "delete": plans.Delete, "replace": plans.DeleteThenCreate, "noOp": plans.NoOp}[req.Action]
	if !before.IsNull() {
		before = before.MarkWithPaths(b.ValueMarks(before, nil, nil, false))
	}
	if !after.IsNull() {
		after = after.MarkWithPaths(b.ValueMarks(after, nil, nil, false))
	}
	rc := &plans.ResourceInstanceChange{Addr: addr, PrevRunAddr: addr,
		ProviderAddr: addrs.AbsProviderConfig{Provider: providerAddr},
		Change:       plans.Change{Action: action, Before: before, After: after}, RequiredReplace: reqRep}
	src, err := rc.Encode(&schema)
	if err != nil {
		panic(err)
	}
	schemas := &tofu.Schemas{Providers: map[addrs.Provider]providers.ProviderSchema{providerAddr: {ResourceTypes: map[string]providers.Schema{"test_thing": schema}}}}
	changes, err := jsonplan.MarshalResourceChanges([]*plans.ResourceInstanceChangeSrc{src}, schemas)
	if err != nil {
		panic(err)
	}
	streams, done := terminal.StreamsForTesting(&testing.T{})
	r := jsonformat.Renderer{Streams: streams, Colorize: &colorstring.Colorize{Disable: true, Colors: colorstring.DefaultColors}}
	r.RenderHumanPlan(jsonformat.Plan{PlanFormatVersion: jsonplan.FormatVersion, ProviderFormatVersion: jsonprovider.FormatVersion, ResourceChanges: changes, ProviderSchemas: jsonprovider.MarshalForRenderer(schemas)}, plans.NormalMode)
	out := done(&testing.T{}).Stdout()
	// Keep only the text of the resource.
	i := strings.Index(out, "resource \"test_thing\" \"x\" ")
	if i < 0 {
		return ""
	}
	out = out[i:]
	if j := strings.Index(out, "\nPlan: "); j >= 0 {
		out = out[:j]
	}
	return strings.TrimRight(out, "\n")
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	dec := json.NewDecoder(in)
	for {
		var req request
		if err := dec.Decode(&req); err != nil {
			return
		}
		func() {
			defer func() {
				if r := recover(); r != nil {
					line, _ := json.Marshal(map[string]any{"panic": fmt.Sprint(r)})
					out.Write(append(line, '\n'))
				}
			}()
			line, err := json.Marshal(map[string]any{"result": handle(req)})
			if err != nil {
				panic(err)
			}
			out.Write(append(line, '\n'))
		}()
	}
}
