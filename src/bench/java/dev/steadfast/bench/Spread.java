package dev.steadfast.bench;

import java.util.Collection;

/**
 * What a number of samples come to.
 *
 * @param samples how many there were
 */
record Spread(int samples, double p10, double median, double p90) {

  static Spread of(Collection<Double> samples) {
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Spread(sorted.length, at(sorted, 0.1), at(sorted, 0.5), at(sorted, 0.9));
  }

  private static double at(double[] sorted, double part) {
    double place = part * (sorted.length - 1);
    int low = (int) place;
    int high = Math.min(low + 1, sorted.length - 1);
    return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
  }
}
