// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// ownerLabel is the label of Secrets with states, which has the UID of the owner.
const ownerLabel = "tenon.dev/state-of"

// storedState is what a state file would hold of a resource.
type storedState struct {
	Object  json.RawMessage `json:"object,omitempty"`
	Private []byte          `json:"private,omitempty"`
	// Pending is the call that was begun and whose outcome is not stored.
	Pending string `json:"pending,omitempty"`
}

func encodeObject(object remoteObject, of cty.Type) (storedState, error) {
	text, err := ctyjson.Marshal(object.value, of)
	return storedState{Object: text, Private: object.private}, err
}

// stateSecret returns the Secret with a state.
func stateSecret(owner *unstructured.Unstructured, state storedState) (*corev1.Secret, error) {
	text, err := json.Marshal(state)
	if err != nil {
		return nil, err
	}
	var compressed bytes.Buffer
	writer := gzip.NewWriter(&compressed)
	if _, err := writer.Write(text); err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	isController := true
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: owner.GetNamespace(),
			Name:      stateName(owner),
			Labels:    map[string]string{ownerLabel: string(owner.GetUID())},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: owner.GetAPIVersion(),
				Kind:       owner.GetKind(),
				Name:       owner.GetName(),
				UID:        owner.GetUID(),
				Controller: &isController,
			}},
		},
		Type: "tenon.dev/state.v1",
		Data: map[string][]byte{"state": compressed.Bytes()},
	}, nil
}

func stateName(owner *unstructured.Unstructured) string {
	return "tenon-state-" + string(owner.GetUID())
}

func stateIn(secret *corev1.Secret) (storedState, error) {
	var state storedState
	reader, err := gzip.NewReader(bytes.NewReader(secret.Data["state"]))
	if err != nil {
		return state, err
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		return state, err
	}
	return state, json.Unmarshal(text, &state)
}
