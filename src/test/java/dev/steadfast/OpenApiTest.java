package dev.steadfast;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.quarkus.resteasy.reactive.server.runtime.ResteasyReactiveRecorder;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;
import org.jboss.resteasy.reactive.server.util.RuntimeResourceVisitor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The published document says what the service does. */
@QuarkusTest
class OpenApiTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> EVERYWHERE = Set.of("401", "406", "429", "500", "503");

  private JsonNode document;

  @BeforeEach
  void read() throws IOException {
    document = JSON.readTree(given().get("/q/openapi?format=json").asByteArray());
  }

  @Test
  void everyCallIsDocumentedAndNothingElse() {
    Set<String> served = new TreeSet<>();
    RuntimeResourceVisitor.visitRuntimeResources(
        null,
        ResteasyReactiveRecorder.getCurrentDeployment().getClassMappers(),
        new RuntimeResourceVisitor() {
          @Override
          public void visitRuntimeResource(String method, String path, RuntimeResource call) {
            if (method != null && !path.startsWith("/dev/")) {
              served.add(method + " " + path);
            }
          }
        });
    assertThat(calls().keySet()).isEqualTo(served).hasSizeGreaterThan(6);
  }

  @Test
  void everyStatusOfEveryCallIsDocumentedAndItsErrorsAreProblems() {
    Map<String, Set<String>> own = new TreeMap<>();
    own.put("POST /sync/push", Set.of("200", "400", "408", "409", "413", "415"));
    own.put("GET /sync/pull", Set.of("200", "400", "409"));
    own.put("GET /sync/limits", Set.of("200"));
    own.put("GET /sync/events", Set.of("200"));
    own.put("GET /publications/{id}", Set.of("200", "304", "400", "403", "404"));
    own.put("POST /publications", Set.of("201", "400", "403", "408", "409", "413", "415", "422"));
    own.put(
        "PUT /publications/{id}",
        Set.of("200", "400", "403", "404", "408", "409", "413", "415", "422"));
    own.put("GET /support/verdict", Set.of("200", "400", "403", "404"));
    calls()
        .forEach(
            (call, operation) -> {
              Set<String> documented = new TreeSet<>();
              operation.path("responses").fieldNames().forEachRemaining(documented::add);
              Set<String> expected = new TreeSet<>(EVERYWHERE);
              expected.addAll(own.get(call));
              assertThat(documented).as(call).isEqualTo(expected);
              documented.stream()
                  .filter(status -> status.compareTo("400") >= 0)
                  .forEach(
                      status ->
                          assertThat(
                                  response(operation, status)
                                      .at("/content/application~1problem+json/schema/$ref")
                                      .asText())
                              .as(call + " " + status)
                              .isEqualTo("#/components/schemas/Problem"));
            });
  }

  @Test
  void keysTokensAndPausesAreDocumented() {
    JsonNode scheme = document.at("/components/securitySchemes/bearer");
    assertThat(scheme.path("scheme").asText()).isEqualTo("bearer");
    assertThat(scheme.path("bearerFormat").asText()).isEqualTo("JWT");
    assertThat(document.at("/security/0").has("bearer")).isTrue();
    for (String call : List.of("POST /publications", "PUT /publications/{id}")) {
      JsonNode key = resolved(calls().get(call).at("/parameters/0"));
      assertThat(key.path("name").asText()).isEqualTo("Idempotency-Key");
      assertThat(key.path("required").asBoolean()).isTrue();
    }
    for (String status : List.of("429", "503")) {
      assertThat(response(calls().get("POST /sync/push"), status).at("/headers").has("Retry-After"))
          .isTrue();
    }
  }

  @Test
  void answersAreOfTheDocumentedShapeAndHoldNothingElse() throws Exception {
    String user = "documented";
    String editor = token(user, "editor");
    RequestSpecification push = json(editor);
    check("POST /sync/push", push.body(Api.batch(Api.whole("A:1", "r", 5))).post("/sync/push"));
    check(
        "POST /sync/push",
        json(editor)
            .body(
                Api.batch(
                    Api.whole("A:1", "r", 6),
                    Api.op("A:2", "r", 1, "\"reps\":4"),
                    Api.op("A:3", "r", 7, "\"reps\":800"),
                    Api.op("A:4", "r", 7, "\"reps\":1").replace("}}", "},\"schema\":9}")))
            .post("/sync/push"));
    check("POST /sync/push", json(editor).body("{}").post("/sync/push"));
    check("POST /sync/push", json(editor).body(Api.batch()).post("/sync/push"));
    check("POST /sync/push", json(editor).contentType("text/plain").post("/sync/push"));
    check("GET /sync/pull", json(editor).get("/sync/pull"));
    check("GET /sync/pull", json(token("nobody-yet", "x")).get("/sync/pull"));
    check("GET /sync/pull", json(editor).get("/sync/pull?cursor=99"));
    check("GET /sync/pull", json(editor).accept("text/html").get("/sync/pull"));
    check("GET /sync/limits", json(editor).get("/sync/limits"));
    check("GET /sync/limits", given().get("/sync/limits"));
    Response created =
        json(editor)
            .header("Idempotency-Key", user)
            .body("{\"title\":\"t\"}")
            .post("/publications");
    check("POST /publications", created);
    check("POST /publications", json(editor).body("{\"title\":\"t\"}").post("/publications"));
    String publication = created.header("Location");
    check(
        "POST /publications",
        json(editor)
            .header("Idempotency-Key", user)
            .body("{\"title\":\"u\"}")
            .post("/publications"));
    check("GET /publications/{id}", json(editor).get(publication));
    check("GET /publications/{id}", json(editor).get("/publications/2147483647"));
    check("GET /publications/{id}", json(token(user, "x")).get(publication));
    for (int version : new int[] {1, 7, 0}) {
      check(
          "PUT /publications/{id}",
          json(editor)
              .header("Idempotency-Key", user + version)
              .body("{\"title\":\"u\",\"version\":" + version + "}")
              .put(publication));
    }
    String support = token("lena", "support");
    for (String op : List.of("A:1", "A:3", "A:9")) {
      check(
          "GET /support/verdict", json(support).get("/support/verdict?user=" + user + "&op=" + op));
    }
  }

  private void check(String call, Response answer) throws Exception {
    JsonNode response = response(calls().get(call), Integer.toString(answer.statusCode()));
    assertThat(response.isObject()).as(call + " " + answer.statusLine()).isTrue();
    String type = answer.contentType().replaceAll(";.*", "");
    JsonNode schema = response.path("content").path(type).path("schema");
    assertThat(schema.isObject()).as(call + " " + answer.statusLine() + " " + type).isTrue();
    ObjectNode strict = ((ObjectNode) schema).deepCopy();
    strict.set("components", closed(document.path("components").deepCopy()));
    Schema checked =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(strict.toString(), InputFormat.JSON);
    assertThat(checked.validate(answer.asString(), InputFormat.JSON))
        .as(answer.asString())
        .isEmpty();
  }

  /** What is not documented is not there. */
  private static JsonNode closed(JsonNode node) {
    if (node.path("properties").isObject() && !node.has("additionalProperties")) {
      ((ObjectNode) node).put("additionalProperties", false);
    }
    node.forEach(OpenApiTest::closed);
    return node;
  }

  private Map<String, JsonNode> calls() {
    Map<String, JsonNode> calls = new TreeMap<>();
    document
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        each -> {
                          if (!each.getKey().equals("parameters")) {
                            String method = each.getKey().toUpperCase(Locale.ROOT);
                            calls.put(method + " " + path.getKey(), each.getValue());
                          }
                        }));
    return calls;
  }

  private JsonNode response(JsonNode operation, String status) {
    return resolved(operation.path("responses").path(status));
  }

  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
  }

  private static RequestSpecification json(String token) {
    return given().auth().oauth2(token).contentType("application/json");
  }

  private static String token(String user, String groups) {
    return given()
        .queryParam("sub", user)
        .queryParam("groups", groups)
        .get("/dev/token")
        .asString();
  }
}
