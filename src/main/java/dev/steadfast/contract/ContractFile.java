package dev.steadfast.contract;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The file that a deployment's row contract stands in.
 *
 * @param location where it was read from, as the setting names it
 * @param root the document
 */
record ContractFile(String location, JsonNode root) {
  private static final String CLASSPATH = "classpath:";

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /**
   * Reads a contract and checks that rows can be judged by it.
   *
   * @param location a file path, or {@code classpath:} and the name of a resource
   * @throws ContractException if it is unreadable or contradicts itself
   */
  static ContractFile load(String location) {
    try (InputStream in = open(location);
        JsonParser parser = MAPPER.createParser(in)) {
      JsonNode root = MAPPER.readTree(parser);
      if (root == null || !root.isObject()) {
        throw new ContractException(location, "", "it must be a JSON object");
      }
      ContractFile file = new ContractFile(location, root);
      ContractCheck.check(file);
      return file;
    } catch (JsonProcessingException e) {
      String place = "";
      if (e.getLocation() != null) {
        place = "line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr();
      }
      throw new ContractException(location, place, "it is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new ContractException(location, "", "it cannot be read: " + e);
    }
  }

  private static InputStream open(String location) throws IOException {
    if (!location.startsWith(CLASSPATH)) {
      return Files.newInputStream(Path.of(location));
    }
    String name = location.substring(CLASSPATH.length());
    InputStream in = Thread.currentThread().getContextClassLoader().getResourceAsStream(name);
    if (in == null) {
      throw new ContractException(location, "", "there is no such resource");
    }
    return in;
  }

  /** The rules of a property, behind a local reference if it is one. */
  JsonNode rulesOf(String property) {
    JsonNode rules = root.path("properties").path(property);
    while (rules.has("$ref")) {
      rules = root.at(rules.get("$ref").textValue().substring(1));
    }
    return rules;
  }

  /** A refusal of the contract itself, with its place. */
  ContractException refuse(String pointer, String fault) {
    return new ContractException(location, pointer.isEmpty() ? "" : "#" + pointer, fault);
  }
}
