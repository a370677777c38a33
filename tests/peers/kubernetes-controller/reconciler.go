// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/zclconf/go-cty/cty"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	finalizer       = "finalizer.managedresource.crossplane.io"
	externalName    = "crossplane.io/external-name"
	createPending   = "crossplane.io/external-create-pending"
	createSucceeded = "crossplane.io/external-create-succeeded"
)

// noteReconciler brings resources into the state that their objects describe, with the writes of Tenon's operator in the same order.
type noteReconciler struct {
	client   client.Client
	resource *resource
	kind     schema.GroupVersionKind
	poll     time.Duration
	events   events.EventRecorder
	// written has the newest version of each object that this program has written, by its name.
	written sync.Map
}

func (r *noteReconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	object := newObject(r.kind)
	if err := r.client.Get(ctx, request.NamespacedName, object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	// A write on an older version would only cause a conflict.
	if newest, isKnown := r.written.Load(request.NamespacedName); isKnown && versionOf(object) < newest.(uint64) {
		return reconcile.Result{RequeueAfter: 5 * time.Millisecond}, nil
	}
	secret := &corev1.Secret{}
	state := storedState{}
	err := r.client.Get(ctx, types.NamespacedName{Namespace: object.GetNamespace(), Name: stateName(object)}, secret)
	switch {
	case apierrors.IsNotFound(err):
		secret = nil
	case err != nil:
		return reconcile.Result{}, err
	default:
		if state, err = stateIn(secret); err != nil {
			return reconcile.Result{}, err
		}
	}
	work := &work{noteReconciler: r, object: object.DeepCopy(), secret: secret}
	result, err := work.reconcile(ctx, state)
	// The object has changed: its next event reconciles it again.
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return reconcile.Result{RequeueAfter: 50 * time.Millisecond}, nil
	}
	return result, err
}

// work is one reconcile of one object.
type work struct {
	*noteReconciler
	object *unstructured.Unstructured
	secret *corev1.Secret
}

func (w *work) reconcile(ctx context.Context, state storedState) (reconcile.Result, error) {
	isDeleted := w.object.GetDeletionTimestamp() != nil
	if isDeleted && !controllerutil.ContainsFinalizer(w.object, finalizer) {
		return reconcile.Result{}, nil
	}
	current := remoteObject{value: cty.NullVal(w.resource.of)}
	if state.Object != nil {
		upgraded, err := w.resource.upgrade(ctx, state.Object, state.Private)
		if err != nil {
			return reconcile.Result{}, err
		}
		if current, err = w.resource.read(ctx, upgraded); err != nil {
			return reconcile.Result{}, err
		}
		if err := w.save(ctx, current, ""); err != nil {
			return reconcile.Result{}, err
		}
	} else if w.secret != nil {
		return reconcile.Result{}, errors.New("the outcome of a creation is not known")
	}
	if isDeleted {
		return reconcile.Result{}, w.delete(ctx, current)
	}
	config, err := w.config()
	if err != nil {
		return reconcile.Result{}, err
	}
	planned, err := w.resource.plan(ctx, current, config)
	if err != nil {
		return reconcile.Result{}, err
	}
	switch {
	case current.value.IsNull():
		current, err = w.create(ctx, planned)
	case !planned.value.RawEquals(current.value):
		current, err = w.update(ctx, planned)
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	if err := w.setStatus(ctx, "Available", current.value); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{RequeueAfter: w.poll}, nil
}

func (w *work) create(ctx context.Context, planned plannedChange) (remoteObject, error) {
	begun := time.Now().UTC().Format(time.RFC3339Nano)
	if err := w.setStatus(ctx, "Creating", cty.NilVal); err != nil {
		return remoteObject{}, err
	}
	if err := w.saveState(ctx, storedState{Pending: "create"}); err != nil {
		return remoteObject{}, err
	}
	metadata := map[string]any{
		"resourceVersion": w.object.GetResourceVersion(),
		"annotations":     map[string]any{createPending: begun},
		"finalizers":      append(w.object.GetFinalizers(), finalizer),
	}
	if err := w.patch(ctx, map[string]any{"metadata": metadata}); err != nil {
		return remoteObject{}, err
	}
	created, err := w.resource.apply(ctx, planned)
	if err != nil {
		return remoteObject{}, err
	}
	if err := w.save(ctx, created, ""); err != nil {
		return remoteObject{}, err
	}
	annotations := map[string]any{createSucceeded: time.Now().UTC().Format(time.RFC3339Nano)}
	if id := created.value.GetAttr("id"); !id.IsNull() {
		annotations[externalName] = id.AsString()
	}
	if err := w.patch(ctx, map[string]any{"metadata": map[string]any{"annotations": annotations}}); err != nil {
		return remoteObject{}, err
	}
	w.events.Eventf(w.object, nil, corev1.EventTypeNormal, "CreatedExternalResource", "Reconcile", "the resource was created")
	return created, nil
}

func (w *work) update(ctx context.Context, planned plannedChange) (remoteObject, error) {
	if err := w.save(ctx, planned.prior, "update"); err != nil {
		return remoteObject{}, err
	}
	updated, err := w.resource.apply(ctx, planned)
	if err != nil {
		return remoteObject{}, err
	}
	w.events.Eventf(w.object, nil, corev1.EventTypeNormal, "UpdatedExternalResource", "Reconcile", "the resource was updated")
	return updated, w.save(ctx, updated, "")
}

func (w *work) delete(ctx context.Context, current remoteObject) error {
	if !current.value.IsNull() {
		planned, err := w.resource.planDestroy(ctx, current)
		if err != nil {
			return err
		}
		if err := w.save(ctx, current, "delete"); err != nil {
			return err
		}
		if _, err := w.resource.apply(ctx, planned); err != nil {
			return err
		}
	}
	if w.secret != nil {
		if err := w.client.Delete(ctx, w.secret); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(w.object, finalizer)
	metadata := map[string]any{"resourceVersion": w.object.GetResourceVersion(), "finalizers": w.object.GetFinalizers()}
	return w.patch(ctx, map[string]any{"metadata": metadata})
}

// save stores an object, unless the Secret has it.
func (w *work) save(ctx context.Context, object remoteObject, pending string) error {
	state, err := encodeObject(object, w.resource.of)
	if err != nil {
		return err
	}
	state.Pending = pending
	return w.saveState(ctx, state)
}

func (w *work) saveState(ctx context.Context, state storedState) error {
	wanted, err := stateSecret(w.object, state)
	if err != nil {
		return err
	}
	if w.secret == nil {
		w.secret = wanted
		return w.client.Create(ctx, wanted)
	}
	if bytes.Equal(w.secret.Data["state"], wanted.Data["state"]) {
		return nil
	}
	wanted.ResourceVersion = w.secret.ResourceVersion
	w.secret = wanted
	return w.client.Update(ctx, wanted)
}

func (w *work) patch(ctx context.Context, patch any) error {
	text, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	err = w.client.Patch(ctx, w.object, client.RawPatch(types.MergePatchType, text))
	w.recordVersion()
	return err
}

func (w *work) recordVersion() {
	w.written.Store(client.ObjectKeyFromObject(w.object), versionOf(w.object))
}

// versionOf returns the version of an object as a number. Later versions have greater numbers.
func versionOf(object *unstructured.Unstructured) uint64 {
	version, _ := strconv.ParseUint(object.GetResourceVersion(), 10, 64)
	return version
}

// setStatus writes conditions and the observed state, where they change.
func (w *work) setStatus(ctx context.Context, ready string, observed cty.Value) error {
	value := "False"
	if ready == "Available" {
		value = "True"
	}
	conditions := []any{
		w.condition("Ready", value, ready),
		w.condition("Synced", "True", "ReconcileSuccess"),
	}
	status := map[string]any{"observedGeneration": w.object.GetGeneration()}
	if observed != cty.NilVal {
		conditions = append(conditions, w.condition("UpToDate", "True", "NoChanges"))
		status["atProvider"] = jsonOf(observed)
	}
	status["conditions"] = conditions
	before, _, _ := unstructured.NestedMap(w.object.Object, "status")
	if observed != cty.NilVal && reflect.DeepEqual(before, status) {
		return nil
	}
	patch := map[string]any{"metadata": map[string]any{"resourceVersion": w.object.GetResourceVersion()}, "status": status}
	text, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	err = w.client.Status().Patch(ctx, w.object, client.RawPatch(types.MergePatchType, text))
	w.recordVersion()
	return err
}

// condition keeps the time of a condition that does not change.
func (w *work) condition(kind, value, reason string) map[string]any {
	changed := time.Now().UTC().Format(time.RFC3339)
	known, _, _ := unstructured.NestedSlice(w.object.Object, "status", "conditions")
	for _, entry := range known {
		condition := entry.(map[string]any)
		if condition["type"] == kind && condition["status"] == value && condition["reason"] == reason {
			changed = condition["lastTransitionTime"].(string)
		}
	}
	return map[string]any{
		"type": kind, "status": value, "reason": reason, "lastTransitionTime": changed, "observedGeneration": w.object.GetGeneration(),
	}
}

// config converts the parameters. Fields have the names of attributes in camel case.
func (w *work) config() (cty.Value, error) {
	parameters, _, err := unstructured.NestedMap(w.object.Object, "spec", "forProvider")
	if err != nil {
		return cty.NilVal, err
	}
	members := map[string]cty.Value{}
	for name, of := range w.resource.of.AttributeTypes() {
		if members[name], err = read(plain(parameters[camelCase(name)]), of); err != nil {
			return cty.NilVal, err
		}
	}
	return cty.ObjectVal(members), nil
}
