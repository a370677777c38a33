// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
)

// calls are the provider's RPCs by name.
var calls = map[string]func(plugin.Provider, json.RawMessage) (any, error){
	"parameterizeArgs":  parameterizeArgs,
	"parameterizeValue": parameterizeValue,
	"getSchema":         getSchema,
	"getPluginInfo":     getPluginInfo,
	"getMapping":        getMapping,
	"checkConfig":       checkConfig,
	"diffConfig":        diffConfig,
	"configure":         configure,
	"check":             check,
	"diff":              diff,
	"create":            create,
	"read":              read,
	"update":            update,
	"delete":            remove,
	"invoke":            invoke,
	"list":              list,
	"cancel":            cancel,
}

// resourceArgs are the arguments of a call about a resource.
type resourceArgs struct {
	URN           string     `json:"urn"`
	ID            string     `json:"id"`
	Inputs        properties `json:"inputs"`
	OldInputs     properties `json:"oldInputs"`
	OldOutputs    properties `json:"oldOutputs"`
	Seed          []byte     `json:"seed"`
	Name          string     `json:"name"`
	Preview       bool       `json:"preview"`
	Timeout       float64    `json:"timeout"`
	IgnoreChanges []string   `json:"ignoreChanges"`
}

func (a resourceArgs) urn() resource.URN { return resource.URN(a.URN) }

func parameterizeArgs(p plugin.Provider, raw json.RawMessage) (any, error) {
	args, err := decode[[]string](raw)
	if err != nil {
		return nil, err
	}
	return parameterized(p.Parameterize(context.Background(), plugin.ParameterizeRequest{Parameters: &plugin.ParameterizeArgs{Args: args}}))
}

func parameterizeValue(p plugin.Provider, raw json.RawMessage) (any, error) {
	args, err := decode[struct {
		Name, Version string
		Value         []byte
	}](raw)
	if err != nil {
		return nil, err
	}
	value := &plugin.ParameterizeValue{Name: args.Name, Version: semver.MustParse(args.Version), Value: args.Value}
	return parameterized(p.Parameterize(context.Background(), plugin.ParameterizeRequest{Parameters: value}))
}

func parameterized(response plugin.ParameterizeResponse, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return map[string]string{"name": response.Name, "version": response.Version.String()}, nil
}

func getSchema(p plugin.Provider, raw json.RawMessage) (any, error) {
	args, err := decode[struct{ Name, Version string }](raw)
	if err != nil {
		return nil, err
	}
	request := plugin.GetSchemaRequest{SubpackageName: args.Name}
	if args.Version != "" {
		version := semver.MustParse(args.Version)
		request.SubpackageVersion = &version
	}
	response, err := p.GetSchema(context.Background(), request)
	if err != nil {
		return nil, err
	}
	return json.RawMessage(response.Schema), nil
}

func getPluginInfo(p plugin.Provider, _ json.RawMessage) (any, error) {
	info, err := p.GetPluginInfo(context.Background())
	if err != nil {
		return nil, err
	}
	return map[string]any{"version": info.Version}, nil
}

func getMapping(p plugin.Provider, raw json.RawMessage) (any, error) {
	args, err := decode[struct{ Key, Provider string }](raw)
	if err != nil {
		return nil, err
	}
	response, err := p.GetMapping(context.Background(), plugin.GetMappingRequest{Key: args.Key, Provider: args.Provider})
	if err != nil {
		return nil, err
	}
	return map[string]any{"provider": response.Provider, "data": response.Data}, nil
}

func checkConfig(p plugin.Provider, raw json.RawMessage) (any, error) {
	a, err := decode[resourceArgs](raw)
	if err != nil {
		return nil, err
	}
	response, err := p.CheckConfig(context.Background(), plugin.CheckConfigRequest{
		URN: a.urn(), Name: a.urn().Name(), Type: a.urn().Type(), Olds: a.OldInputs.Map, News: a.Inputs.orEmpty(), AllowUnknowns: true,
	})
	return checked(response.Properties, response.Failures, err)
}

func diffConfig(p plugin.Provider, raw json.RawMessage) (any, error) {
	a, err := decode[resourceArgs](raw)
	if err != nil {
		return nil, err
	}
	response, err := p.DiffConfig(context.Background(), plugin.DiffConfigRequest{
		URN: a.urn(), Name: a.urn().Name(), Type: a.urn().Type(), OldInputs: a.OldInputs.orEmpty(), OldOutputs: a.OldInputs.orEmpty(),
		NewInputs: a.Inputs.orEmpty(), AllowUnknowns: true,
	})
	return difference(response, err)
}

func configure(p plugin.Provider, raw json.RawMessage) (any, error) {
	a, err := decode[resourceArgs](raw)
	if err != nil {
		return nil, err
	}
	urn, name, kind, id := a.urn(), a.urn().Name(), a.urn().Type(), resource.ID(a.ID)
	_, err = p.Configure(context.Background(), plugin.ConfigureRequest{URN: &urn, Name: &name, Type: &kind, ID: &id, Inputs: a.Inputs.orEmpty()})
	return nil, err
}

func check(p plugin.Provider, raw json.RawMessage) (any, error) {
	a, err := decode[resourceArgs](raw)
	if err != nil {
		return nil, err
	}
	var autonaming *plugin.AutonamingOptions
	if a.Name != "" {
		autonaming = &plugin.AutonamingOptions{ProposedName: a.Name, Mode: plugin.AutonamingModeEnforce}
	}
	response, err := p.Check(context.Background(), plugin.CheckRequest{
		URN: a.urn(), Name: a.urn().Name(), Type: a.urn().Type(), Olds: a.OldInputs.orEmpty(), News: a.Inputs.orEmpty(),
		AllowUnknowns: true, RandomSeed: a.Seed, Autonaming: autonaming,
	})
	return checked(response.Properties, response.Failures, err)
}

func checked(inputs resource.PropertyMap, failures []plugin.CheckFailure, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, failure := range failures {
		texts[string(failure.Property)] = failure.Reason
	}
	values, err := written(inputs)
	return map[string]any{"inputs": values, "failures": texts}, err
}

func diff(p plugin.Provider, raw json.RawMessage) (any, error) {
	a, err := decode[resourceArgs](raw)
	if err != nil {
		return nil, err
	}
	response, err := p.Diff(context.Background(), plugin.DiffRequest{
		URN: a.urn(), Name: a.urn().Name(), Type: a.urn().Type(), ID: resource.ID(a.ID), OldInputs: a.OldInputs.orEmpty(),
		OldOutputs: a.OldOutputs.orEmpty(), NewInputs: a.Inputs.orEmpty(), AllowUnknowns: true, IgnoreChanges: a.IgnoreChanges,
	})
	return difference(response, err)
}

func difference(result plugin.DiffResult, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	kinds := map[string]string{}
	for path, change := range result.DetailedDiff {
		kinds[path] = change.Kind.String()
	}
	return map[string]any{
		"changes": int(result.Changes), "replaces": result.ReplaceKeys, "changed": result.ChangedKeys, "detailed": kinds,
		"deleteBeforeReplace": result.DeleteBeforeReplace,
	}, nil
}

func create(p plugin.Provider, raw json.RawMessage) (any, error) {
	a, err := decode[resourceArgs](raw)
	if err != nil {
		return nil, err
	}
	response, failed := p.Create(context.Background(), plugin.CreateRequest{
		URN: a.urn(), Name: a.urn().Name(), Type: a.urn().Type(), Properties: a.Inputs.orEmpty(), Timeout: a.Timeout, Preview: a.Preview,
	})
	outputs, err := written(response.Properties)
	if err != nil {
		return nil, err
	}
	return map[string]any{"id": response.ID, "outputs": outputs, "status": int(response.Status)}, failed
}

func read(p plugin.Provider, raw json.RawMessage) (any, error) {
	a, err := decode[resourceArgs](raw)
	if err != nil {
		return nil, err
	}
	response, failed := p.Read(context.Background(), plugin.ReadRequest{
		URN: a.urn(), Name: a.urn().Name(), Type: a.urn().Type(), ID: resource.ID(a.ID), Inputs: a.OldInputs.Map, State: a.OldOutputs.Map,
		Timeout: a.Timeout,
	})
	outputs, err := written(response.Outputs)
	if err != nil {
		return nil, err
	}
	inputs, err := written(response.Inputs)
	if err != nil {
		return nil, err
	}
	return map[string]any{"id": response.ID, "inputs": inputs, "outputs": outputs}, failed
}

func update(p plugin.Provider, raw json.RawMessage) (any, error) {
	a, err := decode[resourceArgs](raw)
	if err != nil {
		return nil, err
	}
	response, failed := p.Update(context.Background(), plugin.UpdateRequest{
		URN: a.urn(), Name: a.urn().Name(), Type: a.urn().Type(), ID: resource.ID(a.ID), OldInputs: a.OldInputs.orEmpty(),
		OldOutputs: a.OldOutputs.orEmpty(), NewInputs: a.Inputs.orEmpty(), Timeout: a.Timeout, IgnoreChanges: a.IgnoreChanges,
		Preview: a.Preview,
	})
	outputs, err := written(response.Properties)
	if err != nil {
		return nil, err
	}
	return map[string]any{"outputs": outputs, "status": int(response.Status)}, failed
}

func remove(p plugin.Provider, raw json.RawMessage) (any, error) {
	a, err := decode[resourceArgs](raw)
	if err != nil {
		return nil, err
	}
	response, failed := p.Delete(context.Background(), plugin.DeleteRequest{
		URN: a.urn(), Name: a.urn().Name(), Type: a.urn().Type(), ID: resource.ID(a.ID), Inputs: a.OldInputs.orEmpty(),
		Outputs: a.OldOutputs.orEmpty(), Timeout: a.Timeout,
	})
	return map[string]any{"status": int(response.Status)}, failed
}

func invoke(p plugin.Provider, raw json.RawMessage) (any, error) {
	args, err := decode[struct {
		Token string     `json:"token"`
		Args  properties `json:"args"`
	}](raw)
	if err != nil {
		return nil, err
	}
	response, err := p.Invoke(context.Background(), plugin.InvokeRequest{Tok: tokens.ModuleMember(args.Token), Args: args.Args.orEmpty()})
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, failure := range response.Failures {
		texts[string(failure.Property)] = failure.Reason
	}
	result, err := written(response.Properties)
	return map[string]any{"result": result, "failures": texts}, err
}

func list(p plugin.Provider, raw json.RawMessage) (any, error) {
	args, err := decode[struct {
		Token        string     `json:"token"`
		Query        properties `json:"query"`
		Limit        int64      `json:"limit"`
		PageSize     int64      `json:"pageSize"`
		Continuation string     `json:"continuation"`
	}](raw)
	if err != nil {
		return nil, err
	}
	stream, err := p.List(context.Background(), plugin.ListRequest{
		Token: tokens.Type(args.Token), Query: args.Query.orEmpty(), Limit: args.Limit, PageSize: args.PageSize,
		ContinuationToken: args.Continuation,
	})
	if err != nil {
		return nil, err
	}
	found := []map[string]string{}
	for item, err := range stream.Items {
		if err != nil {
			return nil, err
		}
		found = append(found, map[string]string{"id": string(item.ID), "name": item.Name})
	}
	return map[string]any{"found": found, "computed": stream.Computed, "continuation": stream.ContinuationToken}, nil
}

func cancel(p plugin.Provider, _ json.RawMessage) (any, error) {
	return nil, p.SignalCancellation(context.Background())
}
