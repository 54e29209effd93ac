package dev.steadfast.start;

import io.smallrye.config.ConfigMappings.ConfigClass;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Environment variables that look like a setting and are none: they would be ignored silently. */
final class EnvironmentNames {
  private static final String PREFIX = "steadfast";
  private static final int MAX_MISSPELT = 4;

  /**
   * What Kubernetes tells a pod about every Service of its namespace; one named {@code steadfast}
   * or {@code steadfast-db} is likely.
   */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "STEADFAST_([A-Z0-9_]+_)?"
              + "(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

  private EnvironmentNames() {}

  /** The variables that are no setting, each with what may have been meant. */
  static List<String> unknown(Collection<String> environment) {
    Set<String> known = new TreeSet<>();
    for (String name : new ConfigClass(Settings.class, PREFIX).getProperties().keySet()) {
      known.add(variable(name));
    }
    return environment.stream()
        .filter(name -> variable(name).startsWith("STEADFAST_"))
        .filter(name -> !known.contains(variable(name)) && !SERVICE_LINK.matcher(name).matches())
        .sorted()
        .map(
            name ->
                name + nearest(variable(name), known).map(near -> " (" + near + "?)").orElse(""))
        .toList();
  }

  /** Kubernetes lets the environment have a setting's name as it is, with points. */
  private static String variable(String name) {
    return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }

  private static Optional<String> nearest(String name, Set<String> known) {
    return known.stream()
        .filter(each -> distance(name, each) <= MAX_MISSPELT)
        .min(Comparator.comparingInt(each -> distance(name, each)));
  }

  /** How many letters must be added, removed or changed (Levenshtein). */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int same = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(same, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
