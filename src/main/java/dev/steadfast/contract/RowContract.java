package dev.steadfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.NodePath;
import dev.steadfast.core.Contract;
import dev.steadfast.core.FieldValue;
import dev.steadfast.core.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A row contract given as a JSON Schema (2020-12). The validator says which rules are broken; which
 * of them a person is told, and in what words, is decided here.
 *
 * <p>Immutable, and safe for any number of threads.
 */
public final class RowContract implements Contract {
  private static final SchemaRegistryConfig BOUNDED =
      SchemaRegistryConfig.builder().regularExpressionFactory(BoundedPattern::new).build();

  private final long version;
  private final List<Field> fields;
  private final List<String> names;
  private final Set<String> nameSet;
  private final List<String> required;
  private final JsonNode root;
  private final Words words;
  private final Schema schema;

  private RowContract(ContractFile file) {
    root = file.root();
    words = new Words(root);
    version = root.get("version").longValue();
    fields = new ArrayList<>();
    for (Map.Entry<String, JsonNode> property : root.get("properties").properties()) {
      JsonNode rules = file.rulesOf(property.getKey());
      fields.add(new Field(property.getKey(), rules.get("type").textValue(), rules));
    }
    names = fields.stream().map(Field::name).toList();
    nameSet = Set.copyOf(names);
    required = new ArrayList<>();
    root.path("required").forEach(name -> required.add(name.textValue()));
    schema =
        SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                registry -> registry.schemaRegistryConfig(BOUNDED))
            .getSchema(withoutWords(root));
    schema.initializeValidators();
  }

  /**
   * Loads a contract.
   *
   * @param location a file path, or {@code classpath:} and the name of a resource
   * @throws ContractException if it is unreadable or contradicts itself; the message names the file
   *     and the place
   */
  public static RowContract load(String location) {
    ContractFile file = ContractFile.load(location);
    try {
      return new RowContract(file);
    } catch (SchemaException e) {
      throw file.refuse("", e.getMessage());
    }
  }

  /**
   * The rules alone. Words are looked up here: what a validator does to texts is not their concern.
   */
  private static JsonNode withoutWords(JsonNode root) {
    ObjectNode rules = root.deepCopy();
    rules.remove(List.of("version", "required"));
    List<String> ours = List.of("errorMessage", "multipleOf");
    Schemas.walk(rules, "", (schema, pointer) -> ((ObjectNode) schema).remove(ours));
    return rules;
  }

  @Override
  public long version() {
    return version;
  }

  @Override
  public List<String> fields() {
    return names;
  }

  @Override
  public boolean names(String field) {
    return nameSet.contains(field);
  }

  @Override
  public Optional<Refusal> violation(Map<String, FieldValue> row) {
    boolean tombstone = row.get(DELETED) == FieldValue.Bool.TRUE;
    String reason = tombstone ? null : missing(row);
    if (reason == null) {
      reason = faultOrBrokenRule(row, tombstone);
    }
    return Optional.ofNullable(reason).map(text -> new Refusal(Refusal.CONTRACT, text));
  }

  private String missing(Map<String, FieldValue> row) {
    if (row.keySet().containsAll(required)) {
      return null;
    }
    String missing =
        required.stream().filter(name -> !row.containsKey(name)).collect(Collectors.joining(", "));
    return Words.tidy(
        words.beside(root, "required", "missing fields: {0}").replace("{0}", missing));
  }

  /** The first fault in the order of fields: of our own rules, or of the schema's before it. */
  private String faultOrBrokenRule(Map<String, FieldValue> row, boolean tombstone) {
    for (int i = 0; i < fields.size(); i++) {
      FieldValue value = row.get(fields.get(i).name());
      String fault = value == null ? null : fields.get(i).fault(value, words);
      if (fault != null) {
        String earlier = tombstone ? null : brokenRule(fields.subList(0, i), row, false);
        return earlier == null ? fault : earlier;
      }
    }
    return tombstone ? null : brokenRule(fields, row, true);
  }

  private String brokenRule(List<Field> looked, Map<String, FieldValue> row, boolean whole) {
    if (looked.isEmpty()) {
      return null;
    }
    List<Broken> broken = new ArrayList<>();
    try {
      for (Error error : schema.validate(RowNodes.of(looked, row))) {
        broken.add(broken(error));
      }
    } catch (StackOverflowError | BoundedPattern.TooManyLooksError e) {
      // A pattern such as (a|b)* goes a step deeper for every character of a text.
      return words.ours(root, "uncheckable", "The entry cannot be checked.");
    }
    for (Field field : looked) {
      if (field.breaksMultipleOf(row.get(field.name()))) {
        broken.add(new Broken(field.name(), field.rules(), "multipleOf", null));
      }
    }
    if (broken.isEmpty()) {
      return null;
    }
    for (Field field : looked) {
      Optional<Broken> first =
          broken.stream()
              .filter(rule -> field.name().equals(rule.field()))
              .min(Comparator.comparingInt(Broken::place));
      if (first.isPresent()) {
        return first.get().in(words);
      }
    }
    return whole ? broken.get(0).in(words) : null;
  }

  private Broken broken(Error error) {
    NodePath instance = error.getInstanceLocation();
    String field = instance.getNameCount() == 0 ? null : String.valueOf(instance.getElement(0));
    String pointer = error.getSchemaLocation().getFragment().toString();
    JsonNode beside = root.at(pointer.substring(0, Math.max(0, pointer.lastIndexOf('/'))));
    return new Broken(field, beside, error.getKeyword(), error.getProperty());
  }

  @Override
  public Refusal clockAhead() {
    String otherwise = "The device's clock is too far ahead.";
    return new Refusal(Refusal.CLOCK_AHEAD, words.ours(root, "clockAhead", otherwise));
  }

  @Override
  public Refusal rowTooLarge() {
    String otherwise = "The entry is too large.";
    return new Refusal(Refusal.ROW_TOO_LARGE, words.ours(root, "rowTooLarge", otherwise));
  }
}
