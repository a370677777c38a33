// SPDX-License-Identifier: Apache-2.0

// A controller of custom resources on controller-runtime, for one resource type of a provider. It makes the calls that Tenon's operator makes:
// the same RPCs to the provider, and the same writes to the API server. `npm run bench -- kubernetes` compares both.
//
//	kubernetes-controller -path <kubeconfig> -group <group> -kind <kind> -type <resource type> <provider> [argument...]
//
// It serves /readyz, /healthz and /metrics on the port of -health.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// version is set by the linker.
var version = "dev"

// settings are the arguments of the program.
type settings struct {
	kubeconfig string
	kind       schema.GroupVersionKind
	typeName   string
	poll       time.Duration
	workers    int
	health     int
	metrics    int
	command    []string
}

func main() {
	given := settings{}
	flag.StringVar(&given.kubeconfig, "path", "", "kubeconfig file")
	flag.StringVar(&given.kind.Group, "group", "", "API group")
	flag.StringVar(&given.kind.Version, "api-version", "v1alpha1", "version of the API")
	flag.StringVar(&given.kind.Kind, "kind", "", "kind of the custom resources")
	flag.StringVar(&given.typeName, "type", "", "resource type of the provider")
	flag.DurationVar(&given.poll, "poll", time.Minute, "time between two observations")
	flag.IntVar(&given.workers, "workers", 16, "number of objects that are reconciled at once")
	flag.IntVar(&given.health, "health", 0, "port of the health checks")
	flag.IntVar(&given.metrics, "metrics", 0, "port of the metrics")
	showVersion := flag.Bool("version", false, "print the version")
	flag.Parse()
	given.command = flag.Args()
	if *showVersion {
		fmt.Println(version)
		return
	}
	if err := runController(given); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func runController(given settings) error {
	log.SetLogger(logr.Discard())
	process, on, err := launch(6, given.command)
	if err != nil {
		return err
	}
	defer process.Kill()
	resource, err := newResource(on, given.typeName)
	if err != nil {
		return err
	}
	access, err := clientcmd.BuildConfigFromFlags("", given.kubeconfig)
	if err != nil {
		return err
	}
	// No limit, as in Tenon's client: the API server has its own.
	access.QPS = -1
	operator, err := newManager(access, given)
	if err != nil {
		return err
	}
	reconciler := &noteReconciler{
		client:   operator.GetClient(),
		resource: resource,
		kind:     given.kind,
		poll:     given.poll,
		events:   operator.GetEventRecorder("kubernetes-controller"),
	}
	if err := addController(operator, reconciler, given); err != nil {
		return err
	}
	return operator.Start(ctrl.SetupSignalHandler())
}

func newManager(access *rest.Config, given settings) (manager.Manager, error) {
	stateLabel, err := labels.Parse(ownerLabel)
	if err != nil {
		return nil, err
	}
	operator, err := manager.New(access, manager.Options{
		Cache: cache.Options{
			ByObject:         map[client.Object]cache.ByObject{&corev1.Secret{}: {Label: stateLabel}},
			DefaultTransform: cache.TransformStripManagedFields(),
		},
		// Unstructured objects are read from the cache, too.
		Client:                        client.Options{Cache: &client.CacheOptions{Unstructured: true}},
		Metrics:                       server.Options{BindAddress: fmt.Sprintf("127.0.0.1:%d", given.metrics)},
		HealthProbeBindAddress:        fmt.Sprintf("127.0.0.1:%d", given.health),
		LeaderElection:                true,
		LeaderElectionID:              "kubernetes-controller",
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return nil, err
	}
	if err := operator.AddHealthzCheck("alive", func(*http.Request) error { return nil }); err != nil {
		return nil, err
	}
	return operator, operator.AddReadyzCheck("synced", func(*http.Request) error { return whetherSynced(operator, given.kind) })
}

// whetherSynced reports an error until the caches have all objects.
func whetherSynced(operator manager.Manager, kind schema.GroupVersionKind) error {
	soon, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for _, object := range []client.Object{newObject(kind), &corev1.Secret{}} {
		informer, err := operator.GetCache().GetInformer(soon, object, cache.BlockUntilSynced(false))
		if err != nil {
			return err
		}
		if !informer.HasSynced() {
			return errors.New("the caches are not complete yet")
		}
	}
	return nil
}

func addController(operator manager.Manager, reconciler *noteReconciler, given settings) error {
	// Its own changes of the status do not matter.
	relevant := predicate.Or(predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{}, predicate.LabelChangedPredicate{})
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](50*time.Millisecond, 500*time.Millisecond)
	return ctrl.NewControllerManagedBy(operator).
		For(newObject(given.kind), builder.WithPredicates(relevant)).
		WithOptions(controller.Options{MaxConcurrentReconciles: given.workers, RateLimiter: limiter}).
		Complete(reconciler)
}

func newObject(kind schema.GroupVersionKind) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(kind)
	return object
}
