package dev.steadfast.bench;

/**
 * One operation of the workload: a whole new row, or an edit of its weight alone.
 *
 * @param reps more than 100 breaks the contract; null in an edit
 */
record Op(String opId, String rowId, long at, int weightKg, Integer reps) {
  static final String EXERCISE = "жим лёжа";

  boolean isEdit() {
    return reps == null;
  }

  /** The fields as JSON, as a device sends them. */
  String fields() {
    return isEdit() ? "{\"weightKg\":" + weightKg + "}" : row();
  }

  /** The fields of the row that this operation leaves behind. */
  String row() {
    return "{\"exercise\":\""
        + EXERCISE
        + "\",\"weightKg\":"
        + weightKg
        + ",\"reps\":"
        + (isEdit() ? Workload.REPS : reps)
        + "}";
  }
}
