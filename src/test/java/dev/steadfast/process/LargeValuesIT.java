package dev.steadfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.steadfast.Api;
import dev.steadfast.Database;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A contract that allows long texts, and a batch that is made of nothing else. */
class LargeValuesIT {
  private static final int FIELDS = 8;
  private static final int OPERATIONS = 1_000;
  private static final int LENGTH = 64_000;
  private static final int MAX_ROW_BYTES = 256 * 1024;

  @TempDir private Path directory;

  @Test
  void aThousandOperationsOfSixtyFourKilobytesOnOneRowNeverExceedTheRow() throws Exception {
    Path contract = directory.resolve("contract.json");
    String properties =
        IntStream.range(0, FIELDS)
            .mapToObj(i -> "\"f%d\":{\"type\":\"string\",\"maxLength\":65536}".formatted(i))
            .collect(Collectors.joining(","));
    Files.writeString(
        contract,
        "{\"version\":1,\"type\":\"object\",\"properties\":{%s,\"deleted\":{\"type\":\"boolean\"}}}"
            .formatted(properties));
    try (OwnPostgres postgres = new OwnPostgres(directory.resolve("pg"))) {
      String url = OwnPostgres.serviceUrl(postgres.port());
      Map<String, String> settings = new HashMap<>(ServiceProcess.settings(url));
      settings.put("STEADFAST_CONTRACT_LOCATION", contract.toString());
      settings.put("QUARKUS_HTTP_LIMITS_MAX_BODY_SIZE", "80M");
      try (ServiceProcess service = ServiceProcess.start(settings, "-Xmx768m");
          Database database = Database.at(OwnPostgres.url(postgres.port()))) {
        String text = "x".repeat(LENGTH);
        String[] operations =
            IntStream.range(0, OPERATIONS)
                .mapToObj(
                    i -> Api.op("A:" + i, "r", i, "\"f%d\":\"%s\"".formatted(i % FIELDS, text)))
                .toArray(String[]::new);
        HttpResponse<String> answer = service.pushInCrowd("anya", Api.batch(operations));
        assertThat(answer.statusCode()).as(() -> answer.body()).isEqualTo(200);
        JsonNode verdicts = new ObjectMapper().readTree(answer.body()).path("verdicts");
        assertThat(verdicts).hasSize(OPERATIONS);
        Map<String, Long> codes =
            IntStream.range(0, OPERATIONS)
                .mapToObj(i -> verdicts.get(i).path("code").asText("applied"))
                .collect(Collectors.groupingBy(code -> code, Collectors.counting()));
        assertThat(codes).containsOnlyKeys("applied", "ROW_TOO_LARGE");
        assertThat(verdicts.get(4).path("code").asText()).isEqualTo("ROW_TOO_LARGE");
        assertThat(verdicts.get(8).path("status").asText()).isEqualTo("applied");
        String bytes =
            database.one("SELECT octet_length(fields::text || marks::text) FROM sync_rows");
        assertThat(Integer.parseInt(bytes)).isBetween(4 * LENGTH, MAX_ROW_BYTES);
        assertThat(service.status("/q/health/ready")).isEqualTo(200);
      }
    }
  }
}
