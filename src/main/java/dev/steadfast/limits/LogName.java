package dev.steadfast.limits;

import java.util.regex.Pattern;

/** A name as the log shows it. */
final class LogName {
  /** What could start a line, hide a part of one, or turn its direction. */
  private static final Pattern MISLEADING = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  private LogName() {}

  static String of(String name) {
    return MISLEADING.matcher(name).replaceAll("?");
  }
}
