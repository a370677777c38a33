// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
)

// store is the remote system: a directory with a file `<id>.json` for each object.
type store struct {
	directory string
	region    string
	core      string
}

func newStore(directory, region, core string) (*store, diag.Diagnostics) {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return nil, diag.FromErr(err)
	}
	return &store{directory: directory, region: region, core: core}, nil
}

func (s *store) path(id string) string {
	return filepath.Join(s.directory, id+".json")
}

func (s *store) write(id string, object map[string]any) error {
	content, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.path(id), content, 0o644)
}

// read returns nil for an object that does not exist.
func (s *store) read(id string) (map[string]any, error) {
	content, err := os.ReadFile(s.path(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var object map[string]any
	return object, json.Unmarshal(content, &object)
}

func (s *store) remove(id string) error {
	if err := os.Remove(s.path(id)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (s *store) ids() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(s.directory, "*.json"))
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(files))
	for _, file := range files {
		name := filepath.Base(file)
		ids = append(ids, name[:len(name)-len(".json")])
	}
	sort.Strings(ids)
	return ids, nil
}
