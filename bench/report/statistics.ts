/**
 * Percentiles, medians, means and how far values lie apart.
 *
 * @module
 */

/** The value that a share of the sorted values does not exceed (nearest rank); NaN of none. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? NaN;
}

/** The middle value, or the mean of the middle two; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle]!;
  return ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** The mean of ratios: that of `2` and `1 / 2` is 1. NaN of none. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** The standard error of a geometric mean, as a share of it; Infinity of fewer than two values. */
export function relativeError(values: readonly number[]): number {
  if (values.length < 2) return Infinity;
  const mean = Math.log(geometricMean(values));
  const squares = values.reduce((sum, value) => sum + (Math.log(value) - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

/** The greatest less the least, as a share of the median; 0 of equal values. */
export function spread(values: readonly number[]): number {
  const width = Math.max(...values) - Math.min(...values);
  return width === 0 ? 0 : width / Math.abs(median(values));
}

/** Three percentiles of times. */
export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** The percentiles of values in any order. */
export function quantiles(values: ArrayLike<number>): Quantiles {
  const sorted = Float64Array.from(values).sort();
  return {
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
  };
}
