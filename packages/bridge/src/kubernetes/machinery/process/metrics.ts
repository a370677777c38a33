// SPDX-License-Identifier: Apache-2.0

/** The labels of a sample. */
export type MetricLabels = Readonly<Record<string, string>>;

type MetricKind = "counter" | "gauge" | "histogram";

interface Metric {
  readonly kind: MetricKind;
  readonly help: string;
  /** The samples. The suffix is added to the name of the metric. */
  readonly samples: () => Iterable<{ readonly suffix: string; readonly labels: MetricLabels; readonly value: number }>;
}

/** A number that only increases. */
export interface Counter {
  add(labels?: MetricLabels, amount?: number): void;
}

/** A distribution of durations. */
export interface Histogram {
  /** @param seconds - Duration in seconds. */
  observe(seconds: number, labels?: MetricLabels): void;
}

/** Upper bounds of the buckets, in seconds. A reconcile without changes takes milliseconds, a creation can take minutes. */
const defaultBuckets: readonly number[] = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800];

/**
 * The metrics of a process, in the text format of Prometheus.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export class Metrics {
  readonly #metrics = new Map<string, Metric>();

  /** The content type of {@link text}. */
  static readonly contentType: string = "text/plain; version=0.0.4; charset=utf-8";

  /** Declares a counter, whose name must end with `_total` by convention. */
  counter(name: string, help: string): Counter {
    const values = new Map<string, { readonly labels: MetricLabels; value: number }>();
    this.#declare(name, { kind: "counter", help, samples: () => values.values().map((sample) => ({ suffix: "", ...sample })) });
    return {
      add(labels = {}, amount = 1) {
        const key = JSON.stringify(labels);
        const sample = values.get(key);
        if (sample) sample.value += amount;
        else values.set(key, { labels, value: amount });
      },
    };
  }

  /** Declares a gauge. Its values are computed for each {@link text}. */
  gauge(name: string, help: string, read: () => number | Iterable<{ readonly labels: MetricLabels; readonly value: number }>): void {
    const samples: Metric["samples"] = () => {
      const values = read();
      return [...(typeof values === "number" ? [{ labels: {}, value: values }] : values)].map((sample) => ({ suffix: "", ...sample }));
    };
    this.#declare(name, { kind: "gauge", help, samples });
  }

  /** Declares a histogram of durations, whose name must end with `_seconds` by convention. */
  histogram(name: string, help: string, buckets: readonly number[] = defaultBuckets): Histogram {
    const series = new Map<string, { readonly labels: MetricLabels; readonly counts: number[]; sum: number; count: number }>();
    const samples: Metric["samples"] = () =>
      series
        .values()
        .flatMap(({ labels, counts, sum, count }) => [
          ...buckets.map((bound, index) => ({ suffix: "_bucket", labels: { ...labels, le: String(bound) }, value: counts[index]! })),
          { suffix: "_bucket", labels: { ...labels, le: "+Inf" }, value: count },
          { suffix: "_sum", labels, value: sum },
          { suffix: "_count", labels, value: count },
        ]);
    this.#declare(name, { kind: "histogram", help, samples });
    return {
      observe(seconds, labels = {}) {
        const key = JSON.stringify(labels);
        let entry = series.get(key);
        if (entry === undefined) series.set(key, (entry = { labels, counts: buckets.map(() => 0), sum: 0, count: 0 }));
        for (const [index, bound] of buckets.entries()) if (seconds <= bound) entry.counts[index]! += 1;
        entry.sum += seconds;
        entry.count += 1;
      },
    };
  }

  /** Returns all metrics as text. */
  text(): string {
    const lines: string[] = [];
    for (const [name, { kind, help, samples }] of this.#metrics) {
      lines.push(`# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`, `# TYPE ${name} ${kind}`);
      for (const { suffix, labels, value } of samples()) lines.push(`${name}${suffix}${labelText(labels)} ${value}`);
    }
    return `${lines.join("\n")}\n`;
  }

  #declare(name: string, metric: Metric): void {
    if (!/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name)) throw new TypeError(`${name} is not a valid name of a metric`);
    if (this.#metrics.has(name)) throw new TypeError(`the metric ${name} is declared twice`);
    this.#metrics.set(name, metric);
  }
}

function labelText(labels: MetricLabels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
